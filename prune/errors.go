package prune

import (
	"errors"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/rows"
)

// What a caller can get wrong. Returned errors wrap one of these, polytope.ErrNorm, or
// the context's error, and say where the trouble is.
var (
	ErrEmpty   = rows.ErrEmpty        // nil matrix, or one without rows or columns
	ErrSize    = rows.ErrSize         // more than 2³¹−1 rows
	ErrValue   = rows.ErrValue        // NaN or ±Inf in the matrix
	ErrLength  = rows.ErrLength       // len(y) or len(weights) ≠ rows
	ErrLabel   = rows.ErrLabel        // labels count from 0
	ErrOption  = classifier.ErrOption // a field of Adversarial, Greedy, WJC or Trainer
	ErrWeight  = errors.New("weight is not a finite number ≥ 0")
	ErrClasses = errors.New("more than two labels") // WJC
	ErrProof   = errors.New("certificate is wrong") // Verify
)

// InputError says which value of the data is wrong: Value, in row Row and column Col, or
// with Col −1 the label or weight of the row. It wraps ErrValue, ErrLabel or ErrWeight. It is
// the same type as classifier.InputError.
type InputError = rows.InputError
