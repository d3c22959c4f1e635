//go:build lpsolve

package native_test

import (
	"github.com/seed-1a7dc1f9/facet/polytope"
	"github.com/seed-1a7dc1f9/facet/polytope/lpsolve"
)

func init() {
	conformers = append(conformers, conformer{
		name:      "lpsolve",
		solver:    lpsolve.Solver{},
		norms:     []polytope.Norm{polytope.LInf, polytope.L1},
		tolerance: 1e-7,
		instances: 2500,
	})
}
