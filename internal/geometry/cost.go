// Package geometry has the calculations of engines with the norms, prices, boxes and polyhedra of
// package polytope: lengths of moves and bounds on distances, rounded so that they are never too
// large.
package geometry

import (
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Cost measures displacements: u costs ‖(c_j(u_j))‖, where c_j(u_j) is the cost of moving
// coordinate j by u_j. Without prices it is the length in the Norm. Where prices differ by
// direction, u and −u differ in cost.
type Cost struct {
	Norm   polytope.Norm
	Prices *polytope.Prices // nil for 1
}

// In returns the cost in a norm, without prices.
func In(norm polytope.Norm) Cost { return Cost{Norm: norm} }

// Of returns the cost of a problem.
func Of(p *polytope.Problem) Cost { return Cost{p.Norm, p.Prices} }

// Problem asks for the point of a region closest to x.
func (c Cost) Problem(x []float64, region polytope.Polyhedron) polytope.Problem {
	return polytope.Problem{Norm: c.Norm, Prices: c.Prices, X: x, Region: region}
}

// Length returns the cost of u. A NaN in u makes it NaN.
func (c Cost) Length(u []float64) float64 {
	if c.Prices == nil {
		return Length(c.Norm, u)
	}
	return Join(c.Norm, len(u), func(j int) float64 { return c.Coordinate(j, u[j]) })
}

// Distance returns the cost of a move from x to z.
func (c Cost) Distance(x, z []float64) float64 {
	if c.Prices == nil {
		return c.Norm.Distance(x, z)
	}
	z = z[:len(x)]
	return Join(c.Norm, len(x), func(j int) float64 { return c.Coordinate(j, z[j]-x[j]) })
}

// DualDistance returns the largest (z−x)·u of the displacements u that cost at most 1.
func (c Cost) DualDistance(x, z []float64) float64 {
	if c.Prices == nil {
		return Dual(c.Norm).Distance(x, z)
	}
	z = z[:len(x)]
	if c.Norm == polytope.LInf { // the norm of questions without a distance
		sum := 0.0
		for j, e := range x {
			sum += c.gain(j, z[j]-e)
		}
		return sum
	}
	return Join(Dual(c.Norm), len(x), func(j int) float64 { return c.gain(j, z[j]-x[j]) })
}

// Support returns the largest −a·u of the displacements u that cost at most 1: the way from x to
// the half-space {z: a·z ≤ b} costs max(0, a·x − b)/Support(a).
func (c Cost) Support(a []float64) float64 {
	if c.Prices == nil {
		return DualLength(c.Norm, a)
	}
	return Join(Dual(c.Norm), len(a), func(j int) float64 { return c.gain(j, -a[j]) })
}

// SymmetricSupport returns the largest a·u of the displacements u that cost at most 1 when the
// lower price of each coordinate counts both ways: at least Support of a and of −a.
func (c Cost) SymmetricSupport(a []float64) float64 {
	if c.Prices == nil {
		return DualLength(c.Norm, a)
	}
	return Join(Dual(c.Norm), len(a), func(j int) float64 { return math.Abs(a[j] / c.Unit(j)) })
}

// Coordinate returns the cost of moving coordinate j by v.
func (c Cost) Coordinate(j int, v float64) float64 {
	switch {
	case c.Prices == nil:
	case v > 0:
		return v * c.Prices.Up[j]
	case v < 0:
		return -v * c.Prices.Down[j]
	}
	return math.Abs(v) // 0 at any price, or no number
}

// gain returns how fast g·u_j grows with the price that is paid for coordinate j.
func (c Cost) gain(j int, g float64) float64 {
	if g > 0 {
		return g / c.Prices.Up[j]
	}
	return -g / c.Prices.Down[j]
}

// Price returns the price of moving coordinate j by a unit in a direction, a number that is not 0.
func (c Cost) Price(j int, direction float64) float64 {
	switch {
	case c.Prices == nil:
		return 1
	case direction > 0:
		return c.Prices.Up[j]
	}
	return c.Prices.Down[j]
}

// Unit returns the lower price of coordinate j.
func (c Cost) Unit(j int) float64 {
	if c.Prices == nil {
		return 1
	}
	return min(c.Prices.Up[j], c.Prices.Down[j])
}

// Gap returns the cost of moving coordinate j from v to an interval, rounded down.
func (c Cost) Gap(j int, i polytope.Interval, v float64) float64 {
	gap := Gap(i, v)
	if c.Prices == nil || gap == 0 {
		return gap
	}
	price := c.Price(j, i.Lo-v)
	if math.IsInf(price, 1) {
		return price
	}
	return min(precise.MulDown(gap, price), math.MaxFloat64)
}
