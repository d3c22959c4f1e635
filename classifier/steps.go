package classifier

import (
	"math"

	"github.com/seed-1a7dc1f9/facet/classifier/search"
)

// step is a choice that is better than the best of its group within the radius so
// far.
type step struct {
	reach, gain   float64
	group, choice int32
}

// steps are the steps of all groups; as a heap, the next one is on top.
type steps []step

// before reports whether a comes before b: the nearer first, then the better.
func (a *step) before(b *step) bool {
	switch {
	case a.reach != b.reach:
		return a.reach < b.reach
	case a.gain != b.gain:
		return a.gain > b.gain
	case a.group != b.group:
		return a.group < b.group
	}
	return a.choice < b.choice
}

// heap makes a heap of the steps.
func (h steps) heap() {
	for i := len(h)/2 - 1; i >= 0; i-- {
		h.sift(i)
	}
}

// pop removes the first step from a heap that is not empty.
func (h *steps) pop() step {
	all := *h
	first, last := all[0], len(all)-1
	all[0] = all[last]
	*h = all[:last]
	h.sift(0)
	return first
}

// sift restores the heap below i.
func (h steps) sift(i int) {
	for {
		c := 2*i + 1
		if c >= len(h) {
			return
		}
		if c+1 < len(h) && h[c+1].before(&h[c]) {
			c++
		}
		if !h[c].before(&h[i]) {
			return
		}
		h[i], h[c] = h[c], h[i]
		i = c
	}
}

// border is where the inputs that go left end, on the real line.
type border struct {
	end    float64
	closed bool // the end itself goes left
}

// tooThin returns the answer of a cell that holds real numbers but no float64 that
// is known.
func tooThin(n search.Node) *search.Answer {
	return &search.Answer{Bound: n.Bound, Order: n.Order, Distance: math.Inf(1)}
}
