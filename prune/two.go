package prune

import (
	"context"

	"github.com/seed-1a7dc1f9/facet/internal/bipartite"
)

// solveTwo solves a problem with two labels.
func (p *problem) solveTwo(ctx context.Context) (*answer, error) {
	g, err := newConflicts(p.clouds[:1], p.clouds[1:], p.reach).indexed(ctx)
	if err != nil {
		return nil, err
	}
	left, right := p.row[:g.Left()], p.row[g.Left():]
	cover, duals, err := bipartite.Lightest(ctx, g, p.units.levels(left, right))
	if err != nil {
		return nil, err
	}
	keep := make([]bool, len(p.row))
	for i, covered := range append(cover.Left, cover.Right...) {
		keep[i] = !covered
	}
	a := p.units.proven(p.units.total(p.row), duals, left, right, 2)
	a.keep, a.optimal = p.rows(keep), true
	return a, nil
}
