package classifier_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// randomTree draws a tree of at most this depth with thresholds from draw; ties are common.
func randomTree(
	t *testing.T, rng *rand.Rand, p classifier.Comparison, dim, classes, depth int,
	draw func() float64,
) *classifier.Tree {
	t.Helper()
	return instance.GrowTree(t, rng, p, dim, classes, depth, draw,
		func() float64 { return float64(rng.IntN(4)) })
}

// predictSlowly walks the nodes as the documentation says.
func predictSlowly(tree *classifier.Tree, x []float64) int {
	nodes := tree.Nodes()
	i := 0
	for nodes[i].Left >= 0 {
		n := nodes[i]
		v := x[n.Feature]
		if c := tree.Comparison(); c == classifier.AtMostFloat32 || c == classifier.BelowFloat32 {
			v = float64(float32(v))
		}
		left := v < n.Threshold
		if c := tree.Comparison(); c == classifier.AtMostFloat32 || c == classifier.AtMostFloat64 {
			left = v <= n.Threshold
		}
		if i = n.Right; left {
			i = n.Left
		}
	}
	label := 0
	for c, v := range nodes[i].Value {
		if v > nodes[i].Value[label] {
			label = c
		}
	}
	return label
}

// comparisons are all there are.
var comparisons = []classifier.Comparison{
	classifier.AtMostFloat32, classifier.AtMostFloat64, classifier.BelowFloat32,
	classifier.BelowFloat64,
}

// beside returns t, the float32 next to it and the ends of the numbers that round to it, each with
// its float64 neighbours.
func beside(t float64) (values []float64) {
	f := float32(t)
	inf := float32(math.Inf(1))
	below, above := math.Nextafter32(f, -inf), math.Nextafter32(f, inf)
	for _, v := range []float64{
		t, float64(f), float64(below), float64(above),
		float64(below)/2 + float64(f)/2, float64(f)/2 + float64(above)/2,
	} {
		values = append(values, v, math.Nextafter(v, math.Inf(-1)), math.Nextafter(v, math.Inf(1)))
	}
	return values
}

func TestTreePredictAndCellsOnThresholds(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	base := []float64{0, 0.1, 0.25, -1, 1.0 / 3, 1e6 + 0.1, 1e-6, float64(float32(0.1)), 16777217}
	for trial := range racetest.Scale(1500) {
		p := classifier.Comparison(trial % 4)
		dim, classes := 1+rng.IntN(3), 2+rng.IntN(3)
		thresholds := []float64{}
		draw := func() float64 {
			v := base[rng.IntN(len(base))]
			if rng.IntN(2) == 0 { // an ulp beside another, so that intervals hold no float32
				v = math.Nextafter(v, float64(rng.IntN(3)-1)*math.Inf(1))
			}
			if math.IsNaN(v) {
				v = 0
			}
			thresholds = append(thresholds, v)
			return v
		}
		tree := randomTree(t, rng, p, dim, classes, 5, draw)
		thresholds = append(thresholds, 0)
		for range 12 {
			x := make([]float64, dim)
			for j := range x {
				near := beside(thresholds[rng.IntN(len(thresholds))])
				if x[j] = near[rng.IntN(len(near))]; rng.IntN(5) == 0 {
					x[j] = rng.NormFloat64()
				}
			}
			if got, want := tree.Predict(x), predictSlowly(tree, x); got != want {
				t.Fatalf("trial %d: Predict(%v) = %d, want %d", trial, x, got, want)
			}
			checkTiling(t, tree, x)
		}
		if t.Failed() {
			t.Fatalf("trial %d: %+v", trial, tree.Nodes())
		}
	}
}

// TestCellsWithoutFloat32AreLeftOut puts two thresholds between neighbouring float32.
func TestCellsWithoutFloat32AreLeftOut(t *testing.T) {
	one := float64(float32(1))
	tests := []struct {
		p            classifier.Comparison
		first, inner float64
		want         []int // labels of the cells
	}{
		{classifier.AtMostFloat32, one, math.Nextafter(one, 2), []int{0, 2}},
		{classifier.AtMostFloat32, 1.00000001, 1.00000002, []int{0, 2}},
		{classifier.AtMostFloat32, 1.00000001, 1.0000003, []int{0, 1, 2}},
		{classifier.AtMostFloat64, one, math.Nextafter(one, 2), []int{0, 1, 2}},
		{classifier.AtMostFloat64, one, one, []int{0, 2}},
		{classifier.BelowFloat64, one, math.Nextafter(one, 2), []int{0, 1, 2}},
		{classifier.BelowFloat32, one, math.Nextafter(one, 2), []int{0, 1, 2}},
		{classifier.BelowFloat32, math.Nextafter(one, 2), 1.00000002, []int{0, 2}},
		{classifier.AtMostFloat64, one, 0.5, []int{0, 2}},
	}
	for _, test := range tests {
		tree, err := classifier.NewTree(1, test.p, []classifier.TreeNode{
			{Feature: 0, Threshold: test.first, Left: 1, Right: 2, Value: []float64{1, 1, 1}},
			{Left: -1, Right: -1, Value: []float64{1, 0, 0}},
			{Feature: 0, Threshold: test.inner, Left: 3, Right: 4, Value: []float64{0, 1, 1}},
			{Left: -1, Right: -1, Value: []float64{0, 1, 0}},
			{Left: -1, Right: -1, Value: []float64{0, 0, 1}},
		})
		if err != nil {
			t.Fatal(err)
		}
		var got []int
		for c := range tree.Cells() {
			got = append(got, c.Label)
		}
		if !reflect.DeepEqual(got, test.want) {
			t.Errorf("comparison %d, %v then %v: labels of the cells = %v, want %v",
				test.p, test.first, test.inner, got, test.want)
		}
	}
}

