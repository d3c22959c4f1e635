package prune

import (
	"math"
	"math/big"

	"github.com/seed-1a7dc1f9/facet/polytope"
)

// distanceBits hold the square of any distance of float64 vectors exactly: squares of
// differences reach from 2^2050 down to 2^−2148, and there are fewer than 2³² of them.
const distanceBits = 2050 + 2148 + 32

// exactly reports whether the distance of the real vectors x and y is at most radius times
// factor, a power of two. It takes microseconds, and is asked where rounding could decide.
func exactly(norm polytope.Norm, x, y []float64, radius float64, factor int) bool {
	reach := number(radius)
	reach.Mul(reach, new(big.Float).SetInt64(int64(factor)))
	sum, d := number(0), number(0)
	for j, e := range x {
		d.Sub(number(e), number(y[j]))
		d.Abs(d)
		switch norm {
		case polytope.L1:
			sum.Add(sum, d)
		case polytope.L2:
			sum.Add(sum, d.Mul(d, d))
		default:
			if d.Cmp(reach) > 0 {
				return false
			}
		}
	}
	if norm == polytope.L2 {
		reach.Mul(reach, reach)
	}
	return sum.Cmp(reach) <= 0
}

func number(v float64) *big.Float { return new(big.Float).SetPrec(distanceBits).SetFloat64(v) }

// difference returns x − y rounded and by how much rounding changed it (Knuth's two-sum). It is exact
// unless the difference overflows.
func difference(x, y float64) (rounded, err float64) {
	rounded = x - y
	part := rounded - x
	return rounded, (x - (rounded - part)) - (y + part)
}

// product returns x·y rounded and by how much rounding changed it, exact unless something over- or
// underflows.
func product(x, y float64) (rounded, err float64) {
	rounded = x * y
	return rounded, math.FMA(x, y, -rounded)
}
