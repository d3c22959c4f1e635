//go:build lpsolve

package lpsolve_test

import (
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/testing/solvertest"
	"github.com/seed-1a7dc1f9/facet/polytope"
	"github.com/seed-1a7dc1f9/facet/polytope/lpsolve"
)

func TestConforms(t *testing.T) {
	solvertest.Run(t, lpsolve.Solver{}, solvertest.Options{
		Norms:     []polytope.Norm{polytope.LInf, polytope.L1},
		Tolerance: 1e-7,
		Instances: 1000,
	})
}
