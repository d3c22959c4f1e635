package oracle

import (
	"math"
	"math/big"
	"math/bits"
)

// unitOf returns the exponent of the largest power of two of which v is a
// multiple, and a large number for 0.
func unitOf(v float64) int {
	if v == 0 {
		return math.MaxInt32
	}
	m, e := mantissa(v)
	return e + bits.TrailingZeros64(uint64(m))
}

// mantissa returns m and e with v = m·2^e.
func mantissa(v float64) (m int64, e int) {
	f, e := math.Frexp(v)
	return int64(f * (1 << 53)), e - 53
}

// CommonUnit returns the exponent of the largest power of two of which all of the
// finite numbers are multiples.
func CommonUnit(vectors ...[]float64) int {
	unit := math.MaxInt32
	for _, v := range vectors {
		for _, e := range v {
			if !math.IsInf(e, 0) {
				unit = min(unit, unitOf(e))
			}
		}
	}
	if unit == math.MaxInt32 {
		return 0
	}
	return unit
}

// integer returns v in multiples of 2^unit, of which it has to be one.
func integer(v float64, unit int) *big.Int {
	if v == 0 {
		return new(big.Int)
	}
	m, e := mantissa(v)
	z := big.NewInt(m)
	if e >= unit {
		return z.Lsh(z, uint(e-unit))
	}
	return z.Quo(z, new(big.Int).Lsh(big.NewInt(1), uint(unit-e)))
}

// Integers converts a vector.
func Integers(v []float64, unit int) []*big.Int {
	out := make([]*big.Int, len(v))
	for i, e := range v {
		out[i] = integer(e, unit)
	}
	return out
}
