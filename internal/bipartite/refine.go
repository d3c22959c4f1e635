package bipartite

import (
	"cmp"
	"context"
	"math/big"
	"slices"
)

// Dual is what flows along an edge of a largest flow: the proof that its cover is the
// lightest.
type Dual struct {
	Edge
	Amount int64    // in the coarsest units
	Rest   *big.Int // in the finest units, less than one of the coarsest; nil: none
}

// Lightest returns the cover that is the lightest for what all levels weigh together, see
// [CoverOf], and what flows along the edges then. The first level has the largest units; no
// levels stand for weights of 1.
func Lightest(ctx context.Context, g Graph, levels []Weights) (*Cover, []Dual, error) {
	if levels == nil {
		levels = []Weights{{}}
	}
	f, err := Maximum(ctx, g, levels[0])
	if err != nil {
		return nil, nil, err
	}
	duals := make([]Dual, 0, len(f.arcs))
	for e, amount := range f.Edges() {
		duals = append(duals, Dual{Edge: e, Amount: amount})
	}
	if len(levels) > 1 {
		if duals, err = f.refineAll(ctx, g, duals, levels[1:]); err != nil {
			return nil, nil, err
		}
	}
	c, err := CoverOf(ctx, g, f)
	return c, duals, err
}

// refineAll makes f, which flows as the duals say, a largest flow for finer levels too, and
// returns what flows then, in the order of the edges.
func (f *Flow) refineAll(ctx context.Context, g Graph, coarse []Dual, levels []Weights) ([]Dual, error) {
	total := make(map[Edge]*big.Int, len(coarse)) // in units of the level
	for _, d := range coarse {
		total[d.Edge] = big.NewInt(d.Amount)
	}
	shift := uint(0)
	for _, w := range levels {
		changed, err := f.refine(ctx, g, w)
		if err != nil {
			return nil, err
		}
		for _, t := range total {
			t.Lsh(t, uint(w.Shift))
		}
		for e, amount := range changed {
			if total[e] == nil {
				total[e] = new(big.Int)
			}
			total[e].Add(total[e], big.NewInt(amount))
		}
		shift += uint(w.Shift)
	}
	var duals []Dual
	for e, t := range total {
		if t.Sign() > 0 {
			whole := new(big.Int).Rsh(t, shift)
			d := Dual{Edge: e, Amount: whole.Int64()}
			d.Rest = t.Sub(t, whole.Lsh(whole, shift))
			duals = append(duals, d)
		}
	}
	slices.SortFunc(duals, func(a, b Dual) int {
		return cmp.Or(cmp.Compare(a.Right, b.Right), cmp.Compare(a.Left, b.Left))
	})
	return duals, nil
}

// plenty stands for every amount that is as large or larger, in a flow that is refined.
const plenty = 1 << 61

// refine makes f, a largest flow for weights in larger units, a largest one for these weights
// added, and returns by how much it changed along each edge, in the units of w. A vertex
// has less than one larger unit of w, and both sides together at most plenty/4. From
// then on amounts in f are in these units up to plenty.
//
// This is the scaling of capacities of Gabow (1985). The weights added, now and later, allow
// less than plenty/2 to flow in all. An amount of plenty or more is therefore never used up,
// and need not be known.
func (f *Flow) refine(ctx context.Context, g Graph, w Weights) (changed map[Edge]int64, err error) {
	for u := range f.supply {
		f.supply[u] = smaller(f.supply[u], w.Shift) + w.Left[u]
	}
	for v := range f.right {
		f.right[v].demand = smaller(f.right[v].demand, w.Shift) + w.Right[v]
	}
	for i := range f.arcs {
		f.arcs[i].amount = smaller(f.arcs[i].amount, w.Shift)
	}
	s := newSearch(ctx, g, f)
	s.changed = make(map[Edge]int64)
	err = s.run()
	return s.changed, err
}

// smaller returns an amount in units 2^shift smaller.
func smaller(amount int64, shift int) int64 {
	if amount > plenty>>shift {
		return plenty
	}
	return amount << shift
}
