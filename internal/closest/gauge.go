package closest

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
func (p *Prices) Length(k Kind, u []float64) float64 {
	if p == nil {
		return k.Length(u)
	}
	return k.join(len(u), func(j int) float64 { return p.Cost(j, u[j]) })
}

// Distance returns ‖z − x‖.
func (p *Prices) Distance(k Kind, x, z []float64) float64 {
	return k.join(len(x), func(j int) float64 { return p.Cost(j, z[j]-x[j]) })
}

// Reach returns the largest a·u of all u with ‖u‖ ≤ 1, the dual gauge of a.
func (p *Prices) Reach(k Kind, a []float64) float64 {
	if p == nil {
		return k.dualLength(a)
	}
	return k.dual().join(len(a), func(j int) float64 { return p.gain(j, a[j]) })
}

// ReachTo returns Reach of z − x.
func (p *Prices) ReachTo(k Kind, x, z []float64) float64 {
	return k.dual().join(len(x), func(j int) float64 { return p.gain(j, z[j]-x[j]) })
}

// Sink returns Reach of −a: the half-space a·u ≤ −b < 0 lies at distance b/Sink(a).
func (p *Prices) Sink(k Kind, a []float64) float64 {
	if p == nil {
		return k.dualLength(a)
	}
	return k.dual().join(len(a), func(j int) float64 { return p.gain(j, -a[j]) })
}

// Span returns the largest a·u of all u with ‖u‖ ≤ 1 at the lower price of each coordinate both
// ways: at least Reach and Sink.
func (p *Prices) Span(k Kind, a []float64) float64 {
	if p == nil {
		return k.dualLength(a)
	}
	return k.dual().join(len(a), func(j int) float64 { return math.Abs(a[j] / min(p.Up[j], p.Down[j])) })
}

// join returns the length of n numbers ≥ 0.
func (k Kind) join(n int, at func(j int) float64) float64 {
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
	case k == One || sum != sum:
		return sum
	case k == Inf || most == 0 || math.IsInf(most, 1):
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

// scaling is how a Program calculates with prices: coordinates are multiplied by the lower
// price of the two directions, so that rows and points are of the size of what they cost.
// In the new coordinates the prices are 1 but for ratio, nil if they are the same both ways.
type scaling struct {
	unit  []float64 // empty if all prices are 1
	ratio *Prices
}

// set takes up prices, nil for 1.
func (s *scaling) set(p *Prices) {
	s.unit, s.ratio = s.unit[:0], nil
	if p == nil {
		return
	}
	for j, up := range p.Up {
		s.unit = append(s.unit, min(up, p.Down[j]))
		if up != p.Down[j] && !math.IsInf(max(up, p.Down[j]), 1) && s.ratio == nil {
			s.ratio = &Prices{make([]float64, len(p.Up)), make([]float64, len(p.Up))}
		}
	}
	for j, unit := range s.unit {
		if s.ratio != nil {
			s.ratio.Up[j], s.ratio.Down[j] = ratio(p.Up[j], unit), ratio(p.Down[j], unit)
		}
	}
}

// ratio returns a price in units of the lower one. A direction that does not exist is closed
// by a side of a box; it costs as much as the other here.
func ratio(price, unit float64) float64 {
	if math.IsInf(price, 1) {
		return 1
	}
	return price / unit
}

// back writes to dst what a point is in the coordinates of the caller.
func (s *scaling) back(dst, u []float64) {
	for j, unit := range s.unit {
		dst[j] = u[j] / unit
	}
}

// scale writes a row in the coordinates of the program over one in those of the caller.
func (s *scaling) scale(a []float64) {
	for j, unit := range s.unit {
		a[j] /= unit
	}
}

// length returns the Span of a row of the caller, with which it is divided.
func (s *scaling) length(k Kind, a []float64) float64 {
	if len(s.unit) == 0 {
		return k.dualLength(a)
	}
	return k.dual().join(len(a), func(j int) float64 { return math.Abs(a[j] / s.unit[j]) })
}

// price returns the ratio of a direction.
func (s *scaling) price(j int, direction float64) float64 {
	switch {
	case s.ratio == nil:
		return 1
	case direction > 0:
		return s.ratio.Up[j]
	}
	return s.ratio.Down[j]
}
