package geometry

import (
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// BoundBox returns a lower bound on the cost of a move from x to the closed box, for finite x:
// +Inf when the box is empty, or out of reach, and else at most the largest float64. Without prices
// it is the distance itself, rounded down, in ℓ∞ and wherever no sum on the way is rounded.
func (c Cost) BoundBox(b polytope.Box, x []float64) float64 {
	var sum, most float64
	for j, i := range b {
		if Empty(i) {
			return math.Inf(1)
		}
		gap := c.Gap(j, i, x[j])
		most = max(most, gap)
		if c.Norm == polytope.L1 {
			sum = precise.AddDown(sum, gap)
		}
	}
	switch {
	case math.IsInf(most, 1):
		return most
	case c.Norm == polytope.L1:
		return sum
	case c.Norm == polytope.LInf || most == 0:
		return most
	}
	squares := precise.NewEuclidean(most)
	for j, i := range b {
		squares.Add(c.Gap(j, i, x[j]))
	}
	return squares.Root()
}

// BoundHalfSpace returns the cost of a move from x to h, rounded down: at most the largest
// float64, or +Inf when h is empty. Without prices it is max(0, A·x − B)/‖A‖_q with q dual to the
// norm.
func (c Cost) BoundHalfSpace(h polytope.HalfSpace, x []float64) float64 {
	v, err, length, unit := c.measure(h, x)
	switch {
	case EmptyHalfSpace(h), v > err && length == 0:
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

// EmptyHalfSpace reports whether h is {z : A·z ≤ −∞} or {z : 0 < 0}.
func EmptyHalfSpace(h polytope.HalfSpace) bool {
	return math.IsInf(h.B, -1) || h.Open && h.B == 0 && precise.MaxAbs(h.A) == 0
}

// negligible is a distance below which numbers lose digits.
const negligible = 0x1p-1000

// measure returns the excess at x, a bound on its error, and the length to divide
// them by, in numbers that have not overflowed; the result is to be multiplied by the unit.
func (c Cost) measure(h polytope.HalfSpace, x []float64) (v, err, length, unit float64) {
	length = c.Support(h.A)
	v, err = precise.Excess(h.A, h.B, x)
	if (precise.Usual(length) && precise.Finite(v+err)) || length == 0 || math.IsInf(h.B, 0) {
		return v, err, length, 1
	}
	unit = 1
	if !precise.Finite(v + err) {
		// Products of a coefficient up to 1 with these do not overflow, nor does
		// their sum.
		unit = 0x1p64
	}
	_, exponent := math.Frexp(precise.MaxAbs(h.A))
	scaled, z := make([]float64, len(h.A)), make([]float64, len(h.A))
	for j, a := range h.A {
		scaled[j], z[j] = math.Ldexp(a, -exponent), x[j]/unit
	}
	v, err = precise.Excess(scaled, math.Ldexp(h.B/unit, -exponent), z)
	return v, err, c.Support(scaled), unit
}

// Bound returns a lower bound on the cost of a move from x to p: the largest of those of its
// box, of its half-spaces, and of the one that Rest names first. It takes one pass over them.
func (c Cost) Bound(p polytope.Polyhedron, x []float64) float64 {
	bound := c.BoundBox(p.Box, x)
	for _, h := range p.HalfSpaces {
		bound = max(bound, c.BoundHalfSpace(h, x))
	}
	if p.Rest != nil {
		origin := make([]float64, len(x))
		p.Rest.Separate(x, origin, func(a []float64, b float64) bool {
			h := polytope.HalfSpace{A: a, B: b + math.Abs(b)*precise.Roundoff*float64(len(a))}
			bound = max(bound, c.BoundHalfSpace(h, origin))
			return b < 0
		})
	}
	return bound
}
