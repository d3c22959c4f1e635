package soundness

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// drawTrees draws axis-parallel trees; extreme ones have thresholds near the ends of the
// range of float32 and float64, or infinite ones.
func drawTrees(r *rand.Rand, extreme bool) *Trees {
	in := &Trees{}
	in.Dim = pick(r, 1, 1, 2, 2, 3)
	in.Comparison = classifier.Comparison(r.IntN(4))
	in.Vote = pick(r, classifier.SoftVote, classifier.HardVote, classifier.SumVote,
		classifier.SumVote, classifier.LogisticVote, classifier.SoftmaxVote)
	in.Rounded, in.Alone, in.Listed = r.IntN(3) == 0, r.IntN(4) == 0, r.IntN(12) == 0
	classes := pick(r, 2, 2, 2, 3)
	if in.Vote == classifier.LogisticVote {
		classes = 2
	}
	thresholds := make([][]float64, in.Dim)
	tight := r.IntN(4) == 0
	for f := range thresholds {
		if tight && f > 0 {
			thresholds[f] = []float64{ulpsFrom(r, thresholds[0][0]), ulpsFrom(r, thresholds[0][0])}
			continue
		}
		thresholds[f] = drawThresholds(r, extreme)
		if f > 0 && r.IntN(3) == 0 {
			for range 2 {
				thresholds[f] = append(thresholds[f], ulpsFrom(r, pick(r, thresholds[f-1]...)))
			}
		}
	}
	test := func() trees.Node {
		f := r.IntN(in.Dim)
		return trees.Node{Feature: f, Threshold: pick(r, thresholds[f]...)}
	}
	for range pick(r, 1, 2, 3, 3, 4, 5) {
		if len(in.Trees) > 0 && r.IntN(5) == 0 {
			in.Trees = append(in.Trees, pick(r, in.Trees...))
			continue
		}
		in.Trees = append(in.Trees, growNodes(r, in.Vote, classes, test))
	}
	if in.Vote >= classifier.SumVote && r.IntN(2) == 0 {
		in.Base = drawValues(r, in.Vote, classes)
	}
	if in.Alone {
		in.Trees = in.Trees[:1]
	}
	in.Query = drawTreeQuery(r, thresholds, classes)
	if tight && r.IntN(2) == 0 {
		in.Query.X = slices.Repeat(
			[]float64{
				within(pick(r, 0, thresholds[0][0]-1, thresholds[0][0]/2, -thresholds[0][0])),
			}, in.Dim,
		)
	}
	return in
}

// drawThresholds returns numbers that a feature is compared with: a few ulps apart
// in float64 or float32, on a grid, or of any size.
func drawThresholds(r *rand.Rand, extreme bool) []float64 {
	scale := pick(r, 1, 1, 1, 1e-3, 1e6, 1e12, math.Ldexp(1, r.IntN(200)-100), 1e-40, 1e30)
	if extreme {
		scale = pick(r, 1, 1e38, 1e160, 1e300, 1e-45, 1e-170, 1e-320)
	}
	offset := pick(r, 0, 0, 0, 1e6, 1e12, math.Ldexp(1, r.IntN(46)))
	out := make([]float64, 1+r.IntN(4))
	for i := range out {
		v := scale * pick(r, r.NormFloat64(), float64(r.IntN(7)-3))
		if r.IntN(2) == 0 {
			v += offset
		}
		if i > 0 && r.IntN(2) == 0 {
			v = out[r.IntN(i)]
			switch r.IntN(4) {
			case 0:
				v = math.Nextafter(v, math.Inf(1))
			case 1:
				v = float64(math.Nextafter32(float32(v), float32(math.Inf(1))))
			case 2:
				v = float64(float32(v))
			}
		}
		out[i] = v
	}
	if extreme && r.IntN(8) == 0 {
		out[0] = pick(r, math.Inf(1), math.Inf(-1), math.MaxFloat32, -math.MaxFloat32)
	}
	return out
}

// ulpsFrom returns a number at most four ulps from v.
func ulpsFrom(r *rand.Rand, v float64) float64 {
	for range r.IntN(5) {
		v = math.Nextafter(v, math.Inf(1))
	}
	return v
}

// drawValues returns the values of a leaf; sums tie often.
func drawValues(r *rand.Rand, vote classifier.Vote, classes int) []float64 {
	values := make([]float64, classes)
	for c := range values {
		switch {
		case vote >= classifier.SumVote:
			values[c] = pick(r, float64(r.IntN(3)-1), r.NormFloat64(), 0.1, -0.1, 1e-8, 1e8)
		default:
			values[c] = pick(r, 0, 1, 0.5, r.Float64())
		}
	}
	return values
}

// within keeps distances finite.
func within(v float64) float64 { return max(-1e307, min(1e307, v)) }

// drawTreeQuery draws a point and a domain near the thresholds.
func drawTreeQuery(r *rand.Rand, thresholds [][]float64, classes int) Query {
	q := Query{Norm: polytope.Norm(r.IntN(3)), Target: -1}
	domain := make(polytope.Box, len(thresholds))
	for f, all := range thresholds {
		near := func() float64 {
			t := within(pick(r, all...))
			return within(
				pick(r, t, t, t+1, t-1, t*(1+r.NormFloat64()), 0, math.Nextafter(t, math.Inf(1)),
					math.Nextafter(t, math.Inf(-1)), float64(float32(t)), r.NormFloat64()),
			)
		}
		q.X = append(q.X, near())
		lo, hi := near(), near()
		domain[f] = polytope.Interval{Lo: min(lo, hi), Hi: max(lo, hi)}
		switch r.IntN(5) {
		case 0:
			domain[f].Lo = math.Inf(-1)
		case 1:
			domain[f].Hi = math.Inf(1)
		case 2:
			domain[f] = polytope.Line()
		case 3:
			if r.IntN(2) == 0 {
				domain[f].Hi = domain[f].Lo
			}
		}
	}
	if r.IntN(2) == 0 {
		q.Domain = slices.Clone(domain)
	}
	if r.IntN(4) == 0 {
		q.Target = r.IntN(classes)
	}
	return q
}
