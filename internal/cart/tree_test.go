package cart_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// reaching is a set of rows that reach one node.
type reaching struct {
	x    [][]float64
	y    []int
	rows []int
}

func (r reaching) impurity(gini bool) float64 {
	counts := map[int]int{}
	for _, i := range r.rows {
		counts[r.y[i]]++
	}
	return instance.Impurity(gini, counts)
}

// divide sends the rows left or right.
func (r reaching) divide(feature int, threshold float64) (left, right reaching) {
	left, right = reaching{x: r.x, y: r.y}, reaching{x: r.x, y: r.y}
	for _, i := range r.rows {
		if float64(float32(r.x[i][feature])) <= threshold {
			left.rows = append(left.rows, i)
		} else {
			right.rows = append(right.rows, i)
		}
	}
	return left, right
}

// after returns the impurity that remains when the rows are divided, weighted by rows.
func after(gini bool, left, right reaching) float64 {
	return float64(len(left.rows))*left.impurity(gini) +
		float64(len(right.rows))*right.impurity(gini)
}

// best returns the least impurity that any split allowed by minLeaf leaves, +Inf when there is
// none.
func (r reaching) best(gini bool, minLeaf int) float64 {
	least := math.Inf(1)
	for feature := range r.x[0] {
		for _, i := range r.rows {
			left, right := r.divide(feature, float64(float32(r.x[i][feature])))
			if len(left.rows) >= minLeaf && len(right.rows) >= minLeaf {
				least = min(least, after(gini, left, right))
			}
		}
	}
	return least
}

// checkGrown checks every node of a tree against the rows it was trained on: class
// frequencies, the options, that a split is the best there is, lies halfway between two values and
// does not add impurity, and that a leaf had to be one.
func checkGrown(tree *classifier.Tree, x [][]float64, y []int, o classifier.TreeOptions) error {
	nodes := tree.Nodes()
	minSplit, minLeaf := max(o.MinSplit, 2), max(o.MinLeaf, 1)
	visited := 0
	var visit func(id, depth int, r reaching) error
	visit = func(id, depth int, r reaching) error {
		visited++
		n := nodes[id]
		for c, v := range n.Value {
			count := 0
			for _, i := range r.rows {
				if y[i] == c {
					count++
				}
			}
			if want := float64(count) / float64(len(r.rows)); v != want {
				return fmt.Errorf("node %d: frequency of class %d = %v, want %v", id, c, v, want)
			}
		}
		impurity, best := r.impurity(o.Gini), r.best(o.Gini, minLeaf)
		if n.Left < 0 {
			full := o.MaxDepth > 0 && depth == o.MaxDepth
			if !full && len(r.rows) >= minSplit && len(r.rows) >= 2*minLeaf && impurity > 1e-12 &&
				!math.IsInf(best, 1) {
				return fmt.Errorf("leaf %d of %d rows at depth %d with impurity %v could be split",
					id, len(r.rows), depth, impurity)
			}
			return nil
		}
		left, right := r.divide(n.Feature, n.Threshold)
		rest := after(o.Gini, left, right)
		switch {
		case o.MaxDepth > 0 && depth >= o.MaxDepth:
			return fmt.Errorf("node %d is split at depth %d, limit %d", id, depth, o.MaxDepth)
		case len(r.rows) < minSplit:
			return fmt.Errorf("node %d of %d rows is split, %d needed", id, len(r.rows), minSplit)
		case len(left.rows) < minLeaf || len(right.rows) < minLeaf:
			return fmt.Errorf("node %d is split into %d and %d rows, %d needed",
				id, len(left.rows), len(right.rows), minLeaf)
		case rest > float64(len(r.rows))*impurity+1e-9:
			return fmt.Errorf("node %d: the split raises the impurity from %v to %v",
				id, float64(len(r.rows))*impurity, rest)
		case rest > best+1e-9:
			return fmt.Errorf("node %d: the split leaves %v, another would leave %v",
				id, rest, best)
		}
		below, above := math.Inf(-1), math.Inf(1)
		for _, i := range left.rows {
			below = max(below, float64(float32(x[i][n.Feature])))
		}
		for _, i := range right.rows {
			above = min(above, float64(float32(x[i][n.Feature])))
		}
		if n.Threshold != below/2+above/2 {
			return fmt.Errorf("node %d: threshold %v, want the middle of %v and %v",
				id, n.Threshold, below, above)
		}
		if err := visit(n.Left, depth+1, left); err != nil {
			return err
		}
		return visit(n.Right, depth+1, right)
	}
	all := reaching{x: x, y: y}
	for i := range x {
		all.rows = append(all.rows, i)
	}
	if err := visit(0, 0, all); err != nil {
		return err
	}
	if visited != len(nodes) {
		return fmt.Errorf("%d nodes are reached from the root, want %d", visited, len(nodes))
	}
	return nil
}

