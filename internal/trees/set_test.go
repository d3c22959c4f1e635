package trees

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-1a7dc1f9/facet/polytope"
)

// drawSets draws a tree on three features, most of whose tests are of sets. The values of leaves
// are their numbers.
func drawSets(t *testing.T, rng *rand.Rand, c Comparison) *Axis {
	t.Helper()
	var nodes []Node
	var grow func(depth int) int
	grow = func(depth int) int {
		at := len(nodes)
		nodes = append(nodes, Node{Left: -1, Right: -1, Value: []float64{float64(at)}})
		if depth == 0 {
			return at
		}
		n := Node{Feature: rng.IntN(3), Threshold: float64(rng.IntN(8)), Value: nodes[at].Value,
			MissingLeft: rng.IntN(2) == 0}
		for v := range 8 {
			if rng.IntN(2) == 0 {
				n.Thresholds = append(n.Thresholds, float64(v))
			}
		}
		if len(n.Thresholds) < 2 {
			n.Thresholds = nil
		}
		n.Left = grow(depth - 1)
		n.Right = grow(depth - 1)
		nodes[at] = n
		return at
	}
	grow(1 + rng.IntN(4))
	axis, err := NewAxis(3, c, Nodes(nodes))
	if err != nil {
		t.Fatal(err)
	}
	return axis
}

// reached walks down a tree, counting thresholds one by one.
func reached(t *Axis, x []float64) int {
	i := 0
	for !t.IsLeaf(i) {
		n := t.Node(i)
		thresholds := n.Thresholds
		if thresholds == nil {
			thresholds = []float64{n.Threshold}
		}
		left := true
		for _, threshold := range thresholds {
			if v := x[n.Feature]; !t.Comparison.border(threshold).Low(v) {
				left = !left
			}
		}
		if x[n.Feature] != x[n.Feature] {
			left = n.MissingLeft
		}
		if i = n.Right; left {
			i = n.Left
		}
	}
	return i
}

// TestSets: tests of sets send every input where their borders say, alone and in batches, and the
// boxes of a leaf are the inputs that reach it, each in one.
func TestSets(t *testing.T) {
	values := []float64{math.NaN(), -1e300, 1e300, math.Copysign(0, -1)}
	for v := -1.0; v < 9; v++ {
		values = append(values, v, v+0.5, math.Nextafter(v, 9), math.Nextafter(v, -9), v-0x1p-25)
	}
	for number := range uint64(400) {
		rng := rand.New(rand.NewPCG(number, 77))
		axis := drawSets(t, rng, Comparison(number%4))
		e, err := NewEnsemble([]*Axis{axis}, Vote{Rule: Sum})
		if err != nil {
			t.Fatal(err)
		}
		var rows []float64
		var leaves []int
		for range 70 {
			x := []float64{values[rng.IntN(len(values))], values[rng.IntN(len(values))],
				values[rng.IntN(len(values))]}
			want := reached(axis, x)
			if got := axis.Leaf(x); got != want {
				t.Fatalf("instance %d: %v reaches leaf %d, want %d", number, x, got, want)
			}
			if !slices.ContainsFunc(x, math.IsNaN) {
				checkParts(t, axis, x, want)
			}
			rows, leaves = append(rows, x...), append(leaves, want)
		}
		b := NewBatch(e)
		got := make([]uint32, len(leaves))
		if b.single != nil {
			b.single.walk(0, b.trees[0].depth, b.single.keys(rows, 3), got)
		} else {
			b.double.walk(0, b.trees[0].depth, b.double.keys(rows, 3), got)
		}
		for i, leaf := range got {
			if reached := int(b.trees[0].number[leaf]); reached != leaves[i] {
				t.Fatalf("instance %d: %v reaches leaf %d of a batch, want %d",
					number, rows[3*i:3*i+3], reached, leaves[i])
			}
		}
	}
}

// checkParts checks the boxes of the leaf that x reaches, and that around x.
func checkParts(t *testing.T, axis *Axis, x []float64, leaf int) {
	t.Helper()
	holding := 0
	var own polytope.Box
	for i := range axis.Leaves() {
		for part := range axis.Parts(polytope.NewBox(3), i) {
			if part.Contains(x) {
				holding++
				if own = slices.Clone(part); i != leaf {
					t.Fatalf("%v lies in a box of leaf %d, and reaches %d", x, i, leaf)
				}
			}
		}
	}
	around := polytope.NewBox(3)
	axis.RestrictTo(around, leaf, x)
	if holding != 1 || !slices.Equal(around, own) {
		t.Fatalf("%v lies in %d boxes, the last %v, and around it is %v", x, holding, own, around)
	}
}

// TestSetFaults: thresholds of a set that do not part the values, or are out of order, are refused.
func TestSetFaults(t *testing.T) {
	for _, thresholds := range [][]float64{
		{1}, {1, 1}, {2, 1}, {1, math.NaN()}, {1, math.Inf(1)}, {math.Inf(-1), 1}, {1, 1 + 1e-12},
	} {
		nodes := Nodes{{Thresholds: thresholds, Left: 1, Right: 2, Value: []float64{0}},
			{Left: -1, Right: -1, Value: []float64{0}}, {Left: -1, Right: -1, Value: []float64{1}}}
		if _, err := NewAxis(1, AtMostFloat32, nodes); err == nil {
			t.Errorf("%v are no thresholds of a set", thresholds)
		}
		nodes = Nodes{{Left: -1, Right: -1, Thresholds: []float64{0, 1}, Value: []float64{0}}}
		if _, err := NewAxis(1, AtMostFloat32, nodes); err == nil {
			t.Error("a leaf has thresholds")
		}
	}
}
