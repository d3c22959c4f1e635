package prune

import (
	"context"

	"gonum.org/v1/gonum/mat"
)

// Pruner decides which rows of a training set to keep.
type Pruner interface {
	// Prune returns the indices of the rows of x to keep, ascending, given the
	// label y[i] ≥ 0 of every row i. It changes neither x nor y.
	Prune(ctx context.Context, x mat.Matrix, y []int) ([]int, error)
}
