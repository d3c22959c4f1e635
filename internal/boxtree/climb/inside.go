package climb

import (
	"context"

	"github.com/seed-1a7dc1f9/facet/internal/boxtree/grid"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// Inside looks for intervals in a box that should answer, from a cell of the box on, which it moves
// there; false if it finds none within a radius. It returns their distance. With stays the way back
// toward X does not leave the box, either.
func (l *Search) Inside(
	ctx context.Context, margins []trees.Margin, box grid.Box, cell []int32, radius float64,
	stays bool,
) (distance float64, ok bool) {
	l.aim(margins)
	l.inside, l.stays = box, stays
	copy(l.cell, cell)
	if !l.ascend(ctx, margins, radius, 0) {
		return 0, false
	}
	distance = l.retreat(margins)
	copy(cell, l.cell)
	return distance, distance <= radius // unless X lies that far from the domain
}

// Highest moves a cell of a box until the smallest margin is more than enough, or no move of one
// feature within the box and a radius raises it.
func (l *Search) Highest(
	ctx context.Context, margins []trees.Margin, box grid.Box, cell []int32, radius, enough float64,
) {
	l.aim(margins)
	l.inside = box
	copy(l.cell, cell)
	l.ascend(ctx, margins, radius, enough)
	copy(cell, l.cell)
}
