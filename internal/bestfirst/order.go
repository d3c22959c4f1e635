package bestfirst

import (
	"cmp"
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/search"
)

// Before reports whether a comes before b in the order of (bound, order) that
// makes answers independent of the worker that finds them first.
func Before(boundA float64, orderA int64, boundB float64, orderB int64) bool {
	return boundA < boundB || (boundA == boundB && orderA < orderB)
}

// attained reports whether the example of an answer lies at its bound, or so
// little beyond that the rounding of an example explains it.
func attained(a *search.Answer) bool {
	return a.Example != nil && Attains(a.Distance, a.Bound)
}

// Attains reports whether an example at a distance is within Tolerance of a bound. A distance
// beyond float64 is near none.
func Attains(distance, bound float64) bool {
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

func (p position) compare(o position) int {
	return cmp.Or(cmp.Compare(p.bound, o.bound), cmp.Compare(p.order, o.order))
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
