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

// Solver is a polytope.Solver made of a function.
type Solver func(context.Context, polytope.Problem) (polytope.Solution, error)

// Closest calls the function.
func (f Solver) Closest(ctx context.Context, p polytope.Problem) (polytope.Solution, error) {
	return f(ctx, p)
}
