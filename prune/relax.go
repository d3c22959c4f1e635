package prune

import (
	"cmp"
	"context"
	"fmt"
	"math/big"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/matching"
	"github.com/seed-1a7dc1f9/facet/internal/mincut"
)

// dual is an amount that an edge of a bipartite graph carries. No vertex is in
// edges that carry more than it weighs, so that a cover weighs at least as much as
// all edges carry.
type dual struct {
	left, right int32
	amount      int64    // whole units
	rest        *big.Int // in the finest units, less than one; nil: none
}

// lightest is a lightest vertex cover of a bipartite graph, and the proof.
type lightest struct {
	left, right []bool // what is in the cover
	duals       []dual // they carry the weight of the cover
}

// lightestCover returns the lightest cover of g with the most left vertices: by matching,
// or by flow if there are weights.
func lightestCover(ctx context.Context, g matching.Graph, levels []mincut.Weights) (*lightest, error) {
	solve := func(ctx context.Context) (*lightest, error) { return coverByFlow(ctx, g, levels) }
	if levels == nil {
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
			l.duals = append(l.duals, dual{left: int32(u), right: v, amount: 1})
		}
	}
	return l, nil
}

// coverByFlow returns the cover that is the lightest for what all levels weigh together.
func coverByFlow(ctx context.Context, g matching.Graph, levels []mincut.Weights) (*lightest, error) {
	f, err := mincut.Maximum(ctx, g, levels[0].Left, levels[0].Right)
	if err != nil {
		return nil, err
	}
	carried := dualsOf(f)
	if len(levels) > 1 {
		if carried, err = refine(ctx, g, f, carried, levels[1:]); err != nil {
			return nil, err
		}
	}
	c, err := mincut.CoverOf(ctx, g, f)
	if err != nil {
		return nil, err
	}
	return &lightest{left: c.Left, right: c.Right, duals: carried}, nil
}

func dualsOf(f *mincut.Flow) []dual {
	var duals []dual
	for v, arcs := range f.In {
		for _, a := range arcs {
			duals = append(duals, dual{left: a.Left, right: int32(v), amount: a.Amount})
		}
	}
	return duals
}

// refine makes f a largest flow for finer levels too, and returns what flows then, in the
// order of the edges.
func refine(ctx context.Context, g matching.Graph, f *mincut.Flow, coarse []dual, levels []mincut.Weights) ([]dual, error) {
	changes := make(map[mincut.Edge]*big.Int) // in units of the level
	shift := 0
	for _, w := range levels {
		changed, err := f.Refine(ctx, g, w)
		if err != nil {
			return nil, err
		}
		for _, c := range changes {
			c.Lsh(c, uint(w.Shift))
		}
		for e, amount := range changed {
			if changes[e] == nil {
				changes[e] = new(big.Int)
			}
			changes[e].Add(changes[e], big.NewInt(amount))
		}
		shift += w.Shift
	}
	for _, d := range coarse {
		e := mincut.Edge{Left: d.left, Right: d.right}
		whole := big.NewInt(d.amount)
		if changes[e] == nil {
			changes[e] = new(big.Int)
		}
		changes[e].Add(changes[e], whole.Lsh(whole, uint(shift)))
	}
	var duals []dual
	for e, c := range changes {
		if c.Sign() > 0 {
			whole := new(big.Int).Rsh(c, uint(shift))
			d := dual{left: e.Left, right: e.Right, amount: whole.Int64()}
			d.rest = c.Sub(c, whole.Lsh(whole, uint(shift)))
			duals = append(duals, d)
		}
	}
	slices.SortFunc(duals, func(a, b dual) int {
		return cmp.Or(cmp.Compare(a.right, b.right), cmp.Compare(a.left, b.left))
	})
	return duals, nil
}
