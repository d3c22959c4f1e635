package polytope

import (
	"context"
	"errors"
	"fmt"
)

// Solver finds closest points of polyhedra. Implementations are safe for
// concurrent use.
type Solver interface {
	// Closest answers p. It returns an error for a problem that is malformed
	// (ErrDimension, ErrNotFinite, ErrNorm), not supported (errors.ErrUnsupported), or
	// that rounding errors keep unanswered (ErrNumerical; the Bound of the
	// Solution then still holds). A context that ends is not an error: the
	// Solution has Status StatusStopped and the Bound proven so far.
	Closest(ctx context.Context, p Problem) (Solution, error)
}

// Problem asks for the point of Region closest to X.
type Problem struct {
	Norm Norm
	// Prices are those of displacements from X. nil means 1. Norm L2 takes prices that are the
	// same both ways, or +Inf one way.
	Prices *Prices
	X      []float64 // d finite coordinates
	Region Polyhedron
	// Cutoff ends the work once the distance is known to be at least this much. 0
	// means no cutoff.
	Cutoff float64
	// Margin moves every half-space of Region, those of Rest included, inwards by
	// this distance, measured in Norm, of Prices with the lower one of each coordinate. The box
	// stays as it is, open sides included.
	Margin float64
}

// Status says how a Solver ended. The zero value says nothing: a Solution with it is refused.
type Status int

const (
	StatusOptimal    Status = iota + 1 // Point is a closest point of the closure of Region
	StatusInfeasible                   // Region is empty, proven if Bound is +Inf
	StatusCutoff                       // Bound ≥ Problem.Cutoff; no point is returned
	StatusStopped                      // the context ended; no point is returned
)

// String returns the status in lower case.
func (s Status) String() string {
	names := [...]string{
		0:                "unknown",
		StatusOptimal:    "optimal",
		StatusInfeasible: "infeasible",
		StatusCutoff:     "cutoff",
		StatusStopped:    "stopped",
	}
	if s >= 0 && int(s) < len(names) {
		return names[s]
	}
	return fmt.Sprintf("Status(%d)", int(s))
}

// Solution is a Solver's answer.
type Solution struct {
	Status Status
	// Point is the closest point, nil unless StatusOptimal. It satisfies every side to
	// within rounding.
	Point []float64
	// Distance is the distance of Point from X, +Inf unless StatusOptimal.
	Distance float64
	// Bound is a certified lower bound on the distance of Region (with its
	// Margin) from X. It is +Inf when Region is proven empty; where half-spaces that
	// Rest names contradict each other in floating point, but may not over the real
	// numbers, it is finite.
	Bound float64
	// Rows counts the half-spaces the solver had to look at, Pivots its changes
	// of basis.
	Rows, Pivots int
}

var (
	// ErrDimension is returned when vectors that belong together differ in length.
	ErrDimension = errors.New("dimensions differ")
	// ErrNotFinite is returned for NaN and infinite coordinates.
	ErrNotFinite = errors.New("not a finite number")
	// ErrNumerical is returned by a Solver that rounding errors keep from a
	// verdict. The Bound that comes with it still holds.
	ErrNumerical = errors.New("no convergence in floating-point arithmetic")
)
