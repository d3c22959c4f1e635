package bestfirst

import (
	"github.com/seed-1a7dc1f9/facet/classifier/search"
)

// Queue is a binary heap of nodes, first the one that is opened first.
type Queue []search.Node

func before(a, b *search.Node) bool {
	return search.Before(a.Bound, a.Order, b.Bound, b.Order)
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
