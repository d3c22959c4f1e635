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
	// holds what was known. A deadline that passes is no error.
	Perturb(ctx context.Context, x []float64) (Result, error)
}

// Result is the answer to one point.
type Result struct {
	// Example is the adversarial example, nil when none was found.
	Example []float64
	// Label is what the classifier predicts for Example, −1 without one.
	Label int
	// Distance is that of Example from x, +Inf without one. An input whose distance
	// is beyond float64 is no example.
	Distance float64
	// Bound is a certified lower bound: no adversarial example is nearer, for the
	// function that Predict computes on real vectors. It is +Inf when none exists,
	// and 0 from attacks that prove nothing.
	//
	// Ties without volume, of which package classifier speaks, are no examples. But an end of
	// the Domain is an input like any other: an example may be a tie there, where the
	// inputs that are labelled so with it lie outside.
	Bound float64
	// Optimal says that the answer is proven: Distance exceeds Bound by at most
	// 1e-9·max(1, Distance), so that Example is a nearest one within that tolerance;
	// or, without an Example, none exists over the real numbers.
	//
	// It is false after a limit, and where float64 is too coarse for an example at
	// the bound: where features are so large that neighbouring float64 lie farther
	// apart than the tolerance (2e-7 for timestamps in seconds), or where the nearest
	// cell is thinner than that. Then no nearer example was found, and there may be
	// none at all.
	Optimal bool
	// Complete says that the search came to its end: no limit ended it. Where Optimal is false,
	// float64 is too coarse.
	Complete bool
	// Nodes and Solves count the nodes that the search opened and the programs it
	// solved.
	Nodes, Solves int
}

// Status says what a Result proves.
type Status int

const (
	// StatusAttack is that of an example, or none, that nothing is proven about: the
	// answer of a heuristic, or of a search that ended before its first bound.
	StatusAttack Status = iota
	// StatusLimit is that of a search that a limit ended: it proved a Bound and not that the
	// example attains it.
	StatusLimit
	StatusOptimal // the Example is a nearest one
	StatusNone    // no input has a label that would do
	// StatusCoarse is that of a search that came to its end, where float64 is too coarse for an
	// example at the Bound (see Result.Optimal): nothing nearer than Example was left to find.
	StatusCoarse
)

// String returns the status in lower case.
func (s Status) String() string {
	switch s {
	case StatusAttack:
		return "attack"
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

// Status returns what r proves.
func (r Result) Status() Status {
	switch {
	case r.Optimal && r.Example == nil:
		return StatusNone
	case r.Optimal:
		return StatusOptimal
	case r.Complete:
		return StatusCoarse
	case r.Bound > 0:
		return StatusLimit
	}
	return StatusAttack
}

// nothing is the result that claims nothing.
func nothing() Result {
	return Result{Label: -1, Distance: math.Inf(1)}
}
