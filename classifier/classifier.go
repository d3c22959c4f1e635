package classifier

import (
	"context"
	"fmt"
	"iter"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Classifier maps points of R^Dim to the labels 0..Classes()−1.
type Classifier interface {
	Predict(x []float64) int
	Dim() int
	Classes() int
}

// Cell is a convex set on which a classifier predicts Label.
type Cell struct {
	Label  int
	Region polytope.Polyhedron
}

// Decomposable is a Classifier that is constant on each of finitely many convex
// cells: (s,m)-decomposable, with s cells of at most m half-spaces each.
type Decomposable interface {
	Classifier
	// Cells lists every cell. Together they cover R^Dim; they may overlap where
	// they agree on the label. A Cell stays valid after the iteration has moved
	// on.
	Cells() iter.Seq[Cell]
}

// locator is a classifier that can name the cell around a point without listing all of them.
type locator interface {
	// CellAt returns a cell that contains x, labelled Predict(x).
	CellAt(x []float64) (Cell, error)
}

// Trainer makes a classifier from the rows of x, whose labels are y. A defence takes one, so that
// it can defend any classifier, and may be one itself.
type Trainer func(ctx context.Context, x mat.Matrix, y []int) (Classifier, error)

// TrainerOf returns the Trainer of a function such as TrainTree with its options:
//
//	TrainerOf(TrainTree, TreeOptions{MaxDepth: 5})
func TrainerOf[C Classifier, Options any](
	train func(ctx context.Context, x mat.Matrix, y []int, opts Options) (C, error), opts Options,
) Trainer {
	return func(ctx context.Context, x mat.Matrix, y []int) (Classifier, error) {
		if train == nil {
			return nil, fmt.Errorf("classifier: %w: no function that trains", ErrOption)
		}
		return trained(train(ctx, x, y, opts))
	}
}

// trained returns a classifier or none, and never a nil pointer that an interface
// takes for one.
func trained[C Classifier](c C, err error) (Classifier, error) {
	if err != nil {
		return nil, err
	}
	return c, nil
}
