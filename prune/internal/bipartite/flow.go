package bipartite

import (
	"iter"
	"slices"
)

// Weights are the supplies and demands of the vertices of a graph, at least 0 and in all an
// int64: a right vertex takes the supplies of left ones.
type Weights struct {
	Left, Right []int64 // nil: 1 each
}

// Flow is the flow from left vertices to right ones, and the supply left over. It
// stores the edges that it uses, and no others.
type Flow struct {
	Phases int // rounds of augmentation it took to find, after a greedy start

	supply []int64 // of left vertices, not used
	right  []taker // right vertices
	arcs   []arc
	unused int32 // the first arc that is not used
}

// taker is a right vertex: a search finds its fields side by side in memory.
type taker struct {
	demand int64 // not met
	first  int32 // the first of the arcs into it
	next   int32 // the arc against which a search walks on
}

// arc is a link in the list of the flows into a right vertex: each left vertex once.
type arc struct {
	amount     int64
	left, next int32
}

// Edge joins a left vertex to a right one.
type Edge struct{ Left, Right int32 }

// newFlow returns the flow of value 0.
func newFlow(g Graph, w Weights) *Flow {
	f := &Flow{supply: slices.Clone(w.Left), right: make([]taker, g.Right()), unused: None}
	if w.Left == nil {
		f.supply = slices.Repeat([]int64{1}, g.Left())
	}
	for v := range f.right {
		f.right[v] = taker{demand: 1, first: None}
		if w.Right != nil {
			f.right[v].demand = w.Right[v]
		}
	}
	return f
}

// Edges yields the edges that are used, in the order of the right vertices, and the flow along
// each.
func (f *Flow) Edges() iter.Seq2[Edge, int64] {
	return func(yield func(Edge, int64) bool) {
		for v := range f.right {
			for a := f.right[v].first; a != None; a = f.arcs[a].next {
				if !yield(Edge{f.arcs[a].left, int32(v)}, f.arcs[a].amount) {
					return
				}
			}
		}
	}
}

// add lets amount more units flow from u to v. An arc that is empty and the only one is used
// again, so that flows of weight 1 never need more arcs than they have edges.
func (f *Flow) add(u, v int32, amount int64) {
	link := &f.right[v].first
	for *link != None {
		a := &f.arcs[*link]
		if a.left == u || a.amount == 0 && a.next == None && *link == f.right[v].first {
			a.left = u
			a.amount += amount
			return
		}
		link = &a.next
	}
	if f.unused != None {
		*link = f.unused
		f.unused = f.arcs[f.unused].next
		f.arcs[*link] = arc{amount, u, None}
		return
	}
	*link = int32(len(f.arcs))
	f.arcs = append(f.arcs, arc{amount, u, None})
}

// tidy removes arcs without flow.
func (f *Flow) tidy() {
	for v := range f.right {
		for link := &f.right[v].first; *link != None; {
			at := *link
			a := &f.arcs[at]
			if a.amount > 0 {
				link = &a.next
				continue
			}
			*link, a.next, f.unused = a.next, f.unused, at
		}
	}
}
