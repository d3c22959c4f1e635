package cover

import (
	"context"
	"iter"
	"math/bits"
)

// graph is an undirected graph with weights, as a matrix of bits: n vertices
// take n²/8 bytes.
type graph struct {
	weight []int64
	row    []set // of the matrix, which is symmetric
}

// newGraph returns the graph without edges whose vertices have these weights.
func newGraph(weights []int64) *graph {
	g := &graph{weight: weights, row: make([]set, len(weights))}
	words := len(newSet(len(weights)))
	flat := make(set, words*len(weights))
	for v := range g.row {
		g.row[v] = flat[v*words : (v+1)*words : (v+1)*words]
	}
	return g
}

// total returns the weight of a set.
func (g *graph) total(s set) int64 {
	var sum int64
	for v := range s.all() {
		sum += g.weight[v]
	}
	return sum
}

// sum returns the weight of some vertices.
func (g *graph) sum(vertices []int32) int64 {
	var sum int64
	for _, v := range vertices {
		sum += g.weight[v]
	}
	return sum
}

// set is a set of vertices, one bit each.
type set []uint64

func newSet(n int) set { return make(set, (n+63)/64) }

func (s set) has(v int) bool { return s[v>>6]>>(v&63)&1 == 1 }
func (s set) add(v int)      { s[v>>6] |= 1 << (v & 63) }
func (s set) remove(v int)   { s[v>>6] &^= 1 << (v & 63) }

func (s set) clone() set { return append(set(nil), s...) }

// intersect keeps the members of t.
func (s set) intersect(t set) {
	for i := range s {
		s[i] &= t[i]
	}
}

// subtract removes the members of t.
func (s set) subtract(t set) {
	for i := range s {
		s[i] &^= t[i]
	}
}

// first returns the least vertex, or −1 of an empty set.
func (s set) first() int {
	for i, w := range s {
		if w != 0 {
			return i<<6 + bits.TrailingZeros64(w)
		}
	}
	return -1
}

// size returns the number of vertices.
func (s set) size() int {
	n := 0
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

// all yields the vertices, ascending, as they were when their word was reached.
func (s set) all() iter.Seq[int] {
	return func(yield func(int) bool) {
		for i, w := range s {
			for ; w != 0; w &= w - 1 {
				if !yield(i<<6 + bits.TrailingZeros64(w)) {
					return
				}
			}
		}
	}
}

// pollEvery is the number of vertices or cliques, each some microseconds of work in the
// largest graphs, between two looks at the context.
const pollEvery = 1 << 6

// poll looks at a context once in a while.
type poll struct {
	ctx   context.Context
	steps int // since the last look
}

// ended accounts for a step and reports whether the context was seen to be done.
func (p *poll) ended() bool {
	if p.steps++; p.steps < pollEvery {
		return false
	}
	if p.ctx.Err() == nil {
		p.steps = 0
		return false
	}
	return true // and at every step that follows
}
