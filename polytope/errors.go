package polytope

import (
	"errors"
	"fmt"

	"github.com/seed-1a7dc1f9/facet/internal/closest"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
)

var (
	// ErrDimension is returned when vectors that belong together differ in length.
	ErrDimension = errors.New("dimensions differ")
	// ErrNotFinite is returned for NaN and infinite coordinates.
	ErrNotFinite = errors.New("not a finite number")
	// ErrUnsupported is returned by a Solver for a norm it cannot minimise.
	ErrUnsupported = errors.New("not supported by this solver")
	// ErrNumerical is returned by a Solver that rounding errors keep from a
	// verdict. The Bound that comes with it still holds.
	ErrNumerical = closest.ErrNumerical
)

// CheckPoint returns an error that names the first fault of x as a point of
// R^dim: ErrDimension or ErrNotFinite.
func CheckPoint(x []float64, dim int) error {
	if len(x) != dim {
		return fmt.Errorf("%w: got %d coordinates, want %d", ErrDimension, len(x), dim)
	}
	for j, e := range x {
		if !precise.Finite(e) {
			return fmt.Errorf("coordinate %d is %v: %w", j, e, ErrNotFinite)
		}
	}
	return nil
}
