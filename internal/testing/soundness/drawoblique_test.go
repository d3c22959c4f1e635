package soundness

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// drawOblique draws linear trees. Some tests repeat one of those used before, up to a factor
// or an ulp.
func drawOblique(r *rand.Rand, custom bool) *Oblique {
	in := &Oblique{Custom: custom}
	in.Dim = pick(r, 1, 2, 2, 2, 3)
	in.Vote = pick(r, classifier.SoftVote, classifier.HardVote, classifier.SumVote)
	in.Rounded = r.IntN(4) == 0
	in.Alone = custom || r.IntN(3) == 0
	in.Listed = !custom && r.IntN(12) == 0
	classes := pick(r, 2, 2, 2, 3)
	// Tests pass near these points, so that thin and empty cells occur.
	points := drawRows(r, 4, in.Dim)
	size := pick(r, 1, 1, 1, 1e3, 1e6, 1e-3, 1e9)
	for _, p := range points {
		for j := range p {
			p[j] *= size
		}
	}
	members := pick(r, 1, 2, 2, 3)
	if in.Alone {
		members = 1
	}
	var used []trees.Node
	test := func() trees.Node {
		n := drawTest(r, in.Dim, points)
		if len(used) > 0 && r.IntN(4) == 0 {
			n = variant(r, pick(r, used...))
		}
		if in.Custom && vanishes(n.Weights) {
			n.Weights[0] = 1 // half-spaces without a normal are the whole space, open or not
		}
		used = append(used, n)
		return n
	}
	for range members {
		if len(in.Trees) > 0 && r.IntN(6) == 0 {
			in.Trees = append(in.Trees, pick(r, in.Trees...))
			continue
		}
		in.Trees = append(in.Trees, growNodes(r, in.Vote, classes, test))
	}
	in.Query = drawQuery(r, points, classes)
	if r.IntN(4) == 0 {
		in.Query.X = slices.Clone(pick(r, points...))
	}
	return in
}

func vanishes(v []float64) bool {
	return !slices.ContainsFunc(v, func(e float64) bool { return e != 0 })
}

// drawTest returns a test that passes near one of the points.
func drawTest(r *rand.Rand, dim int, points [][]float64) trees.Node {
	w := pick(r, grid(r, dim, 3), grid(r, dim, 1), normal(r, dim))
	if r.IntN(5) == 0 {
		keep := r.IntN(dim)
		for j := range w {
			if j != keep {
				w[j] = 0
			}
		}
	}
	if r.IntN(6) == 0 {
		for j := range w {
			w[j] *= pick(r, 1, 1e3, 1e-3, 1e6, 1e-6)
		}
	}
	t := 0.0
	for j, v := range pick(r, points...) {
		t += w[j] * v
	}
	switch r.IntN(4) {
	case 0:
		t += float64(r.IntN(5)-2) / 2
	case 1:
		t += r.NormFloat64()
	}
	return trees.Node{Weights: w, Threshold: t}
}

// variant returns a test that is equal, opposite, a multiple or nearly equal.
func variant(r *rand.Rand, n trees.Node) trees.Node {
	c := trees.Node{Weights: slices.Clone(n.Weights), Threshold: n.Threshold}
	factor := pick(r, 1, 1, -1, 3, 0.1)
	for j := range c.Weights {
		c.Weights[j] *= factor
	}
	c.Threshold *= factor
	switch r.IntN(4) {
	case 0:
		c.Threshold = math.Nextafter(c.Threshold, pick(r, math.Inf(1), math.Inf(-1)))
	case 1:
		c.Threshold += math.Pow(10, -16+10*r.Float64())
	case 2:
		j := r.IntN(len(c.Weights))
		c.Weights[j] += math.Pow(10, -16+10*r.Float64())
	}
	return c
}
