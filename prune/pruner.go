package prune

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/guard"
	"github.com/seed-1a7dc1f9/facet/internal/rows"
)

// Pruner decides which rows of a training set to keep.
//
// Errors wrap polytope.ErrNorm, the context's error, or those of package classifier, and say where
// the trouble is; a polytope.RowError names the row.
type Pruner interface {
	// Prune returns the indices of the rows of x to keep, ascending, given the
	// label y[i] ≥ 0 of every row i. It changes neither x nor y.
	Prune(ctx context.Context, x mat.Matrix, y []int) ([]int, error)
}

// Defend is the defence as a classifier.Trainer: it prunes the rows and trains on those that are
// kept. A nil Pruner stands for Adversarial{}, which keeps no row under two labels, and a nil
// Trainer for 1-NN. The errors of training wrap those of pruner or trainer, classifier.ErrOption
// for a pruner that is a nil pointer, or those of Select; a panic of the pruner is a
// *polytope.PanicError.
func Defend(pruner Pruner, trainer classifier.Trainer) classifier.Trainer {
	if pruner == nil {
		pruner = Adversarial{}
	}
	if trainer == nil {
		trainer = classifier.TrainerOf(classifier.TrainKNN, classifier.KNNOptions{K: 1})
	}
	return func(ctx context.Context, x mat.Matrix, y []int) (classifier.Classifier, error) {
		if rows.IsNil(pruner) {
			return nil, fmt.Errorf("prune: %w: the pruner is a nil %T",
				classifier.ErrOption, pruner)
		}
		keep, err := guard.Call("Prune", pruner,
			func() ([]int, error) { return pruner.Prune(ctx, x, y) })
		if err != nil {
			return nil, err
		}
		keptX, keptY, err := Select(x, y, keep)
		if err != nil {
			return nil, err
		}
		c, err := trainer(ctx, keptX, keptY)
		if err == nil && rows.IsNil(c) {
			err = fmt.Errorf("%w: the trainer returned no classifier", classifier.ErrOption)
		}
		if err != nil {
			return nil, fmt.Errorf("prune: training on %d of %d rows: %w", len(keep), len(y), err)
		}
		return c, nil
	}
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
