//go:build lpsolve

package lpsolve

import (
	"context"
	"fmt"
	"math"

	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Solver is a polytope.Solver for ℓ∞ and ℓ1. The zero value is ready and may
// be used by any number of goroutines at once: every problem has a lp_solve program of its own.
type Solver struct{}

var _ polytope.Solver = Solver{}

// Closest implements polytope.Solver.
func (Solver) Closest(ctx context.Context, p polytope.Problem) (polytope.Solution, error) {
	if err := p.Check(); err != nil {
		return polytope.Solution{}, err
	}
	if p.Norm == polytope.L2 {
		return polytope.Solution{}, fmt.Errorf("lpsolve: norm %v is not linear: %w: use polytope.Native", p.Norm, polytope.ErrUnsupported)
	}
	if p.Region.Box.Empty() || impossible(p.Region.HalfSpaces) {
		return polytope.Solution{Status: polytope.StatusInfeasible, Distance: math.Inf(1), Bound: math.Inf(1)}, nil
	}
	return newLazy(ctx, p).solve()
}

// impossible reports whether some a·z ≤ −∞ makes the region empty.
func impossible(hs []polytope.HalfSpace) bool {
	for _, h := range hs {
		if math.IsInf(h.B, -1) {
			return true
		}
	}
	return false
}
