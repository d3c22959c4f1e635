package prune

import (
	"context"
	"fmt"

	"github.com/seed-1a7dc1f9/facet/internal/matching"
	"github.com/seed-1a7dc1f9/facet/internal/mincut"
)

// dual is an amount that an edge of a bipartite graph carries. No vertex is in
// edges that carry more than it weighs, so that a cover weighs at least as much as
// all edges carry.
type dual struct {
	left, right int32
	amount      int64
}

// lightest is a lightest vertex cover of a bipartite graph, and the proof.
type lightest struct {
	left, right []bool // what is in the cover
	duals       []dual // they carry the weight of the cover
}

// lightestCover returns the lightest cover of g with the most left vertices: by matching,
// or by flow if there are weights.
func lightestCover(ctx context.Context, g matching.Graph, left, right []int64) (*lightest, error) {
	solve := func(ctx context.Context) (*lightest, error) { return coverByFlow(ctx, g, left, right) }
	if left == nil {
		solve = func(ctx context.Context) (*lightest, error) { return coverByMatching(ctx, g) }
	}
	l, err := solve(ctx)
	if err != nil {
		return nil, fmt.Errorf("prune: %w", err)
	}
	return l, nil
}

func coverByMatching(ctx context.Context, g matching.Graph) (*lightest, error) {
	m, err := matching.Maximum(ctx, g)
	if err != nil {
		return nil, err
	}
	c, err := matching.CoverOf(ctx, g, m)
	if err != nil {
		return nil, err
	}
	l := &lightest{left: c.Left, right: c.Right, duals: make([]dual, 0, m.Size)}
	for u, v := range m.Left {
		if v != matching.Free {
			l.duals = append(l.duals, dual{int32(u), v, 1})
		}
	}
	return l, nil
}

func coverByFlow(ctx context.Context, g matching.Graph, left, right []int64) (*lightest, error) {
	f, err := mincut.Maximum(ctx, g, left, right)
	if err != nil {
		return nil, err
	}
	c, err := mincut.CoverOf(ctx, g, f)
	if err != nil {
		return nil, err
	}
	l := &lightest{left: c.Left, right: c.Right}
	for v, arcs := range f.In {
		for _, a := range arcs {
			l.duals = append(l.duals, dual{a.Left, int32(v), a.Amount})
		}
	}
	return l, nil
}
