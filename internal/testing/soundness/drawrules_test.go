package soundness

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// drawPrice draws the price of a unit.
func drawPrice(r *rand.Rand) float64 {
	return pick(r, 0, 0, 1, 2, 0.5, 3, 0.3, 10, 1e-3, 1e4, 1e-9)
}

// drawRealRules draws rules of real numbers, which all classifiers know. In ℓ2 a price is the same
// both ways.
func drawRealRules(r *rand.Rand, q *Query) {
	q.Rules = make([]attack.Feature, len(q.X))
	for j := range q.Rules {
		f := attack.Feature{Up: drawPrice(r), Down: drawPrice(r), Frozen: r.IntN(6) == 0}
		if q.Norm == polytope.L2 {
			f.Down = f.Up
		}
		if r.IntN(4) == 0 {
			*pick(r, &f.Up, &f.Down) = math.Inf(1)
		}
		for _, limit := range []*float64{&f.MaxUp, &f.MaxDown} {
			if r.IntN(4) == 0 {
				*limit = pick(r, 1, 0.5, math.Abs(q.X[j]), math.Abs(q.X[0]-q.X[j]),
					math.Exp(6*r.NormFloat64()))
			}
		}
		for _, part := range []*float64{&f.MaxUpPart, &f.MaxDownPart} {
			if r.IntN(6) == 0 {
				*part = pick(r, 0.1, 0.5, 1, 3)
			}
		}
		q.Rules[j] = f
	}
}

// ruledKNN draws rules of real numbers for the instances of another kind.
func ruledKNN(r *rand.Rand) *KNN {
	in := drawKNN(r)
	drawRealRules(r, &in.Query)
	return in
}

func ruledOblique(r *rand.Rand) *Oblique {
	in := drawOblique(r, r.IntN(4) == 0)
	drawRealRules(r, &in.Query)
	return in
}

// drawLinear draws rules between features for the instances of other kinds: through rows, or beside
// them.
func drawLinear(r *rand.Rand) Instance {
	var in Instance
	var q *Query
	if r.IntN(2) == 0 {
		knn := drawKNN(r)
		in, q = knn, &knn.Query
	} else {
		oblique := drawOblique(r, r.IntN(4) == 0)
		in, q = oblique, &oblique.Query
	}
	if r.IntN(2) == 0 {
		drawRealRules(r, q)
	}
	for range few(r, 1, 3) {
		h := polytope.HalfSpace{A: make([]float64, len(q.X)), Open: r.IntN(12) == 0}
		for j := range h.A {
			h.A[j] = pick(r, 0, 1, -1, 1, -1, 0.5, 2, r.NormFloat64())
		}
		if !slices.ContainsFunc(h.A, func(a float64) bool { return a != 0 }) {
			h.A[0] = 1
		}
		for j, a := range h.A {
			h.B += float64(a * (q.X[j] + pick(r, 0, 0, 1, -1, r.NormFloat64(), q.X[0])))
		}
		if q.Linear = append(q.Linear, h); r.IntN(12) == 0 {
			opposite := polytope.HalfSpace{B: -h.B + pick(r, 0, 0.5)}
			for _, a := range h.A {
				opposite.A = append(opposite.A, -a)
			}
			q.Linear = append(q.Linear, opposite)
		}
	}
	return in
}

// drawRuled draws axis-parallel trees with rules of all kinds: steps, categories, one-hot groups
// and missing values as well.
func drawRuled(r *rand.Rand) *Trees {
	in := drawTrees(r, false)
	in.Listed = false
	q := &in.Query
	q.Norm = pick(r, polytope.LInf, polytope.L1, polytope.L2, instance.Changes)
	drawRealRules(r, q)
	for j := range q.Rules {
		f := &q.Rules[j]
		f.Down = pick(r, f.Down, f.Up, drawPrice(r)) // in ℓ2 as well
		switch r.IntN(8) {
		case 0, 1:
			drawSteps(r, in, j)
		case 2:
			*f = attack.Feature{
				Up:          f.Up,
				Frozen:      f.Frozen,
				Categorical: true,
				Codes:       pick(r, 0, 0, 1, 3),
			}
			q.X[j] = pick(r, float64(r.IntN(4)), float64(r.IntN(4)), drawOdd(r))
			in.retest(r, j, 0, 0.5, 1, 1.5, 2, 3, math.Nextafter(1, 2))
		}
		if r.IntN(4) == 0 {
			if f.Missing = attack.MissingRule(r.IntN(3)); r.IntN(2) == 0 {
				q.X[j] = math.NaN()
			}
		}
	}
	if in.Dim > 1 && r.IntN(3) == 0 {
		drawGroup(r, in)
	}
	for _, nodes := range in.Trees {
		for i := range nodes {
			nodes[i].MissingLeft = r.IntN(2) == 0
		}
	}
	return in
}

// drawSteps makes a feature one of whole steps, as large as its thresholds, on which some of these
// lie.
func drawSteps(r *rand.Rand, in *Trees, j int) {
	f, q := &in.Query.Rules[j], &in.Query
	size := 1.0
	for _, b := range in.borders(j) {
		if v := math.Abs(b.end); v > size && v < 1e30 {
			size = v
		}
	}
	f.Step = math.Exp2(math.Floor(math.Log2(size))-float64(r.IntN(8))) * pick(r, 1, 1, 0.1, 0.7)
	f.Origin = f.Step * pick(r, 0, 0, 0.5, -3)
	value := func() float64 { return f.Origin + float64(float64(r.IntN(17)-8)*f.Step) }
	if r.IntN(3) > 0 {
		q.X[j] = value()
	}
	if r.IntN(2) == 0 {
		v := value()
		in.retest(r, j, v, math.Nextafter(v, math.Inf(1)), math.Nextafter(v, math.Inf(-1)),
			v+f.Step/2, value())
	}
}

// drawGroup makes the first features a one-hot group.
func drawGroup(r *rand.Rand, in *Trees) {
	q, hot := &in.Query, -1
	size := 2 + r.IntN(in.Dim-1)
	if r.IntN(8) > 0 {
		hot = r.IntN(size)
	}
	for j := range size {
		q.Rules[j] = attack.Feature{
			Group:  1,
			Up:     pick(r, drawPrice(r), drawPrice(r), drawPrice(r), math.Inf(1)),
			Frozen: r.IntN(8) == 0,
		}
		if q.X[j] = 0; j == hot || hot < 0 && r.IntN(2) == 0 {
			q.X[j] = 1
		}
		in.retest(r, j, 0.5, 0.5, 0, 1, math.Nextafter(0, 1), math.Nextafter(1, 0), -1)
		if q.Domain != nil && r.IntN(2) == 0 {
			q.Domain[j] = polytope.Interval{Lo: 0, Hi: 1}
		}
	}
}

// retest gives the tests of a feature other thresholds.
func (in *Trees) retest(r *rand.Rand, j int, thresholds ...float64) {
	for t, nodes := range in.Trees {
		in.Trees[t] = slices.Clone(nodes) // some trees are there twice
		for i, n := range nodes {
			if n.Left >= 0 && n.Feature == j {
				in.Trees[t][i].Threshold = pick(r, thresholds...)
			}
		}
	}
}
