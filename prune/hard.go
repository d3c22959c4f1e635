package prune

import (
	"context"

	"github.com/seed-1a7dc1f9/facet/prune/internal/bipartite"
	"github.com/seed-1a7dc1f9/facet/prune/internal/cover"
)

// solveHard solves a component of three or more labels of which the relaxation decides no row: by
// expansions first, then, if it is not too large for a matrix of bits, by branch and bound. The
// answer holds the bound that the relaxation proves. A context that is done ends it with the best
// set so far.
func (p *problem) solveHard(ctx context.Context, effort *int, a *answer) {
	g, err := p.doubled().indexed(ctx)
	if err != nil {
		return
	}
	a.keep = p.rows(p.expand(ctx, g))
	if len(p.row) > matrixPairs/len(p.row) {
		a.optimal = p.total(a.keep) == a.bound
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
	found := cover.Heaviest(ctx, p.weightsOf(p.row), rows, p.total(a.keep), *effort)
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
			a.cliques = append(a.cliques, Clique{rows, float64(k.Amount)})
		}
	}
	kept := p.total(a.keep)
	if a.optimal {
		a.bound = kept
	}
	a.optimal = kept == a.bound
}

// expand finds a good separated set: starting from no rows it goes through the labels, and for each
// takes the heaviest set that can be made of that label's points and those of the other labels that
// it holds. That is a problem with two labels. It ends when no label gains, so that the set is
// maximal but for points without weight, or when the context is done.
func (p *problem) expand(ctx context.Context, doubled bipartite.Graph) []bool {
	weight, keep := p.weightsOf(p.row), make([]bool, len(p.row))
	for i, idle := 0, 0; idle < len(p.labels); i++ {
		better, err := expandLabel(ctx, doubled, weight, keep, p.labels[i%len(p.labels)])
		if err != nil {
			break
		}
		idle++
		if better != nil {
			keep, idle = better, 0
		}
	}
	return keep
}

// expandLabel returns the heaviest set of the points of one label and those that are kept
// of the others, or nil if that is no heavier.
func expandLabel(
	ctx context.Context, doubled bipartite.Graph, weight []int64, keep []bool, c *labelIndex,
) ([]bool, error) {
	// 0: out
	sides := bipartite.Weights{Left: make([]int64, len(keep)), Right: make([]int64, len(keep))}
	copy(sides.Left[c.first:], weight[c.first:c.first+c.size()])
	for i, in := range keep {
		if in && sides.Left[i] == 0 {
			sides.Right[i] = weight[i]
		}
	}
	f, err := bipartite.Maximum(ctx, doubled, sides)
	if err != nil {
		return nil, err
	}
	cover, err := bipartite.CoverOf(ctx, doubled, f)
	if err != nil {
		return nil, err
	}
	better, gain := make([]bool, len(keep)), int64(0)
	for i, w := range weight {
		better[i] = sides.Left[i] > 0 && !cover.Left[i] || sides.Right[i] > 0 && !cover.Right[i]
		if better[i] {
			gain += w
		}
		if keep[i] {
			gain -= w
		}
	}
	if gain <= 0 {
		return nil, nil
	}
	return better, nil
}
