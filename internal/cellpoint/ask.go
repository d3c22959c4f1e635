package cellpoint

import (
	"context"
	"errors"
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Ask solves a problem and judges how that ended:
//
//   - a Point, the closest, with the certified Bound;
//   - no Point: there is none, or only beyond the cutoff. The Status tells which, and
//     the Bound holds;
//   - a *search.Undecided, with the Bound proven so far: the solver failed, or stopped.
//     If the problem as such was too hard in floating point it wraps
//     polytope.ErrNumerical, and if the context ended its error.
//
// The caller wraps the error, so that its bound is found.
func Ask(ctx context.Context, s polytope.Solver, p polytope.Problem) (polytope.Solution, error) {
	sol, err := s.Closest(ctx, p)
	if err == nil && sol.Status == polytope.StatusStopped {
		err = stopped(ctx)
	}
	if err != nil {
		sol.Point = nil
		return sol, &search.Undecided{Bound: sol.Bound, Err: err}
	}
	return sol, nil
}

// Answer returns the answer z to a query, found when n was opened: one without an
// example for nil, when the cell is too thin for a float64 point of it to be known, and for a
// point at a distance beyond float64, which cannot be compared with others.
func Answer(q *search.Query, n search.Node, z []float64) *search.Answer {
	a := &search.Answer{Bound: n.Bound, Order: n.Order, Distance: math.Inf(1)}
	if z != nil {
		a.Distance = q.Distance(z)
	}
	if !math.IsInf(a.Distance, 1) {
		a.Example = z
	}
	return a
}

// Thin reports whether an error says that no point was found in a cell.
func Thin(err error) bool { return errors.Is(err, ErrThin) || errors.Is(err, ErrNone) }

// Beyond returns the cutoff to give a solver. It lies a little beyond the search's, so
// that a cell that a solver does not cut off has one bound, which the search compares itself:
// the bounds that a solver proves on its way may lie some rounding errors above the one
// it ends with.
func Beyond(cutoff float64) float64 {
	return max(cutoff*(1+1e-6), math.Nextafter(cutoff, math.Inf(1)))
}
