package climb

import (
	"context"
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/boxtree/grid"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// Inside looks for intervals in a box that should answer, from a cell of the box on, which it moves
// there; false if it finds none within a radius. It returns their distance.
func (l *Search) Inside(
	ctx context.Context, leads []trees.Lead, box grid.Box, cell []int32, radius float64,
) (distance float64, ok bool) {
	l.aim(leads)
	l.inside = box
	copy(l.cell, cell)
	if !l.ascend(ctx, leads, radius, 0) {
		return 0, false
	}
	distance = l.retreat(leads)
	copy(cell, l.cell)
	return distance, distance <= radius // unless X lies that far from the domain
}

// Highest moves a cell of a box to where no move of one feature within the box and a radius raises
// the smallest lead.
func (l *Search) Highest(
	ctx context.Context, leads []trees.Lead, box grid.Box, cell []int32, radius float64,
) {
	l.aim(leads)
	l.inside = box
	copy(l.cell, cell)
	l.ascend(ctx, leads, radius, math.Inf(1))
	copy(cell, l.cell)
}
