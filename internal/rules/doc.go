// Package rules says what the rules of moves of a query mean: what a move costs, and where
// features may go.
//
// # Terms
//
//   - [Move]: the rules about one feature that stands on its own, as seen from X.
//   - [Group]: those about a one-hot group, whose members move together.
//   - price: the least cost of a move into an interval, rounded down. No move that the rules allow is
//     cheaper over the real numbers.
//
// classifier/search.Feature says what each rule means.
package rules

import (
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/classifier/search"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Apply reports whether a query asks for more than distances of finite inputs.
func Apply(q *search.Query) bool {
	return q.Features != nil || q.Norm == polytope.L0 || slices.ContainsFunc(q.X, math.IsNaN)
}

// Norm returns the norm in which prices add up: that of the query, or ℓ1 where they are
// those of changes.
func Norm(q *search.Query) polytope.Norm {
	if q.Norm == polytope.L0 {
		return polytope.L1
	}
	return q.Norm
}
