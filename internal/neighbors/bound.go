package neighbors

import (
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/nnindex"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// BisectorBound returns the distance from X to the bisector of a candidate and a
// rival in R^dim at squared distances cand and rival from X and length apart in
// the dual norm, rounded down; 0 when the candidate is the nearer.
func BisectorBound(cand, rival, length float64, dim int) float64 {
	eps := precise.Noise(dim)
	excess := (cand-rival)/2 - eps*(cand+rival) - underflow
	if b := excess / length * (1 - eps); b > 0 && b <= math.MaxFloat64 {
		return b
	}
	return 0
}

// NearRivals is how many of the rows nearest to a query that vote against an answer
// bound other rows, before programs are solved for these.
const NearRivals = 96

// underflow bounds what is lost of a squared distance where squares underflow, in
// up to 2²⁴ dimensions.
const underflow = 0x1p-1050

// DualDistance returns ‖p − q‖_q, q dual to the norm.
func DualDistance(norm polytope.Norm, p, q []float64) float64 {
	q = q[:len(p)]
	switch norm {
	case polytope.LInf:
		var even, odd float64
		for j := 1; j < len(p); j += 2 {
			even += math.Abs(p[j-1] - q[j-1])
			odd += math.Abs(p[j] - q[j])
		}
		if n := len(p); n%2 == 1 {
			even += math.Abs(p[n-1] - q[n-1])
		}
		return even + odd
	case polytope.L1:
		var most float64
		for j, e := range p {
			if d := math.Abs(e - q[j]); d > most {
				most = d
			}
		}
		return most
	}
	return math.Sqrt(nnindex.Squared(p, q))
}

// SureLead is the lead over other rows, in units of the rounding error of a squared
// distance, with which a row comes first in anybody's arithmetic.
const SureLead = 4
