package geometry

import (
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Scaling is how programs calculate with prices.
//
// In ℓ2 coordinates are multiplied by their prices, after which lengths are Euclidean. In ℓ∞
// and ℓ1 they stay as they are, so that rows keep the shape in which pivots are as good as
// they are without prices: the method knows the prices, in units of a power of two. Either way a
// coordinate that does not move drops out of the rows.
type Scaling struct {
	// that a coordinate is multiplied by, +Inf if it does not move; empty if all prices are 1
	Unit  []float64
	Cost  // of the coordinates multiplied by units: in ℓ2 without prices
	Given Cost
}

// Set takes up a cost.
func (s *Scaling) Set(c Cost) {
	s.Unit, s.Cost, s.Given = s.Unit[:0], In(c.Norm), c
	p := c.Prices
	if p == nil {
		return
	}
	lowest := math.Inf(1)
	for j, up := range p.Up {
		lowest = min(lowest, up, p.Down[j])
	}
	_, exponent := math.Frexp(lowest)
	for j, up := range p.Up {
		unit := min(up, p.Down[j])
		if s.Norm != polytope.L2 && !math.IsInf(unit, 1) {
			unit = math.Ldexp(1, exponent-1)
		}
		s.Unit = append(s.Unit, unit)
	}
	if s.Norm == polytope.L2 {
		return
	}
	s.Prices = &polytope.Prices{Up: make([]float64, len(p.Up)), Down: make([]float64, len(p.Up))}
	for j, unit := range s.Unit {
		s.Prices.Up[j], s.Prices.Down[j] = inUnits(p.Up[j], p.Down[j], unit), inUnits(p.Down[j],
			p.Up[j], unit)
	}
}

// inUnits returns a price in a unit. A direction that does not exist is closed by a side of a box;
// it costs as much as the other here.
func inUnits(price, other, unit float64) float64 {
	if math.IsInf(price, 1) {
		price = other
	}
	if math.IsInf(unit, 1) {
		return 1
	}
	return price / unit
}

// Back writes a point to dst, in the coordinates of the caller.
func (s *Scaling) Back(dst, u []float64) {
	for j, unit := range s.Unit {
		dst[j] = u[j] / unit
	}
}

// Scale writes a row in the coordinates of the program over one in those of the caller.
func (s *Scaling) Scale(a []float64) {
	for j, unit := range s.Unit {
		a[j] /= unit
	}
}

// DualLength returns that of a row of the caller in the coordinates of the program, with
// which it is divided: where there are prices, a power of two next to it, which does not round.
func (s *Scaling) DualLength(a []float64) float64 {
	if len(s.Unit) == 0 {
		return DualLength(s.Norm, a)
	}
	return powerOfTwo(
		Join(Dual(s.Norm), len(a), func(j int) float64 { return math.Abs(a[j] / s.Unit[j]) }),
	)
}

// powerOfTwo returns the largest power of two up to v, and v itself if it is 0 or infinite.
func powerOfTwo(v float64) float64 {
	if v == 0 || !precise.Finite(v) {
		return v
	}
	_, exponent := math.Frexp(v)
	return math.Ldexp(1, exponent-1)
}