func TestTrainTreeIsGreedy(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	draws := []func(*rand.Rand) float64{
		func(r *rand.Rand) float64 { return float64(r.IntN(4)) },
		func(r *rand.Rand) float64 { return float64(r.IntN(100)) / 100 },
		func(r *rand.Rand) float64 { return 1e3 * r.NormFloat64() },
	}
	deepest := 0
	for trial := range racetest.Scale(400) {
		n, dim, classes := 1+rng.IntN(50), 1+rng.IntN(4), 1+rng.IntN(4)
		draw := draws[rng.IntN(len(draws))]
		x, y := instance.DrawRows(rng, n, dim, classes, draw)
		if rng.IntN(3) == 0 { // a constant feature
			for i := range x {
				x[i][0] = 2.5
			}
		}
		o := classifier.TreeOptions{
			Gini: rng.IntN(2) == 1,
			Seed: rng.Uint32(),
		}
		if rng.IntN(2) == 0 {
			o.MaxDepth = 1 + rng.IntN(5)
		}
		if rng.IntN(2) == 0 {
			o.MinSplit = rng.IntN(12)
		}
		if rng.IntN(2) == 0 {
			o.MinLeaf = rng.IntN(6)
		}
		tree, err := classifier.TrainTree(t.Context(), instance.Dense(x), y, o)
		if err != nil {
			t.Fatal(err)
		}
		if err := checkGrown(tree, x, y, o); err != nil {
			t.Fatalf("trial %d, %+v: %v; rows %v, labels %v", trial, o, err, x, y)
		}
		if tree.Classes() != slices.Max(y)+1 || tree.Dim() != dim ||
			tree.Comparison() != classifier.AtMostFloat32 {
			t.Fatalf("trial %d: Classes, Dim, Precision = %d, %d, %d",
				trial, tree.Classes(), tree.Dim(), tree.Comparison())
		}
		deepest = max(deepest, len(tree.Nodes()))
		trained, err := classifier.TrainerOf(classifier.TrainTree, o)(
			t.Context(), instance.Dense(x), y)
		if again, ok := trained.(*classifier.Tree); err != nil || !ok ||
			!reflect.DeepEqual(again.Nodes(), tree.Nodes()) {
			t.Fatalf("trial %d: Train = %v, %v, want the same tree", trial, trained, err)
		}
	}
	if deepest < 20 {
		t.Errorf("the largest tree has %d nodes, want the test to grow larger ones", deepest)
	}
}

