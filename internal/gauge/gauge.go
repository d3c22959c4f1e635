package gauge

import (
	"errors"
	"fmt"
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/precise"
)

// Gauge measures displacements: u is as long as ‖(c_j(u_j))‖, where c_j(u_j) is what it costs
// to move coordinate j by u_j. Without prices it is the Norm. Where prices differ by
// direction, u and −u differ in length.
type Gauge struct {
	Norm   Norm
	Prices *Prices
}

// Of returns the gauge of a norm and prices, nil for 1.
func Of(norm Norm, prices *Prices) Gauge { return Gauge{norm, prices} }

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

// Priced returns what it costs to move coordinate j by a gap, downwards or upwards, rounded down.
func (g Gauge) Priced(j int, gap float64, downwards bool) float64 {
	if g.Prices == nil || gap == 0 {
		return gap
	}
	price := g.Prices.Up[j]
	if downwards {
		price = g.Prices.Down[j]
	}
	if math.IsInf(price, 1) {
		return price
	}
	return min(precise.MulDown(gap, price), math.MaxFloat64)
}

// What vectors and prices can have wrong: those of package polytope.
var (
	ErrDimension = errors.New("dimensions differ")
	ErrNotFinite = errors.New("not a finite number")
	ErrPrice     = errors.New("not a price")
)

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
				"cannot take: %w: use norm inf or 1", j, up, down, errors.ErrUnsupported)
		}
	}
	return nil
}
