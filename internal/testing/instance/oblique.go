package instance

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Oblique is an attack on a random small ensemble of oblique trees, or on its only tree.
type Oblique struct {
	Classifier interface {
		classifier.Searcher
		classifier.Decomposable
	}
	Trees  [][]classifier.ObliqueNode
	Query  []float64
	Target *int
	Box    polytope.Box
}

// ObliqueTests draws tests biased to trouble: small integers for weights, thresholds on a
// grid, tests of one feature, of none, and tests equal or parallel to one drawn before.
type ObliqueTests struct {
	Rng  *rand.Rand
	Dim  int
	Real bool // normally distributed weights
	old  []classifier.ObliqueNode
}

func (d *ObliqueTests) Draw() classifier.ObliqueNode {
	rng := d.Rng
	n := classifier.ObliqueNode{Weights: make([]float64, d.Dim), Threshold: float64(rng.IntN(9)-4) / 2}
	switch kind := rng.IntN(8); {
	case kind < 2 && len(d.old) > 0:
		before := d.old[rng.IntN(len(d.old))]
		factor := []float64{1, -1, 2, -4, 3}[rng.IntN(5)]
		if d.Real && factor == 3 {
			factor = 0.5 // without rounding
		}
		for j, w := range before.Weights {
			n.Weights[j] = factor * w
		}
		if n.Threshold *= math.Abs(factor); rng.IntN(2) == 0 {
			n.Threshold = factor * before.Threshold
		}
	case kind < 4:
		n.Weights[rng.IntN(d.Dim)] = []float64{1, -1, 2, 0}[rng.IntN(4)]
	default:
		for j := range n.Weights {
			if n.Weights[j] = float64(rng.IntN(5) - 2); d.Real {
				n.Weights[j] = rng.NormFloat64()
			}
		}
	}
	if w := single(n.Weights); w != 0 {
		// x ≤ t and x ≥ t have one value of the feature in common, which is a cell
		// though it has no interior: there is to be no such t.
		end := math.Floor(4*n.Threshold/w) / 4
		if w < 0 {
			end += 0.125
		}
		n.Threshold = w * end
	}
	d.old = append(d.old, n)
	return n
}

// single returns the only weight that is not zero, 0 if there are more or none.
func single(w []float64) (only float64) {
	for _, v := range w {
		if v != 0 && only != 0 {
			return 0
		}
		only += v
	}
	return only
}

// Grow draws the nodes of a tree of at most this depth.
func (d *ObliqueTests) Grow(depth int, value func() []float64) []classifier.ObliqueNode {
	var nodes []classifier.ObliqueNode
	var grow func(depth int) int
	grow = func(depth int) int {
		id := len(nodes)
		nodes = append(nodes, classifier.ObliqueNode{Left: -1, Right: -1, Value: value()})
		if depth > 0 && d.Rng.IntN(6) > 0 {
			n := d.Draw()
			n.Value = nodes[id].Value
			n.Left = grow(depth - 1)
			n.Right = grow(depth - 1)
			nodes[id] = n
		}
		return id
	}
	grow(depth)
	return nodes
}

// DrawOblique makes an ensemble of 1 to 4 trees, or a single one.
func DrawOblique(t testing.TB, rng *rand.Rand) Oblique {
	t.Helper()
	dim, classes, most := 1+rng.IntN(4), 2+rng.IntN(3), 1+rng.IntN(4)
	tests := &ObliqueTests{Rng: rng, Dim: dim, Real: dim > 1 && rng.IntN(4) == 0}
	value := func() []float64 {
		v := make([]float64, classes)
		for c := range v {
			v[c] = float64(rng.IntN(4)) / 3
		}
		return v
	}
	var in Oblique
	var trees []*classifier.ObliqueTree
	for range most {
		nodes := tests.Grow(rng.IntN(4-most/3), value)
		tree, err := classifier.NewObliqueTree(dim, nodes)
		if err != nil {
			t.Fatal(err)
		}
		trees, in.Trees = append(trees, tree), append(in.Trees, nodes)
	}
	e, err := classifier.NewObliqueEnsemble(trees, DrawVote(rng, classes))
	if err != nil {
		t.Fatal(err)
	}
	if in.Classifier = e; most == 1 && rng.IntN(2) == 0 {
		in.Classifier = trees[0]
	}
	for range dim {
		in.Query = append(in.Query, float64(rng.IntN(13)-6)/4)
	}
	if rng.IntN(3) == 0 {
		in.Target = new(rng.IntN(classes))
	}
	if rng.IntN(3) == 0 {
		in.Box = polytope.Cube(dim, -1.71, 1.33)
		switch j := rng.IntN(dim); rng.IntN(4) {
		case 0:
			in.Box[j] = polytope.Interval{Lo: 0.27, Hi: 0.27}
		case 1:
			in.Box[j] = polytope.Interval{Lo: math.Inf(-1), Hi: 1.33, HiOpen: true}
		}
	}
	return in
}

// GrowOblique draws the nodes of a tree of at most this depth over tests that do not round
// and leaves that tie.
func GrowOblique(rng *rand.Rand, dim, classes, depth int) []classifier.ObliqueNode {
	d := &ObliqueTests{Rng: rng, Dim: dim}
	return d.Grow(depth, func() []float64 {
		v := make([]float64, classes)
		for c := range v {
			v[c] = float64(rng.IntN(4)) / 3
		}
		return v
	})
}

// ObliqueLeaf and ObliqueInner make nodes.
func ObliqueLeaf(v ...float64) classifier.ObliqueNode {
	return classifier.ObliqueNode{Left: -1, Right: -1, Value: v}
}

func ObliqueInner(threshold float64, left, right int, w ...float64) classifier.ObliqueNode {
	return classifier.ObliqueNode{Weights: w, Threshold: threshold, Left: left, Right: right, Value: []float64{1, 1}}
}

// ObliqueStump is the nodes of a tree that predicts 1 where w·x > threshold.
func ObliqueStump(threshold float64, w ...float64) []classifier.ObliqueNode {
	return []classifier.ObliqueNode{ObliqueInner(threshold, 1, 2, w...), ObliqueLeaf(1, 0), ObliqueLeaf(0, 1)}
}

// ObliqueTree makes a tree that must be well-formed.
func ObliqueTree(t testing.TB, dim int, nodes ...classifier.ObliqueNode) *classifier.ObliqueTree {
	t.Helper()
	tree, err := classifier.NewObliqueTree(dim, nodes)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// ObliqueVote makes a vote that must be well-formed.
func ObliqueVote(t testing.TB, opts classifier.EnsembleOptions, trees ...*classifier.ObliqueTree) *classifier.ObliqueEnsemble {
	t.Helper()
	e, err := classifier.NewObliqueEnsemble(trees, opts)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// ObliqueLeafAt walks the nodes as the documentation says.
func ObliqueLeafAt(nodes []classifier.ObliqueNode, x []float64) int {
	i := 0
	for nodes[i].Left >= 0 {
		sum := 0.0
		for j, w := range nodes[i].Weights {
			product := w * x[j]
			sum += product
		}
		if sum <= nodes[i].Threshold {
			i = nodes[i].Left
		} else {
			i = nodes[i].Right
		}
	}
	return i
}
