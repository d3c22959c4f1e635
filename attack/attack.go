package attack

import (
	"context"
	"fmt"
	"math"
)

// Attack looks for an adversarial example near x.
type Attack interface {
	// Perturb attacks the point x. It returns an error for an input it cannot
	// attack (a wrong dimension, NaN where none may be) and when ctx is cancelled; the Result then
	// holds the example and bound so far. A deadline that passes is no error.
	Perturb(ctx context.Context, x []float64) (Result, error)
}

// Result is the answer to one point.
type Result struct {
	// Example is the adversarial example, nil when none was found.
	Example []float64
	// Label is the prediction of the classifier for Example, −1 without one.
	Label int
	// Distance is that of Example from x, +Inf without one. An input whose distance
	// is beyond float64 is no example.
	Distance float64
	// Bound is a certified lower bound: no adversarial example is nearer, for the
	// function that Predict computes on real vectors. It is +Inf when none exists,
	// and 0 from attacks that prove no bound.
	//
	// Ties without volume, of which package classifier speaks, are no examples. But an end of
	// the Domain is an input like any other: an example may be a tie there, where the
	// inputs that are labelled so with it lie outside.
	Bound float64
	// Status says how much is proven of the Example and the Bound.
	Status Status
	// Nodes and Solves count the nodes that the search opened and the programs it
	// solved.
	Nodes, Solves int
}

// Status says how much of a result is proven.
type Status int

const (
	// StatusUnknown is that of an example, or none, without any proof about it: the answer of a
	// heuristic, or of a search that ended before its first bound.
	StatusUnknown Status = iota
	// StatusLimit is that of a search that a limit ended, or the radii of RobustAt: it proved a
	// bound, and not that its answer attains the bound.
	StatusLimit
	// StatusOptimal is that of a proven best answer: of an example whose Distance exceeds its Bound
	// by at most 1e-9·max(1, Distance), so that it is a nearest one within that tolerance.
	StatusOptimal
	// StatusNone says that it is proven, over the real numbers, that no input has a label that
	// answers.
	StatusNone
	// StatusCoarse is that of a search that came to its end, where float64 is too coarse for an
	// example at the Bound: where features are so large that neighbouring float64 lie farther apart
	// than the tolerance (2e-7 for timestamps in seconds), or where the nearest cell is thinner
	// than that. Nothing nearer than Example was left to find, and there may be none at all.
	StatusCoarse
)

// String returns the status in lower case.
func (s Status) String() string {
	switch s {
	case StatusUnknown:
		return "unknown"
	case StatusLimit:
		return "limit"
	case StatusOptimal:
		return "optimal"
	case StatusNone:
		return "none"
	case StatusCoarse:
		return "coarse"
	}
	return fmt.Sprintf("Status(%d)", int(s))
}

// finished reports whether no limit ended the search.
func (s Status) finished() bool {
	return s == StatusOptimal || s == StatusNone || s == StatusCoarse
}

// Optimal reports whether the answer is proven: the Example is a nearest one or, without one, there
// is none.
func (r Result) Optimal() bool { return r.Status == StatusOptimal || r.Status == StatusNone }

// settle sets the status, of an answer that is proven, or of a search that came to its end.
func (r *Result) settle(proven, finished bool) {
	switch {
	case proven && r.Example == nil:
		r.Status = StatusNone
	case proven:
		r.Status = StatusOptimal
	case finished:
		r.Status = StatusCoarse
	case r.Bound > 0:
		r.Status = StatusLimit
	default:
		r.Status = StatusUnknown
	}
}

// noClaim returns a result without a claim.
func noClaim() Result {
	return Result{Label: -1, Distance: math.Inf(1)}
}
