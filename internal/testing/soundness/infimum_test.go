package soundness

import (
	"math"
	"math/big"

	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/internal/testing/oracle"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Infimum is the exact distance of the nearest answer; in ℓ2 Cost is its square.
type Infimum struct {
	None bool // there is no answer
	Norm polytope.Norm
	Cost *big.Rat
}

// Compare returns the sign of the infimum minus r ≥ 0.
func (i Infimum) Compare(r float64) int {
	switch {
	case i.None && math.IsInf(r, 1):
		return 0
	case i.None:
		return 1
	case math.IsInf(r, 1):
		return -1
	}
	return i.compare(rat(r))
}

func (i Infimum) compare(r *big.Rat) int {
	if i.Norm == polytope.L2 {
		r = new(big.Rat).Mul(r, r)
	}
	return i.Cost.Cmp(r)
}

// Float returns the infimum, rounded.
func (i Infimum) Float() float64 {
	if i.None {
		return math.Inf(1)
	}
	return oracle.Float(oracle.Norm(i.Norm), i.Cost)
}

// costOf returns the exact length of u, in ℓ2 its square.
func costOf(norm polytope.Norm, u []*big.Rat) *big.Rat {
	total, size := new(big.Rat), new(big.Rat)
	for _, e := range u {
		switch size.Abs(e); norm {
		case polytope.L1, instance.Changes:
			total.Add(total, size)
		case polytope.L2:
			total.Add(total, size.Mul(size, size))
		default:
			if total.Cmp(size) < 0 {
				total.Set(size)
			}
		}
	}
	return total
}

// costBetween returns the exact distance of two points, in ℓ2 its square.
func costBetween(norm polytope.Norm, x, z []float64) *big.Rat {
	u := make([]*big.Rat, len(x))
	for j := range x {
		u[j] = new(big.Rat).Sub(rat(z[j]), rat(x[j]))
	}
	return costOf(norm, u)
}

// rat returns v exactly.
func rat(v float64) *big.Rat { return new(big.Rat).SetFloat64(v) }
