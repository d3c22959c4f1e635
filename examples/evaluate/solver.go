package main

import (
	"fmt"

	"github.com/seed-1a7dc1f9/facet/polytope"
)

// newSolver returns the solver with this name, nil for the attack's own.
func newSolver(name string, norm polytope.Norm) (polytope.Solver, error) {
	switch name {
	case "native":
		return nil, nil
	case "lpsolve":
		if norm == polytope.L2 {
			return nil, fmt.Errorf("-solver lpsolve: lp_solve has no programs for -norm %v, only for inf and 1", norm)
		}
		return newLPSolve()
	}
	return nil, fmt.Errorf("-solver %q: use native or lpsolve", name)
}
