//go:build lpsolve && cgo

package attacking

import (
	"github.com/seed-1a7dc1f9/facet/polytope"
	"github.com/seed-1a7dc1f9/facet/polytope/lpsolve"
)

func newLPSolve() (polytope.Solver, error) { return lpsolve.Solver{}, nil }
