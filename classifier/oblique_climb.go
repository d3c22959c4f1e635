package classifier

import (
	"context"
	"math"
	"slices"
)

// obliquePlane is a candidate for the test of a node, and the impurity of the rows
// on its two sides, each weighted by their number.
type obliquePlane struct {
	weights   []float64 // nil for none
	threshold float64
	impurity  float64
}

// improve takes another plane if it is the better, and reports whether it is.
func (p *obliquePlane) improve(other obliquePlane) bool {
	if other.weights == nil || (p.weights != nil && !(other.impurity < p.impurity)) {
		return false
	}
	*p = other
	return true
}

// obliqueSweeps is the number of rounds after which a climb ends.
const obliqueSweeps = 20

// bestPlane climbs from the best test of a feature and from random hyperplanes,
// and returns the best end; no weights when nothing parts the rows.
func (g *obliqueGrower) bestPlane(ctx context.Context, rows []int32) obliquePlane {
	var best obliquePlane
	for f := range g.table.Dim {
		if ctx.Err() != nil {
			return obliquePlane{}
		}
		best.improve(g.halve(rows, g.unit(f)))
	}
	if best.weights == nil {
		return best
	}
	scale := g.scales(rows)
	start := best
	for range g.opts.Restarts {
		best.improve(g.climb(ctx, rows, start, scale))
		start = g.halve(rows, g.randomWeights(scale))
	}
	best.improve(g.climb(ctx, rows, start, scale))
	return best
}

// climb improves a plane until neither a weight nor the threshold nor a random
// direction brings a better one.
func (g *obliqueGrower) climb(ctx context.Context, rows []int32, p obliquePlane, scale []float64) obliquePlane {
	if p.weights == nil {
		return p
	}
	for range obliqueSweeps {
		moved := false
		for f := range p.weights {
			if ctx.Err() != nil {
				return p // the node reports it
			}
			moved = p.improve(g.along(rows, p, g.unit(f), 0)) || moved
		}
		moved = p.improve(g.halve(rows, p.weights)) || moved
		for jump := 0; !moved && jump < g.opts.Jumps; jump++ {
			direction := g.randomWeights(scale)
			through := rows[g.rng.Randint(0, int64(len(rows)))]
			moved = p.improve(g.along(rows, p, direction, dotProduct(direction, g.table.Row(int(through)))))
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
func (g *obliqueGrower) halve(rows []int32, weights []float64) obliquePlane {
	g.values = g.values[:0]
	clear(g.left)
	clear(g.right)
	for _, i := range rows {
		v := dotProduct(weights, g.table.Row(int(i)))
		if !obliqueFinite(v) {
			return obliquePlane{}
		}
		g.values = append(g.values, obliqueValue{at: v, row: i})
		g.right[g.y[i]] += g.weight[i]
	}
	at, impurity, ok := g.sweep(0, len(rows))
	if !ok {
		return obliquePlane{}
	}
	return obliquePlane{weights: weights, threshold: at, impurity: impurity}
}

// along returns the best plane among those with the weights and the threshold of p
// plus a multiple of a direction; no weights when there is none.
func (g *obliqueGrower) along(rows []int32, p obliquePlane, direction []float64, threshold float64) obliquePlane {
	g.values = g.values[:0]
	clear(g.left)
	clear(g.right)
	left := 0
	for _, i := range rows {
		x := g.table.Row(int(i))
		above, slope := dotProduct(p.weights, x)-p.threshold, dotProduct(direction, x)-threshold
		// The row is on the left where above + step·slope ≤ 0.
		onLeft := slope > 0 || (slope == 0 && above <= 0)
		if onLeft {
			left++
			g.left[g.y[i]] += g.weight[i]
		} else {
			g.right[g.y[i]] += g.weight[i]
		}
		if slope != 0 {
			g.values = append(g.values, obliqueValue{at: -above / slope, row: i, left: onLeft})
		}
	}
	step, impurity, ok := g.sweep(left, len(rows))
	if !ok {
		return obliquePlane{}
	}
	moved := obliquePlane{weights: slices.Clone(p.weights), threshold: p.threshold + float64(step*threshold), impurity: impurity}
	ok = obliqueFinite(moved.threshold)
	for f, d := range direction {
		moved.weights[f] += float64(step * d)
		ok = ok && obliqueFinite(moved.weights[f])
	}
	if !ok {
		return obliquePlane{}
	}
	return moved
}

func obliqueFinite(v float64) bool { return math.Abs(v) <= math.MaxFloat64 }

// unit returns the direction of a feature.
func (g *obliqueGrower) unit(f int) []float64 {
	w := make([]float64, g.table.Dim)
	w[f] = 1
	return w
}

// randomWeights draws a direction that all features contribute to alike.
func (g *obliqueGrower) randomWeights(scale []float64) []float64 {
	w := make([]float64, len(scale))
	for f, s := range scale {
		w[f] = g.rng.Normal(0, 1) / s
	}
	return w
}

// scales returns the standard deviation of each feature, 1 where it is 0.
func (g *obliqueGrower) scales(rows []int32) []float64 {
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
		if scale[f] = math.Sqrt(squares / float64(len(rows))); !(scale[f] > 0 && scale[f] <= math.MaxFloat64) {
			scale[f] = 1
		}
	}
	return scale
}

// normalized returns the weights times the power of two that makes the largest of
// them at least 1/2 and less than 1.
func normalized(weights []float64) []float64 {
	most := 0.0
	for _, w := range weights {
		most = max(most, math.Abs(w))
	}
	_, exponent := math.Frexp(most)
	w := make([]float64, len(weights))
	for f, v := range weights {
		w[f] = math.Ldexp(v, -exponent)
	}
	return w
}
