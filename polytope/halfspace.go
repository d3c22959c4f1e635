package polytope

import (
	"fmt"
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/gauge"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
)

// HalfSpace is {z : A·z ≤ B}, or {z : A·z < B} when Open is set. A zero A gives
// the whole space or the empty set, as 0 ≤ B, or 0 < B, says.
type HalfSpace struct {
	A    []float64
	B    float64
	Open bool
}

// Contains reports whether z lies in h, in float64 arithmetic.
func (h HalfSpace) Contains(z []float64) bool {
	if v, _ := h.Excess(z); h.Open {
		return v < 0
	} else {
		return v <= 0
	}
}

// Bound returns the distance from x to h where moves have prices, nil for 1, rounded down: at most
// the largest float64, or +Inf when h is empty. Without prices it is max(0, A·x − B)/‖A‖_q with q
// dual to norm.
func (h HalfSpace) Bound(norm Norm, prices *Prices, x []float64) float64 {
	return h.bound(gaugeOf(norm, prices), x)
}

// bound is Bound in a gauge.
func (h HalfSpace) bound(g gauge.Gauge, x []float64) float64 {
	v, err, length, unit := h.measure(g, x)
	switch {
	case h.empty(), v > err && length == 0:
		return math.Inf(1)
	case !(v > err):
		return 0
	case !precise.Finite(v):
		return 0 // overflowed even so
	}
	// The excess less its error is rounded once, the length len(A)+2 times, the
	// quotient and this product once each.
	bound := (v - err) / length * (1 - precise.Roundoff*float64(2*len(x)+8)) * unit
	if bound < negligible {
		return 0 // rounded to a few digits, perhaps up
	}
	return min(bound, math.MaxFloat64)
}

// empty reports whether h is {z : A·z ≤ −∞} or {z : 0 < 0}.
func (h HalfSpace) empty() bool {
	return math.IsInf(h.B, -1) || h.Open && h.B == 0 && precise.MaxAbs(h.A) == 0
}

// negligible is a distance below which numbers lose digits.
const negligible = 0x1p-1000

// measure returns the excess at x, a bound on its error, and the length to divide
// them by, in numbers that have not overflowed; what comes out is to be multiplied
// by the unit.
func (h HalfSpace) measure(g gauge.Gauge, x []float64) (v, err, length, unit float64) {
	length = g.Support(h.A)
	if v, err = h.Excess(x); (precise.Usual(length) && precise.Finite(v+err)) || length == 0 ||
		math.IsInf(h.B, 0) {
		return v, err, length, 1
	}
	unit = 1
	if !precise.Finite(v + err) {
		// Products of a coefficient up to 1 with these do not overflow, nor does
		// their sum.
		unit = 0x1p64
	}
	_, exponent := math.Frexp(LInf.Length(h.A))
	scaled := HalfSpace{A: make([]float64, len(h.A)), B: math.Ldexp(h.B/unit, -exponent)}
	z := make([]float64, len(h.A))
	for j, a := range h.A {
		scaled.A[j], z[j] = math.Ldexp(a, -exponent), x[j]/unit
	}
	v, err = scaled.Excess(z)
	return v, err, g.Support(scaled.A), unit
}

// Excess returns A·z − B, and a bound on the rounding error in it. Where the
// terms cancel it is computed in twice the precision. Solvers take it for the
// right-hand side of a·(z−x) ≤ B − A·x.
func (h HalfSpace) Excess(z []float64) (value, err float64) {
	if math.IsInf(h.B, 0) {
		return -h.B, 0
	}
	z = z[:len(h.A)]
	size := math.Abs(h.B)
	value = -h.B
	for j, a := range h.A {
		p := float64(a * z[j])
		value += p
		size += math.Abs(p)
	}
	n := float64(len(h.A) + 2)
	underflow := n * math.SmallestNonzeroFloat64 // what products may have lost
	if math.Abs(value) > cancelled*size {
		return value, n*precise.Roundoff*size + underflow
	}
	value = h.compensated(z)
	return value, precise.Roundoff*math.Abs(value) + n*n*precise.Roundoff*precise.Roundoff*size +
		2*underflow
}

// cancelled is the share of a sum's terms that must be left for the plain sum to be
// good to thirteen digits.
const cancelled = 1.0 / 64

// compensated returns A·z − B as if computed in twice the precision (Ogita, Rump
// and Oishi, "Accurate sum and dot product", SIAM J. Sci. Comput. 26 (2005),
// algorithm Dot2).
func (h HalfSpace) compensated(z []float64) float64 {
	sum, low := -h.B, 0.0
	for j, a := range h.A {
		p := float64(a * z[j])
		low += math.FMA(a, z[j], -p)
		s, rest := precise.TwoSum(sum, p)
		sum, low = s, low+rest
	}
	return sum + low
}

func (h HalfSpace) check(dim int) error {
	if len(h.A) != dim {
		return fmt.Errorf("%w: got %d coefficients, want %d", ErrDimension, len(h.A), dim)
	}
	for j, a := range h.A {
		if !precise.Finite(a) {
			return fmt.Errorf("coefficient %d is %v: %w", j, a, ErrNotFinite)
		}
	}
	if math.IsNaN(h.B) {
		return fmt.Errorf("right-hand side is NaN: %w", ErrNotFinite)
	}
	return nil
}
