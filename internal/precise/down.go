package precise

import "math"

// AddDown returns the largest float64 ≤ a + b, for finite a and b: the largest of
// all where the sum overflows.
func AddDown(a, b float64) float64 {
	s, low := TwoSum(a, b)
	if low >= 0 {
		return s
	}
	return below(s)
}

// SubDown returns the largest float64 ≤ a − b, as AddDown.
func SubDown(a, b float64) float64 { return AddDown(a, -b) }

// AddUp and SubUp return sums and differences rounded up.
func AddUp(a, b float64) float64 { return -AddDown(-a, -b) }
func SubUp(a, b float64) float64 { return -AddDown(-a, b) }

// End returns where the numbers up to a + b end: that number or, if it is no float64, the next one,
// which is not among them. Thresholds are float64, so that no test tells apart the numbers between
// two neighbours.
func End(a, b float64) (end float64, open bool) {
	down, up := AddDown(a, b), AddUp(a, b)
	return up, down < up
}

// below returns the float64 before s, the largest of all for +Inf.
func below(s float64) float64 { return math.Nextafter(s, math.Inf(-1)) }

// Euclidean adds up squares of numbers ≥ 0. It does not overflow, and leaves out
// numbers too small to count.
type Euclidean struct{ unit, sum float64 }

// negligible is the share of the largest number below which another one is left
// out. Squares of larger ones, and their rounding errors, are normal float64.
const negligible = 0x1p-400

// NewEuclidean returns an empty sum for numbers up to most.
func NewEuclidean(most float64) Euclidean {
	_, exponent := math.Frexp(most)
	// Beyond these exponents the inverse of the unit would overflow.
	return Euclidean{unit: math.Ldexp(1, min(max(exponent, -1000), 1000))}
}

// Add adds v².
func (e *Euclidean) Add(v float64) {
	v /= e.unit
	if v < negligible {
		return
	}
	square := float64(v * v)
	if math.FMA(v, v, -square) < 0 {
		square = below(square)
	}
	e.sum = AddDown(e.sum, square)
}

// Root returns a number at most the root of the sum: the root itself where all
// squares and sums on the way are float64.
func (e *Euclidean) Root() float64 {
	root := math.Sqrt(e.sum)
	if math.FMA(root, root, -e.sum) > 0 {
		root = below(root)
	}
	if v := root * e.unit; v/e.unit <= root && !math.IsInf(v, 1) {
		return v
	}
	return below(root * e.unit) // overflowed, or rounded up to a subnormal number
}

// MulDown returns a float64 ≤ a·b, for finite a and b ≥ 0: the product itself where that is one and
// no tiny number, and the largest of all where it overflows.
func MulDown(a, b float64) float64 {
	const tiny = 0x1p-900 // rounding errors of smaller products may be no float64
	p := a * b
	if a == 1 || p == 0 || (p > tiny && math.FMA(a, b, -p) >= 0) {
		return p
	}
	return below(p)
}