func TestNewTreeErrors(t *testing.T) {
	leaf := func(v ...float64) classifier.TreeNode {
		return classifier.TreeNode{Feature: -1, Left: -1, Right: -1, Value: v}
	}
	inner := func(feature int, threshold float64, left, right int) classifier.TreeNode {
		return classifier.TreeNode{
			Feature:   feature,
			Threshold: threshold,
			Left:      left,
			Right:     right,
			Value:     []float64{1, 1},
		}
	}
	a, b := leaf(1, 0), leaf(0, 1)
	tests := []struct {
		name  string
		dim   int
		p     classifier.Comparison
		nodes []classifier.TreeNode
		node  int // that is at fault, −1 for none
	}{
		{"no nodes", 1, 0, nil, -1},
		{"no features", 0, 0, []classifier.TreeNode{a}, -1},
		{"negative dimension", -1, 0, []classifier.TreeNode{a}, -1},
		{"no classes", 1, 0, []classifier.TreeNode{leaf()}, -1},
		{"unknown comparison", 1, 4, []classifier.TreeNode{a}, -1},
		{"negative comparison", 1, -1, []classifier.TreeNode{a}, -1},
		{"feature too large", 1, 0, []classifier.TreeNode{inner(1, 0, 1, 2), a, b}, 0},
		{"feature negative", 1, 0, []classifier.TreeNode{inner(-1, 0, 1, 2), a, b}, 0},
		{"threshold below every float64", 1, classifier.AtMostFloat64,
			[]classifier.TreeNode{inner(0, math.Inf(-1), 1, 2), a, b}, 0},
		{"threshold that no float64 is below", 1, classifier.BelowFloat64,
			[]classifier.TreeNode{inner(0, 0, 1, 2), a, inner(0, math.Inf(-1), 3, 4), a, b}, 2},
		{"threshold NaN", 1, 0, []classifier.TreeNode{inner(0, math.NaN(), 1, 2), a, b}, 0},
		{"child is its parent", 1, 0, []classifier.TreeNode{inner(0, 0, 0, 1), a}, 0},
		{"child before its parent", 1, 0,
			[]classifier.TreeNode{inner(0, 0, 1, 2), inner(0, 0, 0, 2), b}, 1},
		{"child beyond the end", 1, 0, []classifier.TreeNode{inner(0, 0, 1, 3), a, b}, 0},
		{"only a left child", 1, 0, []classifier.TreeNode{inner(0, 0, 1, -1), a}, 0},
		{"only a right child", 1, 0, []classifier.TreeNode{inner(0, 0, -1, 1), a}, 0},
		{"both children the same", 1, 0, []classifier.TreeNode{inner(0, 0, 1, 1), a}, 0},
		{"two parents", 1, 0, []classifier.TreeNode{inner(0, 0, 1, 2), inner(0, 0, 2, 3), a, b}, 1},
		{"orphan", 1, 0, []classifier.TreeNode{inner(0, 0, 1, 2), a, b, a}, 3},
		{"fewer values", 1, 0, []classifier.TreeNode{inner(0, 0, 1, 2), a, leaf(1)}, 2},
		{"more values", 1, 0, []classifier.TreeNode{inner(0, 0, 1, 2), leaf(1, 2, 3), b}, 1},
		{"value NaN", 1, 0, []classifier.TreeNode{inner(0, 0, 1, 2), leaf(math.NaN(), 1), b}, 1},
		{"value infinite", 1, 0, []classifier.TreeNode{inner(0, 0, 1, 2), a, leaf(0, math.Inf(-1))},
			2},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			tree, err := classifier.NewTree(test.dim, test.p, test.nodes)
			if tree != nil || !errors.Is(err, classifier.ErrModel) {
				t.Fatalf("NewTree = %v, %v, want ErrModel", tree, err)
			}
			if test.node >= 0 {
				instance.Mentions(t, err, fmt.Sprintf("node %d:", test.node))
			}
		})
	}
}

