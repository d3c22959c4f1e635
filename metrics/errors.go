package metrics

import (
	"errors"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/internal/rows"
)

// What a caller can get wrong. Returned errors wrap one of these, an error of package
// polytope, what an attack or a callback returned, or the context's error, and
// name the row.
var (
	ErrEmpty      = rows.ErrEmpty        // no rows, or nothing to take a mean of
	ErrSize       = rows.ErrSize         // more than 2³¹−1 rows
	ErrValue      = rows.ErrValue        // NaN or ±Inf in the rows
	ErrLength     = rows.ErrLength       // as many labels as rows are needed
	ErrLabel      = rows.ErrLabel        // a label outside 0..Classes()−1
	ErrOption     = rows.ErrOption       // option out of its range
	ErrClassifier = attack.ErrClassifier // nil, panics, or contradicts itself
	// ErrAttack is returned for what an attack claims and the classifier that is
	// measured, or its own numbers, contradict: it may have attacked another one, or in
	// another norm.
	ErrAttack = errors.New("the attack's answer is false")
	// ErrNumber is returned for a radius or robustness that is NaN or negative.
	ErrNumber = errors.New("not a number ≥ 0")
)

// InputError says which value of the data is wrong: Value, in row Row and column Col, or
// with Col −1 the label of the row. It wraps ErrValue or ErrLabel. It is the same type as
// classifier.InputError.
type InputError = rows.InputError
