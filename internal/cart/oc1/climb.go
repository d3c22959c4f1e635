package oc1

import (
	"context"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/precise"
)

// plane is a candidate for the test of a node, and the impurity of the rows
// on its two sides, each weighted by their number.
type plane struct {
	weights   []float64 // nil for none
	threshold float64
	impurity  float64
}

// improve takes another plane if it is the better, and reports whether it is.
func (p *plane) improve(other plane) bool {
	if other.weights == nil || (p.weights != nil && !(other.impurity < p.impurity)) {
		return false
	}
	*p = other
	return true
}

// maxRounds is the number of rounds after which a climb ends.
const maxRounds = 20

// bestPlane climbs from the best test of a feature and from random hyperplanes,
// and returns the best end; no weights when no hyperplane parts the rows.
func (g *grower) bestPlane(ctx context.Context, rows []int32) plane {
	var best plane
	for f := range g.table.Dim {
		if ctx.Err() != nil {
			return plane{}
		}
		best.improve(g.halve(rows, g.unit(f)))
	}
	if best.weights == nil {
		return best
	}
	scale := g.scales(rows)
	start := best
	for range g.options.Restarts {
		best.improve(g.climb(ctx, rows, start, scale))
		start = g.halve(rows, g.randomWeights(scale))
	}
	best.improve(g.climb(ctx, rows, start, scale))
	return best
}

// climb improves a plane until neither a weight nor the threshold nor a random
// direction brings a better one.
func (g *grower) climb(ctx context.Context, rows []int32, p plane, scale []float64) plane {
	if p.weights == nil {
		return p
	}
	for range maxRounds {
		moved := false
		for f := range p.weights {
			if ctx.Err() != nil {
				return p // the node reports it
			}
			moved = p.improve(g.along(rows, p, g.unit(f), 0)) || moved
		}
		moved = p.improve(g.halve(rows, p.weights)) || moved
		for jump := 0; !moved && jump < g.options.Jumps; jump++ {
			direction := g.randomWeights(scale)
			through := rows[g.rng.Randint(0, int64(len(rows)))]
			moved = p.improve(
				g.along(rows, p, direction, precise.Dot(direction, g.table.Row(int(through)))),
			)
		}
		if !moved {
			break
		}
	}
	return g.halve(rows, normalized(p.weights))
}

// halve returns the plane with these weights and the best threshold, halfway
// between the rows that it parts; no weights when none leaves enough of them on
// both sides, or sums overflow.
func (g *grower) halve(rows []int32, weights []float64) plane {
	s := &g.sweep
	s.reset()
	for _, i := range rows {
		v := precise.Dot(weights, g.table.Row(int(i)))
		if !precise.Finite(v) {
			return plane{}
		}
		s.changes = append(s.changes, change{at: v, row: i})
		s.put(false, g.y[i], g.weight[i])
	}
	at, impurity, ok := g.best(s, len(rows))
	if !ok {
		return plane{}
	}
	return plane{weights: weights, threshold: at, impurity: impurity}
}

// along returns the best plane among those with the weights and the threshold of p
// plus a multiple of a direction; no weights when there is none.
func (g *grower) along(rows []int32, p plane, direction []float64, threshold float64) plane {
	s := &g.sweep
	s.reset()
	for _, i := range rows {
		x := g.table.Row(int(i))
		above, slope := precise.Dot(p.weights, x)-p.threshold, precise.Dot(direction, x)-threshold
		// The row is on the left where above + step·slope ≤ 0.
		onLeft := slope > 0 || (slope == 0 && above <= 0)
		s.put(onLeft, g.y[i], g.weight[i])
		if slope != 0 {
			s.changes = append(s.changes, change{at: -above / slope, row: i, left: onLeft})
		}
	}
	step, impurity, ok := g.best(s, len(rows))
	if !ok {
		return plane{}
	}
	moved := plane{
		weights:   slices.Clone(p.weights),
		threshold: p.threshold + float64(step*threshold),
		impurity:  impurity,
	}
	ok = precise.Finite(moved.threshold)
	for f, d := range direction {
		moved.weights[f] += float64(step * d)
		ok = ok && precise.Finite(moved.weights[f])
	}
	if !ok {
		return plane{}
	}
	return moved
}

// unit returns the direction of a feature.
func (g *grower) unit(f int) []float64 {
	w := make([]float64, g.table.Dim)
	w[f] = 1
	return w
}

// randomWeights draws a direction that all features contribute to alike.
func (g *grower) randomWeights(scale []float64) []float64 {
	w := make([]float64, len(scale))
	for f, s := range scale {
		w[f] = g.rng.Normal(0, 1) / s
	}
	return w
}

// scales returns the standard deviation of each feature, 1 where it is 0.
func (g *grower) scales(rows []int32) []float64 {
	scale := make([]float64, g.table.Dim)
	for f := range scale {
		var sum, squares float64
		for _, i := range rows {
			sum += g.table.Row(int(i))[f]
		}
		mean := sum / float64(len(rows))
		for _, i := range rows {
			d := g.table.Row(int(i))[f] - mean
			squares += float64(d * d)
		}
		if scale[f] = math.Sqrt(squares / float64(len(rows))); scale[f] == 0 ||
			!precise.Finite(scale[f]) {
			scale[f] = 1
		}
	}
	return scale
}

// normalized returns the weights times the power of two that makes the largest of
// them at least 1/2 and less than 1.
func normalized(weights []float64) []float64 {
	_, exponent := math.Frexp(precise.MaxAbs(weights))
	w := make([]float64, len(weights))
	for f, v := range weights {
		w[f] = math.Ldexp(v, -exponent)
	}
	return w
}
