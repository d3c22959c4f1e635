package boxclimb

import (
	"context"

	"github.com/seed-1a7dc1f9/facet/internal/slots"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// Inside looks for slots in a box that should answer, from a cell of the box on, which it moves
// there; false if it finds none within a radius. It returns their distance.
func (l *Search) Inside(
	ctx context.Context, leads []trees.Lead, box slots.Box, cell []int32, radius float64,
) (distance float64, ok bool) {
	l.aim(leads)
	l.inside = box
	copy(l.cell, cell)
	if !l.ascend(ctx, leads, radius) {
		return 0, false
	}
	distance = l.retreat(leads)
	copy(cell, l.cell)
	return distance, distance <= radius // unless X lies that far from the domain
}
