package attack

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/guard"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// locate returns the cell that c names around p, which has this label.
func locate(c classifier.Locator, p []float64, label int) (cell classifier.Cell, err error) {
	defer guard.Catch(&err, "CellAt", c)
	if cell, err = c.CellAt(p); err != nil {
		return cell, err
	}
	if err := cell.Region.Check(len(p)); err != nil {
		return cell, fmt.Errorf("%w: %w", ErrClassifier, err)
	}
	if cell.Label != label || !covers(cell.Region, p) {
		return cell,
			fmt.Errorf("%w: %T predicts label %d, and names a cell with label %d that holds it: %t",
				ErrClassifier, c, label, cell.Label, covers(cell.Region, p))
	}
	return cell, nil
}

// callersSolver is a Solver that is not our own.
type callersSolver struct{ polytope.Solver }

// Closest returns an error for a panic, and for what is no solution in R^d or contradicts itself.
func (s callersSolver) Closest(ctx context.Context, p polytope.Problem) (polytope.Solution, error) {
	sol, err := guard.Call("Closest",
		s.Solver, func() (polytope.Solution, error) { return s.Solver.Closest(ctx, p) })
	switch {
	case err != nil:
	case sol.Status == polytope.StatusOptimal:
		err = polytope.CheckPoint(sol.Point, len(p.X))
	case sol.Point != nil, sol.Status < 0, sol.Status > polytope.StatusStopped,
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
