package query

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/guard"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/polytope"
	"github.com/seed-1a7dc1f9/facet/polytope/native"
)

// solverOf returns the solver that searches ask: a native.Solver if none is given, and a guarded
// one for that of a caller.
func solverOf(given polytope.Solver) polytope.Solver {
	switch given.(type) {
	case nil, native.Solver, *native.Solver:
		return native.Solver{}
	}
	return callersSolver{given}
}

// knowsPrices reports whether a solver does.
func knowsPrices(s polytope.Solver) bool {
	_, ok := s.(native.Solver)
	return ok || s == nil
}

// priced returns the first feature with a price other than 1 and +Inf, which the domain says as
// well, and the price; −1 if there is none.
func priced(p *polytope.Prices) (feature int, price float64) {
	for j, up := range p.Up {
		for _, price := range [...]float64{up, p.Down[j]} {
			if price != 1 && !math.IsInf(price, 1) {
				return j, price
			}
		}
	}
	return -1, 0
}

// checkPrices returns an error for prices that the solver does not know.
func checkPrices(q *search.Query) error {
	if q.Prices == nil || knowsPrices(q.Solver) {
		return nil
	}
	j, price := priced(q.Prices)
	return &polytope.FeatureError{
		Feature: j, What: fmt.Sprintf("costs %v a unit, and a Solver other than native.Solver "+
			"knows no prices", price), Err: errors.ErrUnsupported,
	}
}

// callersSolver is a Solver that is not our own.
type callersSolver struct{ polytope.Solver }

// Closest returns an error for a panic, and for an answer that is no solution in R^d or contradicts
// itself.
func (s callersSolver) Closest(ctx context.Context, p polytope.Problem) (polytope.Solution, error) {
	sol, err := guard.Call("Closest",
		s.Solver, func() (polytope.Solution, error) { return s.Solver.Closest(ctx, p) })
	switch {
	case err != nil:
	case sol.Status == polytope.StatusOptimal:
		err = geometry.CheckPoint(sol.Point, len(p.X))
	case sol.Point != nil, sol.Status <= 0, sol.Status > polytope.StatusStopped,
		sol.Status == polytope.StatusCutoff && !(p.Cutoff > 0 && sol.Bound >= p.Cutoff):
		err = fmt.Errorf("status %v with point %v and bound %v, for a cutoff of %v",
			sol.Status, sol.Point, sol.Bound, p.Cutoff)
	}
	if math.IsNaN(sol.Bound) {
		sol.Bound, err = 0, errors.Join(err, fmt.Errorf("bound is NaN: %w", polytope.ErrNotFinite))
	}
	if err != nil {
		err = &guard.SolverError{Err: fmt.Errorf("%T: %w", s.Solver, err)}
	}
	return sol, err
}
