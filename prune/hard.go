package prune

import (
	"context"

	"github.com/seed-1a7dc1f9/facet/internal/cover"
)

// solveHard solves a component of three or more labels of which the relaxation
// decides nothing: by expansions first, then, if it is not too large for a matrix
// of bits, by branch and bound. The answer holds what the relaxation proves. A context
// that is done ends it with what is known.
func (p *problem) solveHard(ctx context.Context, effort *int, a *answer) {
	g, err := p.doubled().indexed(ctx)
	if err != nil {
		return
	}
	a.keep = p.rows(p.expand(ctx, g))
	if len(p.row) > matrixPairs/len(p.row) {
		a.optimal = p.units.total(a.keep) == a.bound && p.units.exact(p.row)
		return
	}
	p.search(ctx, effort, a)
}

// search looks for the best set with branch and bound, which also packs cliques.
func (p *problem) search(ctx context.Context, effort *int, a *answer) {
	rows, err := p.doubled().matrix(ctx)
	if err != nil {
		return
	}
	found := cover.Heaviest(ctx, p.units.of(p.row), rows, p.units.total(a.keep), *effort)
	*effort = max(0, *effort-found.Effort)
	a.optimal = found.Optimal
	if found.Keep != nil {
		a.keep = at(p.row, found.Keep)
	}
	if found.Bound < a.bound {
		a.bound = found.Bound
		a.cliques = nil
		for _, k := range found.Cliques {
			rows := make([]int, len(k.Vertices))
			for i, v := range k.Vertices {
				rows[i] = int(p.row[v])
			}
			a.cliques = p.units.appendCliques(a.cliques, rows, k.Amount, nil, 2)
		}
	}
	kept := p.units.total(a.keep)
	if a.optimal {
		a.bound = kept
	}
	a.optimal = kept == a.bound
	if a.optimal && !p.units.exact(p.row) {
		p.settleRounding(ctx, rows, effort, a)
	}
}
