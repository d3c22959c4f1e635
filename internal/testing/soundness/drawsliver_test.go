package soundness

import (
	"math"
	"math/rand/v2"

	"github.com/seed-1a7dc1f9/facet/internal/trees"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// drawSliver draws linear trees whose tests nearly agree, so that what lies between them may have
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
