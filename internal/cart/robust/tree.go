package robust

import (
	"context"

	"github.com/seed-1a7dc1f9/facet/internal/numpyrand"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// Tree grows a tree by Gini's index, on rows that count as often as times says. Its nodes hold the
// class frequencies of the rows that may reach them, or if the whole is judged one label.
func Tree(
	ctx context.Context, d *Data, times []int32, random *numpyrand.Rand, o Options,
) (trees.Nodes, error) {
	g := newGrower(d, o, gini{})
	g.random = random
	var drawn []uint32
	for i, n := range times {
		if g.weight[i] = float64(n); n > 0 {
			drawn = append(drawn, uint32(i))
		}
	}
	if err := g.grow(ctx, drawn); err != nil {
		return nil, err
	}
	if o.Whole {
		return g.improve(ctx, drawn)
	}
	nodes := make(trees.Nodes, len(g.nodes))
	for id, n := range g.nodes {
		all := 0.0
		for _, w := range n.total {
			all += w
		}
		for class := range n.total {
			n.total[class] /= all
		}
		nodes[id] = n.plain(n.total)
	}
	return nodes, nil
}
