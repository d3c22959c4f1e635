// Package victim is what every attack does with the classifier that it attacks: it
// checks it, asks it for predictions without trusting it not to panic, and collects
// the training points to start from.
package victim

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/access"
	"github.com/seed-1a7dc1f9/facet/internal/guard"
	"github.com/seed-1a7dc1f9/facet/internal/rows"
	"github.com/seed-1a7dc1f9/facet/internal/rules"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// What a caller can get wrong. Package attack re-exports these.
var (
	ErrTarget     = errors.New("the point already has the target label")
	ErrClassifier = errors.New("unsuitable classifier")
	ErrPoints     = rows.Named("no training points to search around", rows.ErrEmpty)
)

// Classifier is classifier.Classifier.
type Classifier interface {
	Predict(x []float64) int
	Dim() int
	Classes() int
}

// Check returns an error for a classifier that cannot be attacked.
func Check(c Classifier) (err error) {
	defer RecoverPanic(&err)
	defer guard.Name("Dim or Classes", c)
	if rows.IsNil(c) {
		return fmt.Errorf("%w: none given", ErrClassifier)
	}
	if c.Classes() < 1 || c.Dim() < 1 {
		return fmt.Errorf("%w: %T has %d classes in %d dimensions",
			ErrClassifier, c, c.Classes(), c.Dim())
	}
	return nil
}

// Predict is c.Predict, whose panic gets a name that RecoverPanic knows.
func Predict(c Classifier, x []float64) int {
	defer guard.Name("Predict", c)
	return c.Predict(x)
}

// NewQuery checks what an attack is given that follows no rules of moves, and returns what it is to
// answer. target nil stands for any label but that of x.
func NewQuery(
	c Classifier, norm polytope.Norm, target *int, x []float64,
) (q search.Query, err error) {
	if err := Check(c); err != nil {
		return q, err
	}
	return NewQueryFollowing(c, 0, norm, target, x)
}

// NewQueryFollowing is NewQuery for an attack that follows some kinds of rules on a classifier that
// was checked. Whoever follows none of missing values is not even asked for their label.
func NewQueryFollowing(
	c Classifier, follows search.Rules, norm polytope.Norm, target *int, x []float64,
) (q search.Query, err error) {
	if err := norm.Validate(); err != nil {
		return q, err
	}
	if err := polytope.CheckPoint(Present(x), c.Dim()); err != nil {
		return q, fmt.Errorf("x: %w", err)
	}
	if err := (&rules.Rules{X: x, Norm: norm}).Refused(follows); err != nil {
		return q, err
	}
	return newQuery(c, norm, target, x)
}

// Follows returns the kinds of rules that a classifier declares to follow.
func Follows(c Classifier) (kinds search.Rules) {
	if s, ok := access.Searcher(c); ok {
		kinds = s.Follows()
	}
	return kinds
}

// CheckInput checks what c is asked to predict: numbers, and NaN for missing values where c takes
// them.
func CheckInput(c Classifier, x []float64) error {
	if Follows(c)&rules.Missing != 0 {
		x = Present(x)
	}
	return polytope.CheckPoint(x, c.Dim())
}

// Present returns x with 0 for what is missing.
func Present(x []float64) []float64 {
	if !slices.ContainsFunc(x, math.IsNaN) {
		return x
	}
	x = slices.Clone(x)
	for j, e := range x {
		if math.IsNaN(e) {
			x[j] = 0
		}
	}
	return x
}

// newQuery makes the query of an input that was checked.
func newQuery(
	c Classifier, norm polytope.Norm, target *int, x []float64,
) (q search.Query, err error) {
	defer RecoverPanic(&err)
	q = search.Query{X: x, Target: -1, Norm: norm}
	if target != nil {
		q.Target = *target
		if q.Target < 0 || q.Target >= c.Classes() {
			return q, fmt.Errorf("%w: target label %d of %d classes",
				rows.ErrOption, q.Target, c.Classes())
		}
	}
	if q.From = Predict(c, x); q.From < 0 || q.From >= c.Classes() {
		return q, fmt.Errorf("%w: %T predicts label %d of %d classes",
			ErrClassifier, c, q.From, c.Classes())
	}
	if q.From == q.Target {
		return q, fmt.Errorf("label %d: %w", q.Target, ErrTarget)
	}
	return q, nil
}

// CheckDomain checks a box that examples must lie in, nil for R^d.
func CheckDomain(domain polytope.Box, dim int) error {
	if err := (polytope.Polyhedron{Box: domain}).Check(dim); err != nil {
		return fmt.Errorf("domain: %w", err)
	}
	for j, i := range domain {
		if i.Empty() {
			return fmt.Errorf("%w: interval %d of the domain, from %v to %v, is empty",
				rows.ErrOption, j, i.Lo, i.Hi)
		}
	}
	return nil
}

// CheckCell checks the cell of this number in a list.
func CheckCell(number, label int, region polytope.Polyhedron, dim, classes int) error {
	if label < 0 || label >= classes {
		return fmt.Errorf("cell %d has label %d of %d classes", number, label, classes)
	}
	if err := region.Check(dim); err != nil {
		return fmt.Errorf("cell %d: %w", number, err)
	}
	return nil
}

// RecoverPanic is deferred by what calls a caller's code by way of Predict: what that
// panics with is the error.
func RecoverPanic(err *error) {
	if p := guard.Named(recover()); p != nil {
		*err = Attribute(p)
	}
}

// Attribute makes an error that a classifier is to blame for one that wraps ErrClassifier.
func Attribute(err error) error {
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

// Ended reports whether an error is that of a context that has ended.
func Ended(ctx context.Context, err error) bool {
	return ctx.Err() != nil && errors.Is(err, ctx.Err())
}
