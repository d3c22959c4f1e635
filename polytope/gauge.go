package polytope

import (
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/gauge"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
)

// Prices say what it costs to move each coordinate by a unit, upwards and downwards: positive
// numbers Up and Down, or +Inf where there is no moving that way. A nil *Prices is 1 everywhere.
//
// With prices a displacement u is as long as ‖(c_j(u_j))‖, where c_j(u_j) is what it costs to move
// coordinate j by u_j. Where prices differ by direction, u and −u differ in length.
type Prices struct{ Up, Down []float64 }

// gaugeOf returns how a norm and prices measure displacements.
func gaugeOf(norm Norm, prices *Prices) gauge.Gauge {
	return gauge.Of(gauge.Norm(norm), (*gauge.Prices)(prices))
}

// boxBound is Bound for a box, in a gauge.
func boxBound(g gauge.Gauge, b Box, x []float64) float64 {
	if g.Prices == nil {
		return b.Bound(Norm(g.Norm), x)
	}
	var sum, most float64
	gaps := make([]float64, len(b))
	for j, i := range b {
		if i.Empty() {
			return math.Inf(1)
		}
		gaps[j] = g.Priced(j, i.Bound(x[j]), x[j] > i.Hi)
		most = max(most, gaps[j])
		if g.Norm == gauge.L1 {
			sum = precise.AddDown(sum, gaps[j])
		}
	}
	switch {
	case math.IsInf(most, 1):
		return most
	case g.Norm == gauge.L1:
		return sum
	case g.Norm == gauge.LInf || most == 0:
		return most
	}
	squares := precise.NewEuclidean(most)
	for _, gap := range gaps {
		squares.Add(gap)
	}
	return squares.Root()
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
