package soundness

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
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

// drawEnds draws k-NN in a domain whose ends are where rows tie: halfway between some, at others,
// or in corners that several bisectors pass. All numbers are small multiples of a power of two.
func drawEnds(r *rand.Rand) *KNN {
	d := pick(r, 1, 1, 2, 2, 2, 3)
	n, width := few(r, 2, 7), pick(r, 1, 1, 2, 3)
	in := &KNN{Labels: drawLabels(r, n, pick(r, 2, 2, 2, 3))}
	for range n {
		in.Rows = append(in.Rows, grid(r, d, width))
	}
	in.K = min(n, pick(r, 1, 1, 1, 2, 2, 3, 4))
	in.Listed = r.IntN(12) == 0
	q := Query{Norm: polytope.Norm(r.IntN(3)), Target: -1}
	q.X, q.Domain = make([]float64, d), polytope.NewBox(d)
	if r.IntN(3) == 0 {
		q.Target = r.IntN(slices.Max(in.Labels) + 1)
	}
	for j := range d {
		end := func() float64 {
			return (pick(r, in.Rows...)[j] + pick(r, in.Rows...)[j]) / 2
		}
		a, b := end(), pick(r, end(), end()+2, end()-2, end()+0.5)
		side := polytope.Interval{Lo: min(a, b), Hi: max(a, b)}
		switch r.IntN(6) {
		case 0:
			side.Lo = math.Inf(-1)
		case 1:
			side.Hi = math.Inf(1)
		case 2:
			if j > 0 {
				side.Hi = side.Lo
			}
		}
		if side.Lo < side.Hi && r.IntN(8) == 0 {
			side.LoOpen, side.HiOpen = r.IntN(2) == 0, r.IntN(2) == 0
		}
		q.Domain[j] = side
		q.X[j] = pick(r, end(), end()+0.5, float64(r.IntN(9)-4), end())
		if r.IntN(4) > 0 {
			q.X[j], _ = geometry.Inside(side, q.X[j])
		}
	}
	in.Query = q
	factor, offset := pick(r, 1, 1, 0x1p-30, 0x1p20, 0.5), pick(r, 0, 0, 0, 1000, 0x1p30)
	for j := range d {
		eachCoordinate(in.Rows, &in.Query, j,
			func(v float64) float64 { return (v + offset) * factor })
	}
	return in
}

// drawSliver draws linear trees whose tests nearly agree, so that the sliver between them may have
// no float64, and domains that end just beside thresholds.
func drawSliver(r *rand.Rand) *Oblique {
	in := drawOblique(r, r.IntN(4) == 0)
	in.Dim, in.Listed = pick(r, 1, 1, 2), false
	decimal := func() float64 { return float64(r.IntN(41)-20) / pick(r, 1.0, 10, 10, 100) }
	w, t := make([]float64, in.Dim), decimal()
	for j := range w {
		w[j] = decimal()
	}
	if w[0] == 0 {
		w[0] = -2
	}
	if in.Dim > 1 && r.IntN(2) == 0 {
		w[1] = 0
	}
	test := func() trees.Node {
		n := trees.Node{Threshold: t}
		factor := pick(r, 1, 1, -1, 10, 3, -7, 0.1, 1.0/3)
		for _, v := range w {
			n.Weights = append(n.Weights, v*factor)
		}
		n.Threshold *= factor
		switch r.IntN(6) {
		case 0:
			n.Threshold = math.Nextafter(n.Threshold, pick(r, math.Inf(1), math.Inf(-1)))
		case 1:
			j := r.IntN(in.Dim)
			if n.Weights[j] != 0 {
				n.Weights[j] = math.Nextafter(n.Weights[j], pick(r, math.Inf(1), math.Inf(-1)))
			}
		case 2:
			n.Threshold = decimal()
		}
		return n
	}
	classes := len(in.Trees[0][0].Value)
	for i := range in.Trees {
		in.Trees[i] = growNodes(r, in.Vote, classes, test)
	}
	q := &in.Query
	q.X, q.Domain = make([]float64, in.Dim), nil
	at := t / w[0] // where the tests end, if they test one feature
	for j := range q.X {
		q.X[j] = pick(r, decimal(), decimal(), at, math.Nextafter(at, 99), math.Nextafter(at, -99),
			2)
	}
	if r.IntN(2) == 0 {
		q.Domain = polytope.NewBox(in.Dim)
		for j := range q.Domain {
			a := pick(r, decimal(), q.X[j], math.Inf(-1), at)
			b := pick(r, at, math.Nextafter(at, 99), math.Nextafter(at, -99), math.Inf(1),
				decimal())
			side := polytope.Interval{Lo: min(a, b), Hi: max(a, b)}
			if side.Lo < side.Hi {
				side.LoOpen, side.HiOpen = r.IntN(4) == 0, r.IntN(4) == 0
			}
			q.Domain[j] = side
		}
	}
	return in
}
