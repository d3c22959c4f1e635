package instance

import (
	"math/rand/v2"
	"testing"

	"github.com/seed-1a7dc1f9/facet/classifier"
)

// GrowOblique draws the nodes of a tree of at most this depth.
func GrowOblique(
	rng *rand.Rand, depth int, value func() []float64, test func() classifier.ObliqueNode,
) []classifier.ObliqueNode {
	var nodes []classifier.ObliqueNode
	var grow func(depth int) int
	grow = func(depth int) int {
		id := len(nodes)
		nodes = append(nodes, ObliqueLeaf(value()...))
		if depth > 0 && rng.IntN(6) > 0 {
			n := test()
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

// Thirds draws values that tie often.
func Thirds(rng *rand.Rand, classes int) func() []float64 {
	return func() []float64 {
		v := make([]float64, classes)
		for c := range v {
			v[c] = float64(rng.IntN(4)) / 3
		}
		return v
	}
}

// ObliqueNodes draws a tree whose weights are 0, ±1 and ±2, so that sums do not round: tests of one
// feature, of none, and the same one twice on a path are common.
func ObliqueNodes(rng *rand.Rand, dim, classes, depth int) []classifier.ObliqueNode {
	return GrowOblique(rng, depth, Thirds(rng, classes), func() classifier.ObliqueNode {
		n := classifier.ObliqueNode{Threshold: float64(rng.IntN(9)-4) / 2}
		for range dim {
			n.Weights = append(n.Weights, float64(rng.IntN(3)*(rng.IntN(3)-1)))
		}
		return n
	})
}

// ObliqueLeaf and ObliqueInner make nodes.
func ObliqueLeaf(v ...float64) classifier.ObliqueNode {
	return classifier.ObliqueNode{Left: -1, Right: -1, Value: v}
}

func ObliqueInner(threshold float64, left, right int, w ...float64) classifier.ObliqueNode {
	return classifier.ObliqueNode{
		Weights:   w,
		Threshold: threshold,
		Left:      left,
		Right:     right,
		Value:     []float64{1, 1},
	}
}

// ObliqueTree makes a hard vote of one tree that must be well-formed.
func ObliqueTree(
	t testing.TB, dim int, nodes ...classifier.ObliqueNode,
) *classifier.ObliqueEnsemble {
	t.Helper()
	e, err := classifier.NewObliqueEnsemble(dim, [][]classifier.ObliqueNode{nodes},
		classifier.EnsembleOptions{Vote: classifier.HardVote})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// ObliqueVote makes a vote of trees, each a vote of one, that must be well-formed.
func ObliqueVote(
	t testing.TB, opts classifier.EnsembleOptions, trees ...*classifier.ObliqueEnsemble,
) *classifier.ObliqueEnsemble {
	t.Helper()
	var members [][]classifier.ObliqueNode
	for _, tree := range trees {
		members = append(members, tree.Tree(0))
	}
	e, err := classifier.NewObliqueEnsemble(trees[0].Dim(), members, opts)
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
