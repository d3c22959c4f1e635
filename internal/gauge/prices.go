// Package gauge holds norms, and prices of their coordinates and directions.
package gauge

import (
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/precise"
)

// Prices are what a unit of displacement costs in each coordinate, upwards and downwards:
// positive numbers, +Inf where there is no moving that way. The length of u is then that
// of its costs, c_j(u_j), which is a gauge: a norm, but that u and −u may differ. A nil
// *Prices is 1 everywhere.
type Prices struct{ Up, Down []float64 }

// Cost returns what it costs to move coordinate j by v.
func (p *Prices) Cost(j int, v float64) float64 {
	switch {
	case v > 0:
		return v * p.Up[j]
	case v < 0:
		return -v * p.Down[j]
	}
	return math.Abs(v) // 0 whatever the price, or no number
}

// gain returns how much g·u_j grows with what is spent on coordinate j.
func (p *Prices) gain(j int, g float64) float64 {
	if g > 0 {
		return g / p.Up[j]
	}
	return -g / p.Down[j]
}

// Length returns ‖u‖.
func (p *Prices) Length(k Norm, u []float64) float64 {
	if p == nil {
		return k.Length(u)
	}
	return k.Join(len(u), func(j int) float64 { return p.Cost(j, u[j]) })
}

// Distance returns ‖z − x‖.
func (p *Prices) Distance(k Norm, x, z []float64) float64 {
	return k.Join(len(x), func(j int) float64 { return p.Cost(j, z[j]-x[j]) })
}

// DualDistance returns the dual length of z − x.
func (p *Prices) DualDistance(k Norm, x, z []float64) float64 {
	if k == LInf { // the norm of questions without a distance
		sum := 0.0
		for j, e := range x {
			sum += p.gain(j, z[j]-e)
		}
		return sum
	}
	return k.Dual().Join(len(x), func(j int) float64 { return p.gain(j, z[j]-x[j]) })
}

// Support returns the largest −a·u of all u with ‖u‖ ≤ 1: the half-space a·u ≤ −b < 0 lies at
// distance b/Support(a).
func (p *Prices) Support(k Norm, a []float64) float64 {
	if p == nil {
		return k.Dual().Length(a)
	}
	return k.Dual().Join(len(a), func(j int) float64 { return p.gain(j, -a[j]) })
}

// SymmetricSupport returns the largest a·u of all u with ‖u‖ ≤ 1 at the lower price of each
// coordinate both ways: at least Support of a and of −a.
func (p *Prices) SymmetricSupport(k Norm, a []float64) float64 {
	if p == nil {
		return k.Dual().Length(a)
	}
	return k.Dual().Join(len(a),
		func(j int) float64 { return math.Abs(a[j] / min(p.Up[j], p.Down[j])) })
}

// Join returns the length of n numbers ≥ 0.
func (k Norm) Join(n int, at func(j int) float64) float64 {
	var most, sum, squares float64
	for j := range n {
		v := at(j)
		sum += v
		squares += float64(v * v)
		if !(v <= most) {
			most = v
		}
	}
	switch {
	case k == L1 || sum != sum:
		return sum
	case k == LInf || most == 0 || math.IsInf(most, 1):
		return most
	case precise.Usual(squares):
		return math.Sqrt(squares)
	}
	squares = 0
	for j := range n {
		v := at(j) / most
		squares += float64(v * v)
	}
	return most * math.Sqrt(squares)
}
