package attack

import (
	"fmt"
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/bestfirst"
)

// Verdict is the answer to the question whether a point is robust at a radius: whether all
// inputs within it have the label of the point, or none the target label.
type Verdict int

const (
	Undecided Verdict = iota // neither is proven
	Robust                   // it is proven that no example lies within the radius
	NotRobust                // an example within the radius was found
)

// String returns "undecided", "yes" or "no".
func (v Verdict) String() string {
	switch v {
	case Undecided:
		return "undecided"
	case Robust:
		return "yes"
	case NotRobust:
		return "no"
	}
	return fmt.Sprintf("Verdict(%d)", int(v))
}

// Verdict says what r proves about a radius: whether the point is robust there. An example
// beyond the radius by no more than the tolerance of bounds, 1e-9·max(1, Distance), counts as
// within unless it is proven that there is none. A point robust at one radius
// is robust at all smaller ones. The zero Result, which answers nothing, is Undecided.
func (r Result) Verdict(radius float64) Verdict {
	switch {
	case r.Example == nil && r.Distance == 0:
		return Undecided
	case radius == 0, r.Bound > radius, math.IsInf(r.Bound, 1):
		return Robust
	case !math.IsInf(r.Distance, 1) &&
		r.Distance-radius <= bestfirst.Tolerance*math.Max(1, r.Distance):
		return NotRobust
	}
	return Undecided
}
