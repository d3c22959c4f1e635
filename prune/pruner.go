package prune

import (
	"context"
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/rows"
)

// Pruner decides which rows of a training set to keep.
type Pruner interface {
	// Prune returns the indices of the rows of x to keep, ascending, given the
	// label y[i] ≥ 0 of every row i. It changes neither x nor y.
	Prune(ctx context.Context, x mat.Matrix, y []int) ([]int, error)
}

// Trainer is the defence as a classifier.Trainer: it prunes the rows and trains on those
// that are kept. The zero value trains 1-NN on rows pruned by the zero Adversarial.
type Trainer struct {
	// Pruner decides which rows are kept; nil stands for Adversarial{}, which keeps no
	// row under two labels.
	Pruner Pruner
	// Trainer trains on them; nil stands for 1-NN.
	Trainer classifier.Trainer
}

var _ classifier.Trainer = Trainer{}

// Train implements classifier.Trainer. Errors wrap what Pruner or Trainer return,
// classifier.ErrOption for one that is a nil pointer, or those of Select.
func (t Trainer) Train(ctx context.Context, x mat.Matrix, y []int) (classifier.Classifier, error) {
	if t.Pruner == nil {
		t.Pruner = Adversarial{}
	}
	if t.Trainer == nil {
		t.Trainer = classifier.KNNOptions{K: 1}
	}
	if rows.IsNil(t.Pruner) || rows.IsNil(t.Trainer) {
		return nil, fmt.Errorf("prune: %w: pruner %T or trainer %T is a nil pointer",
			classifier.ErrOption, t.Pruner, t.Trainer)
	}
	keep, err := t.Pruner.Prune(ctx, x, y)
	if err != nil {
		return nil, err
	}
	keptX, keptY, err := Select(x, y, keep)
	if err != nil {
		return nil, err
	}
	c, err := t.Trainer.Train(ctx, keptX, keptY)
	if err == nil && rows.IsNil(c) {
		err = fmt.Errorf("%w: trainer %T returned no classifier", classifier.ErrOption, t.Trainer)
	}
	if err != nil {
		return nil, fmt.Errorf("prune: training on %d of %d rows: %w", len(keep), len(y), err)
	}
	return c, nil
}

// Select returns the rows keep of x and y, in the order of keep, as a Pruner names them.
// Errors wrap classifier.ErrEmpty without any, polytope.ErrDimension, or classifier.ErrOption for a
// row that x does not have.
func Select(x mat.Matrix, y []int, keep []int) (*mat.Dense, []int, error) {
	n, d := 0, 0
	if !rows.IsNil(x) {
		n, d = x.Dims()
	}
	switch {
	case n == 0 || d == 0 || len(keep) == 0:
		return nil, nil, fmt.Errorf("prune: selecting %d rows of a %d × %d matrix: %w",
			len(keep), n, d, classifier.ErrEmpty)
	case len(y) != n:
		return nil, nil, fmt.Errorf("prune: selecting rows: %w: %d labels, %d rows",
			rows.ErrLength, len(y), n)
	}
	keptX, keptY := mat.NewDense(len(keep), d, nil), make([]int, len(keep))
	for to, from := range keep {
		if from < 0 || from >= n {
			return nil, nil, fmt.Errorf("prune: selecting row %d of %d: %w",
				from, n, classifier.ErrOption)
		}
		mat.Row(keptX.RawRowView(to), from, x)
		keptY[to] = y[from]
	}
	return keptX, keptY, nil
}

// ErrProof is the error of Verify. Others wrap polytope.ErrNorm, the context's error, or those of
// package classifier, and say where the trouble is; a classifier.InputError names the row.
var ErrProof = errors.New("certificate is wrong")
