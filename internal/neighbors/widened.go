package neighbors

import (
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/precise"
)

// Spread is the share of a square or a product of lengths that is allowed for
// rounding errors, which are below (d+4)·2⁻⁵² of them.
const Spread = 1e-9

// Widened sets z to x+u, rounded, and returns a squared distance from it within which
// all lies that is within a squared distance of x+u.
func Widened(z, x, u []float64, squared float64) float64 {
	var drift float64
	for j, e := range x {
		var low float64
		z[j], low = precise.TwoSum(e, u[j])
		drift += low * low
	}
	reach := math.Sqrt(squared) + math.Sqrt(drift)*(1+Spread)
	return reach * reach * (1 + Spread)
}
