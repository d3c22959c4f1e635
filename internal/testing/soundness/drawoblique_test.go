package soundness

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/seed-1a7dc1f9/facet/classifier"
)

func drawOblique(r *rand.Rand, custom bool) *Oblique {
	in := &Oblique{
		Dim:     pick(r, 1, 2, 2, 2, 3),
		Vote:    pick(r, classifier.SoftVote, classifier.HardVote, classifier.SumVote),
		Rounded: r.IntN(4) == 0,
		Custom:  custom,
	}
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
	trees := pick(r, 1, 2, 2, 3)
	if in.Alone {
		trees = 1
	}
	var used []classifier.ObliqueNode
	for range trees {
		if len(in.Trees) > 0 && r.IntN(6) == 0 {
			in.Trees = append(in.Trees, pick(r, in.Trees...))
			continue
		}
		in.Trees = append(in.Trees, drawObliqueTree(r, in, points, classes, &used))
	}
	in.Query = drawQuery(r, points, classes)
	if r.IntN(4) == 0 {
		in.Query.X = slices.Clone(pick(r, points...))
	}
	return in
}

// drawObliqueTree grows a tree of depth at most three. Some tests repeat one of those
// used before, up to a factor or an ulp.
func drawObliqueTree(r *rand.Rand, in *Oblique, points [][]float64, classes int, used *[]classifier.ObliqueNode) []classifier.ObliqueNode {
	var nodes []classifier.ObliqueNode
	var grow func(depth int) int
	grow = func(depth int) int {
		at := len(nodes)
		nodes = append(nodes, classifier.ObliqueNode{Left: -1, Right: -1, Value: drawValues(r, in.Vote, classes)})
		if depth == 0 || (at > 0 && r.IntN(4) == 0) {
			return at
		}
		n := drawTest(r, in.Dim, points)
		if len(*used) > 0 && r.IntN(4) == 0 {
			n = variant(r, pick(r, *used...))
		}
		if in.Custom && vanishes(n.Weights) {
			n.Weights[0] = 1 // half-spaces without a normal are the whole space, open or not
		}
		*used = append(*used, n)
		nodes[at].Weights, nodes[at].Threshold = n.Weights, n.Threshold
		left := grow(depth - 1)
		right := grow(depth - 1)
		nodes[at].Left, nodes[at].Right = left, right
		return at
	}
	grow(1 + r.IntN(3))
	return nodes
}

func vanishes(v []float64) bool {
	return !slices.ContainsFunc(v, func(e float64) bool { return e != 0 })
}

// drawTest returns a test that passes near one of the points.
func drawTest(r *rand.Rand, dim int, points [][]float64) classifier.ObliqueNode {
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
	return classifier.ObliqueNode{Weights: w, Threshold: t}
}

// variant returns a test that is equal, opposite, a multiple or nearly equal.
func variant(r *rand.Rand, n classifier.ObliqueNode) classifier.ObliqueNode {
	c := classifier.ObliqueNode{Weights: slices.Clone(n.Weights), Threshold: n.Threshold}
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
