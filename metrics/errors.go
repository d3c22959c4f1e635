package metrics

import (
	"errors"
	"fmt"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/rows"
)

// What a caller can get wrong. Returned errors wrap one of these,
// polytope.ErrDimension, what an attack or a callback returned, or the context's error, and
// name the row.
var (
	ErrEmpty      = rows.ErrEmpty        // no rows, or nothing to take a mean of
	ErrSize       = rows.ErrSize         // more than 2³¹−1 rows
	ErrValue      = rows.ErrValue        // NaN or ±Inf in the rows
	ErrLength     = rows.ErrLength       // as many labels as rows are needed
	ErrClassifier = attack.ErrClassifier // nil, panics, or contradicts itself
	ErrOption     = attack.ErrOption     // option out of its range
	// ErrLabel is returned for a label outside 0..Classes()−1.
	ErrLabel = errors.New("label is none of the classifier's")
	// ErrAttack is returned for what an attack claims and the classifier that is
	// measured, or its own numbers, contradict: it may have attacked another one.
	ErrAttack = errors.New("the attack's answer is false")
	// ErrNumber is returned for a radius or robustness that is NaN or negative.
	ErrNumber = errors.New("not a number ≥ 0")
)

// checkClassifier also sees through an interface that holds a nil pointer.
func checkClassifier(c classifier.Classifier) error {
	if rows.IsNil(c) {
		return fmt.Errorf("%w: none given", ErrClassifier)
	}
	return nil
}
