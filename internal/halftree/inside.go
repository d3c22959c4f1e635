package halftree

import (
	"context"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/cellpoint"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// inside moves the closest point of p inside, to where the label reaches what is asked for.
// Of such points it prefers one that is also sure of its leaves, so that its label does not
// hang on the way in which sums are rounded; a cell too thin for that gets another. It
// returns what cellpoint.Margin does.
func inside(ctx context.Context, s polytope.Solver, p polytope.Problem, point []float64, reaches, sure func([]float64) bool) (z []float64, solves int, err error) {
	if _, ok := p.Region.Box.Inside(nil, point); !ok {
		return nil, 0, nil // tests of one feature leave no float64
	}
	start := slices.Clone(point)
	z, solves, err = cellpoint.Margin(ctx, s, p, start, 0, func(z []float64) bool { return reaches(z) && sure(z) })
	if !cellpoint.Thin(err) {
		return z, solves, err
	}
	copy(start, point)
	z, more, err := cellpoint.Margin(ctx, s, p, start, 0, reaches)
	return z, solves + more, err
}
