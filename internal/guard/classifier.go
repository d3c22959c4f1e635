package guard

import (
	"errors"
	"fmt"

	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/rows"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// ErrClassifier is that of a classifier that cannot be used, or contradicts itself.
var ErrClassifier = errors.New("unsuitable classifier")

// Classifier is classifier.Classifier.
type Classifier interface {
	Predict(x []float64) int
	Dim() int
	Classes() int
}

// CheckClassifier returns an error for a classifier that is nil, or has no classes or dimensions.
func CheckClassifier(c Classifier) (err error) {
	defer Recover(&err)
	defer Name("Dim or Classes", c)
	if rows.IsNil(c) {
		return fmt.Errorf("%w: none given", ErrClassifier)
	}
	if c.Classes() < 1 || c.Dim() < 1 {
		return fmt.Errorf("%w: %T has %d classes in %d dimensions",
			ErrClassifier, c, c.Classes(), c.Dim())
	}
	return nil
}

// Predict is c.Predict, whose panic gets a name that Recover knows.
func Predict(c Classifier, x []float64) int {
	defer Name("Predict", c)
	return c.Predict(x)
}

// CheckCell checks the cell of this number in the list of a classifier.
func CheckCell(number, label int, region polytope.Polyhedron, dim, classes int) error {
	if label < 0 || label >= classes {
		return fmt.Errorf("cell %d has label %d of %d classes", number, label, classes)
	}
	if err := geometry.Check(region, dim); err != nil {
		return fmt.Errorf("cell %d: %w", number, err)
	}
	return nil
}

// Recover is deferred by a function that calls Predict: its error is the value of the panic.
func Recover(err *error) {
	if p := Named(recover()); p != nil {
		*err = Blame(p)
	}
}

// Blame makes a panic of a classifier an error that wraps ErrClassifier. Other errors, and those
// of a solver, stay as they are.
func Blame(err error) error {
	if _, ok := errors.AsType[*SolverError](err); ok || errors.Is(err, ErrClassifier) {
		return err
	}
	if _, ok := errors.AsType[*polytope.PanicError](err); ok {
		return fmt.Errorf("%w: %w", ErrClassifier, err)
	}
	return err
}

// SolverError is an error of a caller's solver, which no classifier is to blame for.
type SolverError struct{ Err error }

// Error returns the message of Err.
func (e *SolverError) Error() string { return e.Err.Error() }

// Unwrap returns Err.
func (e *SolverError) Unwrap() error { return e.Err }
