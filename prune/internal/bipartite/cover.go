package bipartite

import (
	"context"
	"errors"
)

// ErrNotMaximum is returned by [CoverOf] for a flow that an augmenting path could
// enlarge.
var ErrNotMaximum = errors.New("bipartite: flow is not the largest")

// Cover is a set of vertices that holds an end of every edge.
type Cover struct {
	Left, Right []bool // whether the vertex is in the cover
}

// Dual is the flow along an edge of a largest flow: the proof that its cover is the lightest.
type Dual struct {
	Edge
	Amount int64
}

// Lightest returns the lightest cover, see [CoverOf], and the flow along the edges.
func Lightest(ctx context.Context, g Graph, w Weights) (*Cover, []Dual, error) {
	f, err := Maximum(ctx, g, w)
	if err != nil {
		return nil, nil, err
	}
	duals := make([]Dual, 0, len(f.arcs))
	for e, amount := range f.Edges() {
		duals = append(duals, Dual{e, amount})
	}
	c, err := CoverOf(ctx, g, f)
	return c, duals, err
}

// CoverOf returns the lightest vertex cover that goes with a largest flow f of g:
// (L∖Z) ∪ (R∩Z), Z being all that the supply left over reaches along edges and against the flow.
// Its weight is the value of the flow, and it is the same for every largest flow: of all lightest
// covers it has the most left vertices, but for those of weight 0.
//
// It takes O(V) calls of Find and Drop and O(V) memory. The error is the context's,
// wrapped, or ErrNotMaximum.
func CoverOf(ctx context.Context, g Graph, f *Flow) (*Cover, error) {
	p := poll{ctx: ctx}
	c := &Cover{Left: make([]bool, g.Left()), Right: make([]bool, g.Right())}
	var stack []int32 // the left vertices of Z whose neighbours are not all in Z
	for u, supply := range f.supply {
		c.Left[u] = supply == 0 // until Z reaches it
		if supply > 0 {
			stack = append(stack, int32(u))
		}
	}
	g.Begin(nil)
	for len(stack) > 0 {
		if err := p.step(); err != nil {
			return nil, err
		}
		last := len(stack) - 1
		v := g.Find(stack[last], 0)
		if v == None {
			stack = stack[:last]
			continue
		}
		g.Drop(v)
		if f.right[v].demand > 0 {
			return nil, ErrNotMaximum
		}
		c.Right[v] = true
		for at := f.right[v].first; at != None; at = f.arcs[at].next {
			if u := f.arcs[at].left; c.Left[u] {
				c.Left[u] = false
				stack = append(stack, u)
			}
		}
	}
	return c, nil
}
