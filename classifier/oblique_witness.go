package classifier

import (
	"context"
	"errors"

	"github.com/seed-1a7dc1f9/facet/internal/cellpoint"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// obliqueWitness moves the closest point of p inside, to where reaches accepts it.
// Of such points it prefers one that is also sure, so that its label does not hang
// on the way in which sums are rounded; a cell too thin for that gets another. It
// returns what cellpoint.Margin does.
func obliqueWitness(ctx context.Context, s polytope.Solver, p polytope.Problem, point []float64, reaches, sure func([]float64) bool) (z []float64, solves int, err error) {
	if _, ok := p.Region.Box.Inside(nil, point); !ok {
		return nil, 0, nil // tests of one feature leave no float64
	}
	start := append([]float64(nil), point...)
	z, solves, err = cellpoint.Margin(ctx, s, p, start, func(z []float64) bool { return reaches(z) && sure(z) })
	if !errors.Is(err, cellpoint.ErrNone) && !errors.Is(err, cellpoint.ErrThin) {
		return z, solves, err
	}
	start = append(start[:0], point...)
	z, more, err := cellpoint.Margin(ctx, s, p, start, reaches)
	return z, solves + more, err
}
