package exact

import (
	"math"
	"math/big"
)

// Margin returns ‖q−x‖² − ‖p−x‖², by which p is nearer to x than q, of points of finite float64s.
// All terms are integers in units of the last bit of any coordinate, so that their sum alone is
// reduced to lowest terms.
func Margin(x, p, q []float64) *big.Rat {
	unit := math.MaxInt
	for j, e := range p {
		if e != q[j] { // others add 0
			unit = min(unit, lastBit(x[j]), lastBit(e), lastBit(q[j]))
		}
	}
	sum, difference, middle, term := new(big.Int), new(big.Int), new(big.Int), new(big.Int)
	for j, e := range p {
		if e == q[j] {
			continue
		}
		inUnits(difference, q[j], unit)
		middle.Add(difference, inUnits(term, e, unit))
		difference.Sub(difference, term)
		inUnits(term, x[j], unit)
		middle.Sub(middle, term.Lsh(term, 1)) // q + p − 2x
		sum.Add(sum, term.Mul(difference, middle))
	}
	if sum.Sign() == 0 {
		return new(big.Rat)
	}
	if unit >= 0 {
		return new(big.Rat).SetInt(sum.Lsh(sum, uint(2*unit)))
	}
	whole := min(sum.TrailingZeroBits(), uint(-2*unit))
	return new(big.Rat).SetFrac(sum.Rsh(sum, whole),
		term.Lsh(term.SetInt64(1), uint(-2*unit)-whole))
}

// mantissa is how many bits a float64 has.
const mantissa = 53

// lastBit returns an exponent of 2 of which a float64 is a multiple.
func lastBit(v float64) int {
	if v == 0 {
		return math.MaxInt
	}
	_, exponent := math.Frexp(v)
	return exponent - mantissa
}

// inUnits sets z to a float64 in units of 2 to an exponent, of which it is a multiple.
func inUnits(z *big.Int, v float64, unit int) *big.Int {
	fraction, exponent := math.Frexp(v)
	if z.SetInt64(int64(math.Ldexp(fraction, mantissa))); v == 0 {
		return z
	}
	return z.Lsh(z, uint(exponent-mantissa-unit))
}
