package nnindex

import (
	"cmp"
	"slices"
)

// Neighbor is a point at a squared distance from a query.
type Neighbor struct {
	Squared float64
	ID      int32
}

// Compare orders neighbours by (distance, number): equal distances go to the
// smaller number.
func (n Neighbor) Compare(o Neighbor) int {
	if n.Squared != o.Squared {
		if n.Squared < o.Squared {
			return -1
		}
		return 1
	}
	return cmp.Compare(n.ID, o.ID)
}

// before reports whether n comes before o, in code short enough to be inlined.
func (n Neighbor) before(o Neighbor) bool {
	return n.Squared < o.Squared || n.Squared == o.Squared && n.ID < o.ID
}

// Nearest collects the k first neighbours in the order of Compare, as a heap with
// the last of them on top. Several trees may be searched into one Nearest.
type Nearest struct {
	k     int
	limit float64
	heap  []Neighbor
}

// Reset empties n for the k nearest within a squared distance, keeping its memory.
func (n *Nearest) Reset(k int, limit float64) {
	n.k, n.limit = k, limit
	n.heap = slices.Grow(n.heap[:0], min(k, atOnce))
}

// All returns the points collected, in no particular order. The slice is
// overwritten by the next query.
func (n *Nearest) All() []Neighbor { return n.heap }

// Last returns the farthest of the neighbours collected.
func (n *Nearest) Last() Neighbor { return n.heap[0] }

// cutoff returns the squared distance up to which a point might still enter.
func (n *Nearest) cutoff() float64 {
	if len(n.heap) < n.k {
		return n.limit
	}
	return n.heap[0].Squared
}

// Sorted returns the points collected, nearest first. No more may be collected after it until
// Reset.
func (n *Nearest) Sorted() []Neighbor {
	for end := len(n.heap) - 1; end > 0; end-- {
		last := n.heap[end]
		n.heap[end] = n.heap[0]
		down(n.heap[:end], last)
	}
	return n.heap
}

func (n *Nearest) offer(p Neighbor) {
	if len(n.heap) < n.k {
		n.heap = append(n.heap, p)
		up(n.heap, p)
		return
	}
	if p.before(n.heap[0]) {
		down(n.heap, p)
	}
}

// up puts a point into a heap whose last place is free.
func up(heap []Neighbor, p Neighbor) {
	i := len(heap) - 1
	for i > 0 {
		parent := (i - 1) / 2
		if !heap[parent].before(p) {
			break
		}
		heap[i] = heap[parent]
		i = parent
	}
	heap[i] = p
}

// down puts a point into a heap whose top is free.
func down(heap []Neighbor, p Neighbor) {
	i := 0
	for c := 1; c < len(heap); c = 2*i + 1 {
		if c+1 < len(heap) && heap[c].before(heap[c+1]) {
			c++
		}
		if !p.before(heap[c]) {
			break
		}
		heap[i] = heap[c]
		i = c
	}
	heap[i] = p
}

// Nearest offers the points of t to into.
func (t *Tree) Nearest(q []float64, into *Nearest) {
	t.nearest(0, t.ToBox(0, q), q, into)
}

func (t *Tree) nearest(node int, squared float64, q []float64, into *Nearest) {
	for squared <= into.cutoff() {
		n := &t.Nodes[node]
		if n.Left == 0 {
			t.offer(n, q, into)
			return
		}
		near, far := int(n.Left), int(n.Left)+1
		dn, df := t.ToBox(near, q), t.ToBox(far, q)
		if df < dn {
			near, far, dn, df = far, near, df, dn
		}
		t.nearest(near, dn, q, into)
		node, squared = far, df
	}
}

// atOnce is how many distances are computed in one go.
const atOnce = 32

// offer offers the points of a leaf.
func (t *Tree) offer(n *Node, q []float64, into *Nearest) {
	var squared [atOnce]float64
	for first := n.First; first < n.End; first += atOnce {
		some := squared[:min(atOnce, n.End-first)]
		SquaredRows(q, t.points[int(first)*t.Dim:], some)
		cutoff := into.cutoff()
		for i, s := range some {
			if s <= cutoff {
				into.offer(Neighbor{s, t.IDs[int(first)+i]})
				cutoff = into.cutoff()
			}
		}
	}
}

// Points returns the points of a node, one after the other; they must not be changed.
func (t *Tree) Points(n Node) []float64 { return t.points[int(n.First)*t.Dim : int(n.End)*t.Dim] }

// Within visits every point at squared distance at most limit from q: its
// position in the tree and its squared distance. It stops when visit returns
// false, and returns whether it went through.
func (t *Tree) Within(
	q []float64, limit float64, visit func(position int, squared float64) bool,
) bool {
	return t.within(0, q, limit, visit)
}

func (t *Tree) within(node int, q []float64, limit float64, visit func(int, float64) bool) bool {
	if t.ToBox(node, q) > limit {
		return true
	}
	n := t.Nodes[node]
	if n.Left != 0 {
		return t.within(int(n.Left), q, limit, visit) && t.within(int(n.Left)+1, q, limit, visit)
	}
	return t.visit(n, q, limit, visit)
}

// visit is Within for the points of a leaf.
func (t *Tree) visit(n Node, q []float64, limit float64, visit func(int, float64) bool) bool {
	var squared [atOnce]float64
	for first := n.First; first < n.End; first += atOnce {
		some := squared[:min(atOnce, n.End-first)]
		SquaredRows(q, t.points[int(first)*t.Dim:], some)
		for i, s := range some {
			if s <= limit && !visit(int(first)+i, s) {
				return false
			}
		}
	}
	return true
}

// Leaves visits the leaves, but for those below nodes to skip.
func (t *Tree) Leaves(skip func(node int) bool, visit func(n Node)) { t.leaves(0, skip, visit) }

func (t *Tree) leaves(node int, skip func(node int) bool, visit func(n Node)) {
	n := t.Nodes[node]
	switch {
	case skip(node):
	case n.Left != 0:
		t.leaves(int(n.Left), skip, visit)
		t.leaves(int(n.Left)+1, skip, visit)
	default:
		visit(n)
	}
}
