package bestfirst

import (
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/search"
)

// Queue is a binary heap of nodes, first the one that is opened first.
type Queue []search.Node

// Before reports whether a comes before b in the order of (bound, order) that
// makes answers independent of who finds them first.
func Before(boundA float64, orderA int64, boundB float64, orderB int64) bool {
	return boundA < boundB || (boundA == boundB && orderA < orderB)
}

func before(a, b *search.Node) bool {
	return Before(a.Bound, a.Order, b.Bound, b.Order)
}

// Push adds a node.
func (q *Queue) Push(n search.Node) {
	*q = append(*q, n)
	h := *q
	i := len(h) - 1
	for i > 0 {
		parent := (i - 1) / 2
		if !before(&n, &h[parent]) {
			break
		}
		h[i] = h[parent]
		i = parent
	}
	h[i] = n
}

// Pop removes and returns the first node of a queue that is not empty.
func (q *Queue) Pop() search.Node {
	h := *q
	first, last := h[0], h[len(h)-1]
	h[len(h)-1] = search.Node{}
	h = h[:len(h)-1]
	*q = h
	i := 0
	for {
		c := 2*i + 1
		if c >= len(h) {
			break
		}
		if c+1 < len(h) && before(&h[c+1], &h[c]) {
			c++
		}
		if !before(&h[c], &last) {
			break
		}
		h[i] = h[c]
		i = c
	}
	if len(h) > 0 {
		h[i] = last
	}
	return first
}

// attained reports whether the example of an answer lies at its bound, or so
// little beyond that the rounding of an example explains it.
func attained(a *search.Answer) bool {
	return a.Example != nil && nearBound(a.Distance, a.Bound)
}

// nearBound reports whether an example at a distance is within Tolerance of a bound. A distance
// beyond float64 is near none.
func nearBound(distance, bound float64) bool {
	return distance-bound <= Tolerance*max(1, distance) && !math.IsInf(distance, 1)
}

// positionOf returns the position of an answer. One that does not attain its bound stands
// where its example lies, unless it is final: a cell that is bounded beyond the
// cell of the answer may have a nearer example.
func positionOf(a *search.Answer) position {
	if a.Settled || attained(a) {
		return position{a.Bound, a.Order}
	}
	return position{a.Distance, a.Order}
}

// position is the position of a node in the order in which nodes are opened.
type position struct {
	bound float64
	order int64
}

func (p position) before(o position) bool {
	return Before(p.bound, p.order, o.bound, o.order)
}

// nowhere is the position of no node: it comes after all.
var nowhere = position{bound: math.Inf(1), order: math.MaxInt64}

// failure is a node that could not be opened. It only matters when no answer
// comes before it, so whether the search fails does not depend on how many nodes
// were opened ahead of time.
type failure struct {
	position
	err error
}
