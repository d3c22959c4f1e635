package proof

import (
	"math"
	"math/big"
)

// number is a sum of products of float64 and multipliers that nothing rounds: it has room for 2^15 binary digits. Those of a
// float64 lie between 2^1024 and 2^-1074, and the longest products, in combinations in ℓ2, are of four and of
// two multipliers of 1000 decimal digits: 4·2098 + 2·3322 digits, and less than 100 more for sums.
type number = *big.Float

// exact returns v, which may be infinite.
func exact(v float64) number { return new(big.Float).SetPrec(1 << 15).SetFloat64(v) }

func plus(a, b number) number  { return new(big.Float).Add(a, b) }
func minus(a, b number) number { return new(big.Float).Sub(a, b) }
func times(a, b number) number { return new(big.Float).Mul(a, b) }

func finite(v float64) bool { return math.Abs(v) <= math.MaxFloat64 }

// norm is ℓ∞, ℓ1 or ℓ2, by its name in the file: inf, 1 or 2.
type norm string

func (n norm) known() bool { return n == "inf" || n == "1" || n == "2" }

func (n norm) dual() norm {
	switch n {
	case "inf":
		return "1"
	case "1":
		return "inf"
	}
	return n
}

// join adds a coordinate of modulus v to a length, of which ℓ2 has the square.
func (n norm) join(length, v float64) float64 {
	switch n {
	case "inf":
		return max(length, v)
	case "1":
		return length + v
	}
	return length + float64(v*v)
}

// sum returns ‖v‖, or its square for ℓ2, with a relative error below (len(v)+2)·2^-53 where nothing overflows or underflows.
func (n norm) sum(v []float64) (sum float64) {
	for _, e := range v {
		sum = n.join(sum, math.Abs(e))
	}
	return sum
}

// power returns ‖v‖, or its square for ℓ2.
func (n norm) power(v []number) number {
	sum := exact(0)
	for _, e := range v {
		switch e = n.raise(e); {
		case n != "inf":
			sum = plus(sum, e)
		case e.Cmp(sum) > 0:
			sum = e
		}
	}
	return sum
}

// raise returns |v|, or its square for ℓ2, to be compared with a power.
func (n norm) raise(v number) number {
	if n == "2" {
		return times(v, v)
	}
	return new(big.Float).Abs(v)
}

// compareDistance compares ‖z − x‖ with b.
func (n norm) compareDistance(z, x []float64, b number) int {
	gaps := make([]number, len(x))
	for j := range x {
		gaps[j] = minus(exact(z[j]), exact(x[j]))
	}
	return n.power(gaps).Cmp(n.raise(b))
}
