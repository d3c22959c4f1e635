package instance

import (
	"context"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Opaque hides everything but the classifier.
type Opaque struct{ classifier.Classifier }

// Listed hides every upgrade of a classifier.
type Listed struct{ classifier.Decomposable }

// Watched counts predictions and calls At before each of them.
type Watched struct {
	classifier.Classifier
	Predictions int
	At          func(number int)
}

func (w *Watched) Predict(x []float64) int {
	w.Predictions++
	if w.At != nil {
		w.At(w.Predictions)
	}
	return w.Classifier.Predict(x)
}

// Solver is a polytope.Solver made of a function.
type Solver func(context.Context, polytope.Problem) (polytope.Solution, error)

// Closest calls the function.
func (f Solver) Closest(ctx context.Context, p polytope.Problem) (polytope.Solution, error) {
	return f(ctx, p)
}
