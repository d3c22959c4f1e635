package attack

import (
	"fmt"
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/bestfirst"
)

// Verdict is the answer to a question of yes or no: whether a point is robust at a radius, so that
// all inputs within it have the label of the point, or none the target label; or whether a property
// holds for all inputs.
type Verdict int

const (
	Undecided Verdict = iota // neither is proven
	Holds                    // it is proven that there is no counterexample
	Refuted                  // a counterexample was found
)

// String returns "undecided", "yes" or "no".
func (v Verdict) String() string {
	switch v {
	case Undecided:
		return "undecided"
	case Holds:
		return "yes"
	case Refuted:
		return "no"
	}
	return fmt.Sprintf("Verdict(%d)", int(v))
}

// Verdict is r's answer about a radius: whether the point is proven robust there. An example beyond
// the radius by no more than the tolerance of bounds, 1e-9·max(1, Distance), counts as within
// unless it is proven that there is none. A point robust at one radius is robust at all smaller
// ones. The zero Result is Undecided, as no search has answered.
func (r Result) Verdict(radius float64) Verdict {
	switch {
	case r.Example == nil && r.Distance == 0:
		return Undecided
	case radius == 0, r.Bound > radius, math.IsInf(r.Bound, 1):
		return Holds
	case bestfirst.Attains(r.Distance, radius):
		return Refuted
	}
	return Undecided
}
