package polytope

import (
	"fmt"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/gauge"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
)

// Prices say what it costs to move each coordinate by a unit, upwards and downwards: positive
// numbers Up and Down, or +Inf where there is no moving that way. A nil *Prices is 1 everywhere.
type Prices = gauge.Prices

// Gauge measures displacements: u is as long as ‖(c_j(u_j))‖, where c_j(u_j) is what it costs
// to move coordinate j by u_j. Without prices it is the Norm. Where prices differ by
// direction, u and −u differ in length.
type Gauge struct {
	Norm   Norm
	Prices *Prices
}

// Length returns how long u is. A NaN in u makes it NaN.
func (g Gauge) Length(u []float64) float64 { return g.Prices.Length(g.Norm, u) }

// Distance returns what it costs to move from x to z.
func (g Gauge) Distance(x, z []float64) float64 {
	if g.Prices == nil {
		return g.Norm.Distance(x, z)
	}
	return g.Prices.Distance(g.Norm, x, z[:len(x)])
}

// DualDistance returns the largest (z−x)·u of the displacements u that cost at most 1.
func (g Gauge) DualDistance(x, z []float64) float64 {
	if g.Prices == nil {
		return g.Norm.Dual().Distance(x, z)
	}
	return g.Prices.DualDistance(g.Norm, x, z[:len(x)])
}

// Support returns the largest −a·u of the displacements u that cost at most 1: the way from x to
// the half-space {z: a·z ≤ b} costs max(0, a·x − b)/Support(a).
func (g Gauge) Support(a []float64) float64 { return g.Prices.Support(g.Norm, a) }

// SymmetricSupport returns the largest a·u of the displacements u that cost at most 1 when the
// lower price of each coordinate counts both ways.
func (g Gauge) SymmetricSupport(a []float64) float64 { return g.Prices.SymmetricSupport(g.Norm, a) }

// Bound returns a lower bound on what it costs to move from x into p, as Polyhedron.Bound.
func (g Gauge) Bound(p Polyhedron, x []float64) float64 {
	bound := g.boxBound(p.Box, x)
	for _, h := range p.HalfSpaces {
		bound = max(bound, g.HalfSpaceBound(h, x))
	}
	if p.Rest != nil {
		origin := make([]float64, len(x))
		p.Rest.Separate(x, origin, func(a []float64, b float64) bool {
			h := HalfSpace{A: a, B: b + math.Abs(b)*precise.Roundoff*float64(len(a))}
			bound = max(bound, g.HalfSpaceBound(h, origin))
			return b < 0
		})
	}
	return bound
}

// Cost returns what it costs to move coordinate j by v.
func (g Gauge) Cost(j int, v float64) float64 {
	if g.Prices == nil || v == 0 {
		return math.Abs(v)
	}
	return g.Prices.Cost(j, v)
}

// Unit returns the lower price of coordinate j.
func (g Gauge) Unit(j int) float64 {
	if g.Prices == nil {
		return 1
	}
	return min(g.Prices.Up[j], g.Prices.Down[j])
}

// HalfSpaceBound is Bound for a single half-space.
func (g Gauge) HalfSpaceBound(h HalfSpace, x []float64) float64 { return h.bound(g, x) }

// boxBound is Bound for a box.
func (g Gauge) boxBound(b Box, x []float64) float64 {
	if g.Prices == nil {
		return b.Bound(g.Norm, x)
	}
	var sum, most float64
	gaps := make([]float64, len(b))
	for j, i := range b {
		if i.Empty() {
			return math.Inf(1)
		}
		gaps[j] = g.Gap(j, i, x[j])
		most = max(most, gaps[j])
		if g.Norm == L1 {
			sum = precise.AddDown(sum, gaps[j])
		}
	}
	switch {
	case math.IsInf(most, 1):
		return most
	case g.Norm == L1:
		return sum
	case g.Norm == LInf || most == 0:
		return most
	}
	squares := precise.NewEuclidean(most)
	for _, gap := range gaps {
		squares.Add(gap)
	}
	return squares.Root()
}

// Gap returns what it costs to move coordinate j from v into an interval, rounded down.
func (g Gauge) Gap(j int, i Interval, v float64) float64 {
	gap := i.Bound(v)
	if g.Prices == nil || gap == 0 {
		return gap
	}
	price := g.Prices.Up[j]
	if v > i.Hi {
		price = g.Prices.Down[j]
	}
	if math.IsInf(price, 1) {
		return price
	}
	return min(precise.MulDown(gap, price), math.MaxFloat64)
}

// Check returns an error for prices in R^dim that are none, or that the norm cannot take.
func (g Gauge) Check(dim int) error {
	if g.Prices == nil {
		return nil
	}
	p := g.Prices
	if len(p.Up) != dim || len(p.Down) != dim {
		return fmt.Errorf("prices: %w: got %d and %d, want %d",
			ErrDimension, len(p.Up), len(p.Down), dim)
	}
	for j := range dim {
		up, down := p.Up[j], p.Down[j]
		switch {
		case !(up > 0) || !(down > 0):
			return fmt.Errorf(
				"prices of coordinate %d, %v up and %v down: %w: they must be positive",
				j, up, down, ErrPrice,
			)
		case g.Norm == L2 && up != down && !math.IsInf(max(up, down), 1):
			return fmt.Errorf("prices of coordinate %d, %v up and %v down, differ, which norm 2 "+
				"cannot take: %w: use norm inf or 1", j, up, down, ErrUnsupported)
		}
	}
	return nil
}

// within returns the part of a box that can be reached from x: beyond x where there is no moving a
// coordinate one way, there is nothing.
func within(p *Prices, b Box, x []float64) Box {
	if p == nil ||
		!slices.ContainsFunc(slices.Concat(p.Up, p.Down), func(v float64) bool {
			return math.IsInf(v, 1)
		}) {
		return b
	}
	reach := NewBox(len(x))
	for j, v := range x {
		if math.IsInf(p.Up[j], 1) {
			reach[j].Hi = v
		}
		if math.IsInf(p.Down[j], 1) {
			reach[j].Lo = v
		}
	}
	return reach.Intersect(b)
}