// TestTrainTreeJoinsCloseValues: values within 1e-7 of their neighbour are never separated.
func TestTrainTreeJoinsCloseValues(t *testing.T) {
	tests := []struct {
		name   string
		values []float64
		want   int // nodes
	}{
		{"equal", []float64{1, 1, 1, 1}, 1},
		{"closer than 1e-7", []float64{0, 4e-8, 0, 9e-8}, 1},
		{"farther than 1e-7", []float64{0, 2e-7, 0, 2e-7}, 3},
	}
	for _, test := range tests {
		x := mat.NewDense(4, 1, test.values)
		tree, err := classifier.TrainTree(t.Context(), x, []int{0, 1, 0, 1},
			classifier.TreeOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if got := len(tree.Nodes()); got != test.want {
			t.Errorf("%s: %d nodes, want %d", test.name, got, test.want)
		}
	}
}

// TestTrainTreeWithoutGain: where both children have the class frequencies of the
// node, rounding decides whether scikit-learn 1.2.1 splits.
func TestTrainTreeWithoutGain(t *testing.T) {
	tests := []struct {
		classes     []int // rows of each class
		left, right int   // times that these stand on either side
		split       bool
	}{
		{[]int{1, 3, 4, 1, 2, 4, 4, 4, 1, 2, 2}, 2, 8, false},
		{[]int{2, 3, 2, 5, 3, 4, 1, 4, 3}, 4, 1, false},
		{[]int{2, 5, 5, 3, 5, 2, 3}, 5, 1, false},
		{[]int{2, 5, 3, 5, 5, 5, 3, 3, 3, 4, 4}, 7, 4, false},
		{[]int{1, 2, 2, 1, 2, 5, 4}, 1, 4, true},
		{[]int{1, 3, 4, 3, 4, 1, 1, 1, 4, 1, 3, 3}, 1, 5, true},
		{[]int{5, 3, 4, 4, 2, 3, 5, 4, 4, 2}, 2, 6, true},
		{[]int{2, 5, 5, 3, 1, 1, 4, 2, 2, 1}, 7, 5, true},
	}
	for _, test := range tests {
		var x []float64
		var y []int
		for label, n := range test.classes {
			for i := range n * (test.left + test.right) {
				x, y = append(x, float64(min(1, i/(n*test.left)))), append(y, label)
			}
		}
		tree, err := classifier.TrainTree(t.Context(), mat.NewDense(len(x), 1, x), y,
			classifier.TreeOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if split := len(tree.Nodes()) > 1; split != test.split {
			t.Errorf("%v, %d times left and %d right: split %v, want %v",
				test.classes, test.left, test.right, split, test.split)
		}
	}
}

func TestTrainTreeErrors(t *testing.T) {
	instance.CheckUntrained(t, "classifier: tree: ", classifier.TrainTree,
		map[string]classifier.TreeOptions{
			"depth -1": {MaxDepth: -1}, "split -1": {MinSplit: -1}, "leaf -1": {MinLeaf: -1},
			"3 features tried of 2": {MaxFeatures: 3}, "-4 features": {MaxFeatures: -4},
			"moves of -0.1": {Robust: -0.1}, "moves of +Inf": {Robust: math.Inf(1)},
			"moves of NaN": {Robust: math.NaN()},
		})
	_, err := classifier.TrainTree(t.Context(), instance.Dense([][]float64{{0}, {-1e39}}),
		[]int{0, 1}, classifier.TreeOptions{})
	if !errors.Is(err, polytope.ErrNotFinite) {
		t.Errorf("infinite in float32: %v, want %v", err, polytope.ErrNotFinite)
	}
	instance.Mentions(t, err, "row 1")
}

// golden is a file that testdata/sklearn/generate.py wrote.
type golden struct {
	X      [][]float64
	Y      []int
	Models []struct {
		Criterion          string
		Depth, Split, Leaf int
		Seed               uint32
		Tree               json.RawMessage
	}
}

// TestTrainTreeAgainstScikitLearn trains anew the trees that scikit-learn 1.2.1 trained on the same
// rows.
func TestTrainTreeAgainstScikitLearn(t *testing.T) {
	files, err := filepath.Glob("testdata/sklearn/*.json")
	if err != nil || len(files) < 5 {
		t.Fatalf("files %v, error %v, want at least 5", files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var g golden
		if err := json.Unmarshal(text, &g); err != nil {
			t.Fatal(err)
		}
		for _, m := range g.Models {
			o := classifier.TreeOptions{
				Gini:     m.Criterion == "gini",
				MaxDepth: m.Depth,
				MinSplit: m.Split,
				MinLeaf:  m.Leaf,
				Seed:     m.Seed,
			}
			name := strings.TrimSuffix(filepath.Base(file), ".json")
			run := fmt.Sprintf("%s/%v/depth=%d/split=%d/leaf=%d/seed=%d",
				name, m.Criterion, o.MaxDepth, o.MinSplit, o.MinLeaf, o.Seed)
			t.Run(run, func(t *testing.T) {
				forest, err := classifier.Read[classifier.Classifier](bytes.NewReader(m.Tree),
					classifier.ReadOptions{})
				if err != nil {
					t.Fatal(err)
				}
				want := forest.(*classifier.Ensemble).Tree(0)
				got, err := classifier.TrainTree(t.Context(), instance.Dense(g.X), g.Y, o)
				if err != nil {
					t.Fatal(err)
				}
				a, b := got.Nodes(), want.Nodes()
				if len(a) != len(b) || len(a) < 3 {
					t.Fatalf("%d nodes, want %d, at least 3", len(a), len(b))
				}
				for i := range a {
					if b[i].Left < 0 {
						b[i].Threshold = 0
					}
					if !reflect.DeepEqual(a[i], b[i]) {
						t.Fatalf("node %d = %+v, want %+v", i, a[i], b[i])
					}
				}
			})
		}
	}
}
