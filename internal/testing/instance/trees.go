package instance

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Tree is an attack on a random tree.
type Tree struct {
	Tree   *classifier.Tree
	Query  []float64
	Target *int
	Box    polytope.Box
}

// DrawTree makes trees biased to trouble: coarse thresholds, equal ones on a path, neighbouring
// float32 and float64, queries on thresholds, tied leaves, boxes with open, equal and infinite
// ends.
func DrawTree(t testing.TB, rng *rand.Rand) Tree {
	t.Helper()
	dim, classes := 1+rng.IntN(4), 2+rng.IntN(3)
	kind := rng.IntN(4)
	draw := func() float64 {
		switch v := float64(rng.IntN(9) - 4); kind {
		case 0:
			return v / 4
		case 1: // no float32
			return v / 10
		case 2: // beside one
			v /= 10
			return math.Nextafter(v, v+float64(rng.IntN(3)-1))
		}
		return rng.NormFloat64()
	}
	tree := GrowTree(t, rng, classifier.Comparison(rng.IntN(4)), dim, classes, 1+rng.IntN(6), draw,
		func() float64 { return float64(rng.IntN(3)) })
	in := Tree{Tree: tree}
	for range dim {
		in.Query = append(in.Query, draw())
	}
	if rng.IntN(3) == 0 {
		in.Target = new(rng.IntN(classes))
	}
	if rng.IntN(3) == 0 {
		for range dim {
			a, b := draw(), draw()
			i := polytope.Interval{Lo: min(a, b), Hi: max(a, b)}
			switch rng.IntN(6) {
			case 0:
				i.Lo = math.Inf(-1)
			case 1:
				i.Hi = math.Inf(1)
			case 2:
				i.LoOpen, i.HiOpen = i.Lo < i.Hi, i.Lo < i.Hi && rng.IntN(2) == 0
			}
			in.Box = append(in.Box, i)
		}
	}
	return in
}

// GrowTree draws a tree of at most this depth, its thresholds and leaf values.
func GrowTree(
	t testing.TB, rng *rand.Rand, p classifier.Comparison, dim, classes, depth int, threshold,
	value func() float64,
) *classifier.Tree {
	t.Helper()
	var nodes []classifier.TreeNode
	var grow func(depth int) int
	grow = func(depth int) int {
		id := len(nodes)
		n := classifier.TreeNode{Feature: -1, Left: -1, Right: -1, Value: make([]float64, classes)}
		for c := range n.Value {
			n.Value[c] = value()
		}
		nodes = append(nodes, n)
		if depth > 0 && rng.IntN(6) > 0 {
			n := classifier.TreeNode{Feature: rng.IntN(dim), Threshold: threshold(), Value: n.Value}
			n.Left = grow(depth - 1)
			n.Right = grow(depth - 1)
			nodes[id] = n
		}
		return id
	}
	grow(depth)
	tree, err := classifier.NewTree(dim, p, nodes)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}
