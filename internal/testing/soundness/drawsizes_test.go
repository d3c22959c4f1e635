package soundness

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// drawSize draws numbers of all sizes that float64 has, ordinary ones among them.
func drawSize(r *rand.Rand) float64 {
	size := pick(r, 0, 1, 1, 1, 1e300, 1e308, math.MaxFloat64, 1e200, 1e-200, 1e-300, 1e-310,
		1e-316,
		math.SmallestNonzeroFloat64)
	if size != math.MaxFloat64 {
		size *= pick(r, 1, 1, 0.5, 2, r.Float64())
	}
	if r.IntN(8) == 0 && size < math.MaxFloat64 {
		size = math.Nextafter(size, math.Inf(1))
	}
	return math.Copysign(min(size, math.MaxFloat64), r.Float64()-0.5)
}

// drawHuge draws trees whose thresholds, rows, domains and prices have all sizes.
func drawHuge(r *rand.Rand) *Trees {
	in := drawTrees(r, false)
	in.Comparison = pick(r, classifier.AtMostFloat64, classifier.BelowFloat64)
	in.Listed = false
	numbers := make([]float64, 4)
	for i := range numbers {
		numbers[i] = drawSize(r)
	}
	for j := range in.Dim {
		in.retest(r, j, numbers...)
	}
	q := &in.Query
	q.Norm = pick(r, polytope.LInf, polytope.L1, polytope.L1, polytope.L2, instance.Changes)
	for j := range q.X {
		q.X[j] = pick(r, drawSize(r), drawSize(r), pick(r, numbers...), 0.5)
		if q.Domain != nil {
			a, b := drawSize(r), pick(r, numbers...)
			q.Domain[j] = pick(r, polytope.Line(), polytope.Interval{Lo: min(a, b), Hi: max(a, b)})
		}
	}
	if r.IntN(2) == 0 {
		q.Rules = make([]attack.Feature, in.Dim)
		for j := range q.Rules {
			q.Rules[j] = attack.Feature{Up: math.Abs(drawSize(r)), Down: math.Abs(drawSize(r))}
			q.Rules[j].Missing = attack.MissingRule(r.IntN(3))
		}
	}
	return in
}

// drawTiny draws k-NN with numbers next to 0 beside ordinary ones, or all sizes.
func drawTiny(r *rand.Rand) *KNN {
	in := drawKNN(r)
	in.Listed = false
	small := pick(r, 5e-324, 1e-323, 1e-316, 1e-310, 1e-300, 1e-160, 1e-20)
	number := func() float64 {
		return pick(r, 0, small, -small, 3*small, 1, 100, -50, r.NormFloat64())
	}
	if r.IntN(8) == 0 {
		number = func() float64 { return drawSize(r) / 1e200 }
	}
	for _, p := range in.Rows {
		for j := range p {
			p[j] = number()
		}
	}
	q := &in.Query
	for j := range q.X {
		middle := pick(r, in.Rows...)[j]/2 + pick(r, in.Rows...)[j]/2
		q.X[j] = pick(r, number(), pick(r, in.Rows...)[j], middle)
		if q.Domain != nil {
			a, b := number(), pick(r, in.Rows...)[j]
			q.Domain[j] = pick(r, polytope.Line(), polytope.Interval{Lo: min(a, b), Hi: max(a, b)})
		}
	}
	return in
}

// drawVast draws linear trees of all sizes: those of slivers, stretched, or with numbers replaced.
func drawVast(r *rand.Rand) *Oblique {
	in := drawSliver(r)
	w := pick(r, 1, 1e300, 1e-300, 1e150, 1e-310, 1e-160)
	x := pick(r, 1, 1, 1e300, 1e-300, 1e-310, 1e-316, 1e150)
	finite := func(v float64) float64 { return max(-math.MaxFloat64, min(math.MaxFloat64, v)) }
	for _, nodes := range in.Trees {
		for i := range nodes {
			n := &nodes[i]
			for j := range n.Weights {
				n.Weights[j] = finite(n.Weights[j] * w)
			}
			if n.Threshold = finite(n.Threshold * w * x); r.IntN(6) == 0 {
				n.Threshold = pick(r, math.MaxFloat64, -math.MaxFloat64, drawSize(r))
			}
			if in.Custom && vanishes(n.Weights) {
				n.Weights = slices.Repeat([]float64{1}, in.Dim)
			}
		}
	}
	q := &in.Query
	for j := range q.X {
		q.X[j] = finite(q.X[j] * x)
		if q.Domain != nil {
			q.Domain[j].Lo, q.Domain[j].Hi = q.Domain[j].Lo*x, q.Domain[j].Hi*x
			if q.Domain[j].Lo == q.Domain[j].Hi {
				q.Domain[j].LoOpen, q.Domain[j].HiOpen = false, false
			}
		}
	}
	return in
}