// TestTreeKeepsItsNodes checks that a tree neither shares nor loses its parts.
func TestTreeKeepsItsNodes(t *testing.T) {
	nodes := []classifier.TreeNode{
		{Feature: 1, Threshold: 0.5, Left: 1, Right: 2, Value: []float64{0.5, 0.5}},
		{Feature: -1, Left: -1, Right: -1, Value: []float64{1, 0}},
		{Feature: -1, Left: -1, Right: -1, Value: []float64{0, 1}},
	}
	tree, err := classifier.NewTree(2, classifier.AtMostFloat64, nodes)
	if err != nil {
		t.Fatal(err)
	}
	if got := tree.Nodes(); !reflect.DeepEqual(got, nodes) {
		t.Errorf("Nodes = %v, want %v", got, nodes)
	}
	if tree.Dim() != 2 || tree.Classes() != 2 || tree.Comparison() != classifier.AtMostFloat64 ||
		classifier.NamesOf(tree).ClassValues != nil {
		t.Errorf("Dim, Classes, Comparison, ClassValues = %d, %d, %d, %v, want 2, 2, 1, nil",
			tree.Dim(), tree.Classes(), tree.Comparison(),
			classifier.NamesOf(tree).ClassValues)
	}
	tree.Nodes()[1].Value[0] = -1
	nodes[1].Value[0], nodes[0].Threshold = -1, -1
	if got := tree.Nodes(); got[1].Value[0] != 1 || got[0].Threshold != 0.5 {
		t.Errorf("Nodes after changing copies = %v", got)
	}
}

// locator is a classifier that names the cell around a point.
type locator interface {
	CellAt(x []float64) (classifier.Cell, error)
}

func TestCellAtErrors(t *testing.T) {
	tree := stump(t, classifier.AtMostFloat64, 0)
	for _, c := range []locator{tree, knnOf(t, [][]float64{{0}, {1}}, []int{0, 1}, 1)} {
		for _, test := range []struct {
			x    []float64
			want error
		}{
			{nil, polytope.ErrDimension},
			{[]float64{1, 2}, polytope.ErrDimension},
			{[]float64{math.NaN()}, polytope.ErrNotFinite},
			{[]float64{math.Inf(1)}, polytope.ErrNotFinite},
		} {
			if _, err := c.CellAt(test.x); !errors.Is(err, test.want) {
				t.Errorf("%T.CellAt(%v): error = %v, want %v", c, test.x, err, test.want)
			}
		}
	}
}

// TestCellsStopEarly breaks off the iteration after the first cell.
func TestCellsStopEarly(t *testing.T) {
	for _, c := range []classifier.Decomposable{
		stump(t, classifier.AtMostFloat32, 0),
		knnOf(t, [][]float64{{0}, {1}, {2}}, []int{0, 1, 0}, 2),
	} {
		n := 0
		for range c.Cells() {
			n++
			break
		}
		if n != 1 {
			t.Errorf("%T: %d cells after a break, want 1", c, n)
		}
	}
}

// stump is a tree of one split: 0 on the left, 1 on the right.
func stump(t *testing.T, p classifier.Comparison, threshold float64) *classifier.Tree {
	t.Helper()
	tree, err := classifier.NewTree(1, p, []classifier.TreeNode{
		{Feature: 0, Threshold: threshold, Left: 1, Right: 2, Value: []float64{1, 1}},
		{Left: -1, Right: -1, Value: []float64{1, 0}},
		{Left: -1, Right: -1, Value: []float64{0, 1}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// checkTiling checks that x lies in exactly one of the cells, and that this and
// the cell around x have the label predicted.
func checkTiling(t *testing.T, tree *classifier.Tree, x []float64) {
	t.Helper()
	want := tree.Predict(x)
	count := 0
	for cell := range tree.Cells() {
		if geometry.EmptyBox(cell.Region.Box) {
			t.Errorf("an empty cell is listed: %v", cell)
		}
		if !cell.Region.Contains(x) {
			continue
		}
		if count++; cell.Label != want {
			t.Errorf("the cell around %v has label %d, Predict = %d", x, cell.Label, want)
		}
	}
	if count != 1 {
		t.Errorf("%d cells contain %v, want 1", count, x)
	}
	cell, err := tree.CellAt(x)
	if err != nil {
		t.Error(err)
	}
	if !cell.Region.Contains(x) || cell.Label != want {
		t.Errorf("CellAt(%v) = %v, want one with label %d that contains it", x, cell, want)
	}
}
