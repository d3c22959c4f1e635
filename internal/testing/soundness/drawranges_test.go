package soundness

import (
	"math"
	"math/rand/v2"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// drawRanges draws a regressor and a ball that ends at thresholds, or as near to them as rounding
// lets it.
func drawRanges(r *rand.Rand) *Ranges {
	in := &Ranges{}
	in.Dim = pick(r, 1, 1, 2, 2, 3)
	in.Comparison = classifier.Comparison(r.IntN(4))
	if in.Vote = pick(r, classifier.SoftVote, classifier.SumVote); in.Vote == classifier.SumVote {
		in.Rounded, in.Base = r.IntN(2) == 0, []float64{pick(r, 0, 0, 0.1, 1e8)}
	}
	thresholds := make([][]float64, in.Dim)
	for j := range thresholds {
		if thresholds[j] = drawThresholds(r, false); r.IntN(2) == 0 {
			thresholds[j] = []float64{0.6, 0.1 + float64(r.IntN(9))/10, -0.3, float64(r.IntN(3))}
		}
	}
	test := func() trees.Node {
		j := r.IntN(in.Dim)
		return trees.Node{Feature: j, Threshold: pick(r, thresholds[j]...)}
	}
	for range pick(r, 1, 2, 3, 3, 4) {
		in.Trees.Trees = append(in.Trees.Trees, growNodes(r, classifier.SumVote, 1, test))
	}
	in.Query = drawTreeQuery(r, thresholds, 2)
	in.Query.Target = -1
	q := &in.Query
	for j := range q.X {
		if r.IntN(2) == 0 {
			q.X[j] = float64(r.IntN(21)-10) / 10
		}
	}
	// In ℓ2 and ℓ1 several features go as far as thresholds.
	far := 0.0
	for j := range q.X {
		way := math.Abs(q.X[j] - within(pick(r, thresholds[j]...)))
		if far = max(far, way); q.Norm != 0 && r.IntN(3) == 0 {
			far = geometry.Length(q.Norm, []float64{far, way})
		}
	}
	in.Radius = pick(r, far, far, far, math.Nextafter(far, 0), math.Nextafter(far, math.Inf(1)),
		float64(r.IntN(11))/10, 0, r.ExpFloat64())
	return in
}
