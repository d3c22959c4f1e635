package prune

import (
	"errors"

	"github.com/seed-1a7dc1f9/facet/internal/rows"
)

// What a caller can get wrong. Returned errors wrap one of these, or
// polytope.ErrNorm, or the context's error, and say where the trouble is.
var (
	ErrEmpty      = rows.ErrEmpty                      // nil matrix, or one without rows or columns
	ErrSize       = rows.ErrSize                       // more than 2³¹−1 rows
	ErrValue      = rows.ErrValue                      // NaN or ±Inf in the matrix
	ErrLength     = rows.ErrLength                     // len(y) or len(weights) ≠ rows
	ErrLabel      = rows.ErrLabel                      // labels count from 0
	ErrClasses    = errors.New("more than two labels") // WJC
	ErrRadius     = errors.New("radius is not a finite number ≥ 0")
	ErrWeight     = errors.New("weight is not a finite number ≥ 0")
	ErrEffort     = errors.New("effort is negative")
	ErrConfidence = errors.New("margin is not in (0, 1/2] or failure not in (0, 1]") // WJC
	ErrProof      = errors.New("certificate is wrong")                               // Verify
)
