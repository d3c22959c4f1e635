package instance

import (
	"context"

	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Solver is a polytope.Solver made of a function.
type Solver func(context.Context, polytope.Problem) (polytope.Solution, error)

// Closest calls the function.
func (f Solver) Closest(ctx context.Context, p polytope.Problem) (polytope.Solution, error) {
	return f(ctx, p)
}
