package bipartite

import "iter"

// Weights are what the vertices of a graph supply and demand, at least 0 and in all an
// int64: a right vertex takes what left ones supply. Units are 2^Shift times smaller
// than those of the weights before, see [Flow.Refine].
type Weights struct {
	Left, Right []int64 // nil: 1 each
	Shift       int
}

// Flow is what flows from left vertices to right ones, and what is left over. It
// stores the edges that it uses, and no others.
type Flow struct {
	Supply []int64 // of left vertices, not used
	Demand []int64 // of right vertices, not met
	Phases int     // rounds of augmentation it took to find, after a greedy start

	first []int32 // of right vertices, the first of the arcs into them
	arcs  []arc
	spare int32 // the first arc that is not used
}

// arc is a link in the list of what flows into a right vertex: each left vertex once.
type arc struct {
	amount     int64
	left, next int32
}

// Edge joins a left vertex to a right one.
type Edge struct{ Left, Right int32 }

// newFlow returns the flow of nothing.
func newFlow(g Graph, w Weights) *Flow {
	f := &Flow{
		Supply: make([]int64, g.Left()),
		Demand: make([]int64, g.Right()),
		first:  make([]int32, g.Right()),
		spare:  None,
	}
	fill(f.Supply, w.Left)
	fill(f.Demand, w.Right)
	for v := range f.first {
		f.first[v] = None
	}
	return f
}

func fill(amounts, weights []int64) {
	copy(amounts, weights)
	for i := range amounts[len(weights):] {
		amounts[len(weights)+i] = 1
	}
}

// Edges yields the edges that are used, in the order of the right vertices, and what
// flows along them.
func (f *Flow) Edges() iter.Seq2[Edge, int64] {
	return func(yield func(Edge, int64) bool) {
		for v, a := range f.first {
			for ; a != None; a = f.arcs[a].next {
				if !yield(Edge{f.arcs[a].left, int32(v)}, f.arcs[a].amount) {
					return
				}
			}
		}
	}
}

// add lets amount more units flow from u to v.
func (f *Flow) add(u, v int32, amount int64) {
	link := &f.first[v]
	for *link != None {
		a := &f.arcs[*link]
		if a.left == u {
			a.amount += amount
			return
		}
		link = &a.next
	}
	if f.spare != None {
		*link = f.spare
		f.spare = f.arcs[f.spare].next
		f.arcs[*link] = arc{amount, u, None}
		return
	}
	*link = int32(len(f.arcs))
	f.arcs = append(f.arcs, arc{amount, u, None})
}

// tidy removes arcs on which nothing flows any more.
func (f *Flow) tidy() {
	for v := range f.first {
		for link := &f.first[v]; *link != None; {
			at := *link
			a := &f.arcs[at]
			if a.amount > 0 {
				link = &a.next
				continue
			}
			*link, a.next, f.spare = a.next, f.spare, at
		}
	}
}
