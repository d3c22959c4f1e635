package costs

import (
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Distance returns the cost of moving from x to z.
func (r *Rules) Distance(norm polytope.Norm, x, z []float64) float64 {
	var prices []float64
	for _, c := range r.Changes(norm, x, z, x, z, nil) {
		prices = append(prices, c.Cost)
	}
	if norm == polytope.L0 {
		norm = polytope.L1 // of the prices
	}
	return norm.Length(prices)
}
