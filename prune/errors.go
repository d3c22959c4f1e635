package prune

import "errors"

// What a caller can get wrong. Returned errors wrap one of these, or
// polytope.ErrNorm, or the context's error, and say where the trouble is.
var (
	ErrEmpty   = errors.New("no data")                                    // nil matrix, or one without rows or columns
	ErrSize    = errors.New("too many rows")                              // more than 2³¹−1
	ErrValue   = errors.New("value is not finite")                        // NaN or ±Inf in the matrix
	ErrLength  = errors.New("number of labels differs from that of rows") // len(y) ≠ rows
	ErrLabel   = errors.New("label is negative")
	ErrClasses = errors.New("two classes are supported so far") // more than two distinct labels
	ErrRadius  = errors.New("radius is not a finite number ≥ 0")
)
