package prune

import "context"

// solveTwo solves a problem with two labels.
func (p *problem) solveTwo(ctx context.Context) (*answer, error) {
	g, err := newConflicts(p.clouds[:1], p.clouds[1:], p.reach).indexed(ctx)
	if err != nil {
		return nil, err
	}
	n, all := g.Left(), len(p.row)
	l, err := lightestCover(ctx, g, p.units.levels(p.row[:n], p.row[n:]))
	if err != nil {
		return nil, err
	}
	keep := make([]bool, all)
	for i, covered := range append(l.left, l.right...) {
		keep[i] = !covered
	}
	a := &answer{
		keep:    p.rows(keep),
		optimal: true,
		cliques: pairs(l.duals, p.row[:n], p.row[n:], 2),
	}
	a.bound = proven(p.units.total(p.row), a.cliques)
	return a, nil
}
