package proof

import (
	"math"
	"math/big"
)

// num is a number within off of v or, where x is not nil, x itself. Whatever is decided is computed in floating point first and,
// if its error leaves that in doubt, once more exactly (num{} is what sums, and greatest moduli, begin with in both modes): x has room for 2^15 binary digits. Those of a float64 lie between 2^1024
// and 2^-1074, and the longest products, in combinations in ℓ2, are of four and of two multipliers of 1000 decimal digits:
// 4·2098 + 2·3322 digits, and less than 100 more for sums.
type num struct {
	v, off float64
	x      *big.Float
}

// Modes of computing.
const (
	rounded = iota
	exactly
	modes
)

// lift returns v, to be computed with in a mode. It may be infinite.
func lift(v float64, mode int) num {
	if mode == rounded {
		return num{v: v}
	}
	return exact(v)
}

// exact returns v, to be computed with exactly.
func exact(v float64) num { return num{x: new(big.Float).SetPrec(1 << 15).SetFloat64(v)} }

// near returns the result of one operation that gave v, and whose operands are off by so much in it. Off itself is
// rounded at most six times, less than 2^-50 of it; what underflows, less than 2^-1000. What overflows is infinitely off.
func near(v, off float64) num {
	return num{v: v, off: (off+math.Abs(v)*0x1p-53)*(1+0x1p-50) + 0x1p-1000}
}

func (a num) plus(b num) num {
	switch {
	case b.x == nil:
		return near(a.v+b.v, a.off+b.off)
	case a.x == nil:
		return b
	}
	return num{x: new(big.Float).Add(a.x, b.x)}
}

func (a num) minus(b num) num {
	if b.x == nil {
		return near(a.v-b.v, a.off+b.off)
	}
	return num{x: new(big.Float).Sub(a.x, b.x)}
}

func (a num) times(b num) num {
	if a.x == nil {
		return near(a.v*b.v, math.Abs(a.v)*b.off+math.Abs(b.v)*a.off+a.off*b.off)
	}
	return num{x: new(big.Float).Mul(a.x, b.x)}
}

func (a num) abs() num {
	if a.x == nil {
		return num{v: math.Abs(a.v), off: a.off}
	}
	return num{x: new(big.Float).Abs(a.x)}
}

// max returns the greater one, which is off by no more than the worse of both.
func (a num) max(b num) num {
	switch {
	case b.x == nil:
		return num{v: max(a.v, b.v), off: max(a.off, b.off)}
	case a.x == nil || a.x.Cmp(b.x) < 0:
		return b
	}
	return a
}

// sign returns −1, 0 or 1, and whether that is sure.
func (a num) sign() (s int, sure bool) {
	switch {
	case a.x != nil:
		return a.x.Sign(), true
	case a.v < 0:
		return -1, -a.v > a.off
	}
	return 1, a.v > a.off
}

// cmp compares a, which is exact, with b.
func (a num) cmp(b num) int { return a.x.Cmp(b.x) }

func finite(v float64) bool { return math.Abs(v) <= math.MaxFloat64 }

// norm is ℓ∞, ℓ1 or ℓ2, by its name in the file: inf, 1 or 2.
type norm string

func (n norm) dual() norm {
	switch n {
	case "inf":
		return "1"
	case "1":
		return "inf"
	}
	return n
}

// raise returns |v|, or its square for ℓ2.
func (n norm) raise(v num) num {
	if n == "2" {
		return v.times(v)
	}
	return v.abs()
}

// join adds a coordinate that is raised to a length, of which ℓ2 has the square.
func (n norm) join(length, v num) num {
	if n == "inf" {
		return length.max(v)
	}
	return length.plus(v)
}

// compare compares ‖z − x‖ with b + more·max(1, b).
func (n norm) compare(z, x []float64, b, more float64) (s int) {
	for mode, sure := rounded, false; !sure; mode++ {
		var length num
		for j := range x {
			length = n.join(length, n.raise(lift(z[j], mode).minus(lift(x[j], mode))))
		}
		limit := lift(b, mode)
		if more > 0 {
			limit = limit.plus(lift(more, mode).times(lift(max(1, b), mode)))
		}
		s, sure = length.minus(n.raise(limit)).sign()
	}
	return s
}
