package proof

import (
	"math"
	"math/big"
	"math/bits"
)

// dyadic is m·2^e: what sums and products of float64 are, without rounding.
type dyadic struct {
	m big.Int
	e int
}

// exactly returns v, which is finite.
func exactly(v float64) *dyadic {
	fraction, e := math.Frexp(v)
	n := int64(fraction * (1 << 53))
	zeros := 0
	if n != 0 {
		zeros = bits.TrailingZeros64(uint64(n))
	}
	z := &dyadic{e: e - 53 + zeros}
	z.m.SetInt64(n >> zeros)
	return z
}

// add sets z to z + x and returns it.
func (z *dyadic) add(x *dyadic) *dyadic {
	shift := z.e - x.e
	switch {
	case x.m.Sign() == 0:
	case z.m.Sign() == 0:
		z.m.Set(&x.m)
		z.e = x.e
	case shift > 0:
		z.m.Lsh(&z.m, uint(shift))
		z.m.Add(&z.m, &x.m)
		z.e = x.e
	case shift < 0:
		var aligned big.Int
		z.m.Add(&z.m, aligned.Lsh(&x.m, uint(-shift)))
	default:
		z.m.Add(&z.m, &x.m)
	}
	return z
}

// sub sets z to z − x and returns it.
func (z *dyadic) sub(x *dyadic) *dyadic {
	z.m.Neg(&z.m)
	z.add(x)
	z.m.Neg(&z.m)
	return z
}

// times sets z to z·x and returns it.
func (z *dyadic) times(x *dyadic) *dyadic {
	z.m.Mul(&z.m, &x.m)
	z.e += x.e
	return z
}

// copy returns z in memory of its own.
func (z *dyadic) copy() *dyadic {
	c := &dyadic{e: z.e}
	c.m.Set(&z.m)
	return c
}

func (z *dyadic) sign() int { return z.m.Sign() }

func (z *dyadic) cmp(x *dyadic) int { return z.copy().sub(x).sign() }

// nearest returns the float64 nearest to z.
func (z *dyadic) nearest() float64 {
	v := new(big.Float).SetInt(&z.m)
	f, _ := v.SetMantExp(v, z.e).Float64()
	return f
}

// difference returns a − b.
func difference(a, b float64) *dyadic { return exactly(a).sub(exactly(b)) }

func finite(v float64) bool { return math.Abs(v) <= math.MaxFloat64 }
