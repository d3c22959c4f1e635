package classifiertest

import (
	"math"
	"math/bits"

	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// side is where a point lies with respect to a cell.
type side int

const (
	outside side = iota
	unclear      // within the rounding errors of a side
	inside
)

// sideOf returns where z lies with respect to p.
func sideOf(p polytope.Polyhedron, z []float64) side {
	if !p.Box.Contains(z) {
		return outside
	}
	where := inside
	for _, h := range p.HalfSpaces {
		where = min(where, sideOfHalfSpace(h, z))
		if where == outside {
			return outside
		}
	}
	if p.Rest == nil {
		return where
	}
	return min(where, sideOfRest(p.Rest, z))
}

func sideOfHalfSpace(h polytope.HalfSpace, z []float64) side {
	if math.IsInf(h.B, 0) {
		return decided(h.Contains(z))
	}
	value, _ := precise.Excess(h.A, h.B, z)
	slack, exact := rounding(h, z)
	if !exact && math.Abs(value) <= slack {
		return unclear
	}
	return decided(value < 0 || value == 0 && !h.Open)
}

func decided(in bool) side {
	if in {
		return inside
	}
	return outside
}

// rounding bounds the error of A·z − B as a plain sum, and as much again for the
// error that A and B may come with. exact says that no sum rounds, in any order the terms are
// added: all are multiples of a unit of which 2⁵³ exceed their sum.
func rounding(h polytope.HalfSpace, z []float64) (slack float64, exact bool) {
	size, unit := math.Abs(h.B), lastBit(h.B)
	exact = true
	for j, a := range h.A {
		p := float64(a * z[j])
		exact = exact && math.FMA(a, z[j], -p) == 0
		size, unit = size+math.Abs(p), min(unit, lastBit(p))
	}
	return 2 * float64(len(z)+2) * precise.Roundoff * size, exact && size < 0x1p53*unit
}

// lastBit returns the value of the last bit of v that is set, +Inf for 0.
func lastBit(v float64) float64 {
	if v == 0 {
		return math.Inf(1)
	}
	fraction, exponent := math.Frexp(math.Abs(v))
	zeros := bits.TrailingZeros64(uint64(fraction * 0x1p53))
	return math.Ldexp(1, exponent-53+zeros)
}

// sideOfRest lets a Rest decide that has a method Contains; it then agrees with the
// classifier to the last bit.
func sideOfRest(rest polytope.Separator, z []float64) side {
	if r, ok := rest.(interface{ Contains(z []float64) bool }); ok {
		return decided(r.Contains(z))
	}
	where := inside
	rest.Separate(z, make([]float64, len(z)), func(a []float64, b float64) bool {
		size := 0.0
		for j, e := range a {
			size += math.Abs(e * z[j])
		}
		if math.Abs(b) <= nearRest*size {
			where = min(where, unclear)
			return false
		}
		if b < 0 {
			where = outside
		}
		return b < 0
	})
	return where
}

// nearRest is the share of A·z below which the distance from a side that Rest names
// may be rounding: such sides come from differences of squares, say.
const nearRest = 1e-12
