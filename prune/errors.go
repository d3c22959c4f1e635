package prune

import (
	"errors"

	"github.com/seed-1a7dc1f9/facet/internal/rows"
)

// What a caller can get wrong. Returned errors wrap one of these, or
// polytope.ErrNorm, or the context's error, and say where the trouble is.
var (
	ErrEmpty   = rows.ErrEmpty                                  // nil matrix, or one without rows or columns
	ErrSize    = rows.ErrSize                                   // more than 2³¹−1 rows
	ErrValue   = rows.ErrValue                                  // NaN or ±Inf in the matrix
	ErrLength  = rows.ErrLength                                 // len(y) ≠ rows
	ErrLabel   = rows.ErrLabel                                  // labels count from 0
	ErrClasses = errors.New("two classes are supported so far") // more than two distinct labels
	ErrRadius  = errors.New("radius is not a finite number ≥ 0")
)
