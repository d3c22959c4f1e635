package cart_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/numpyrand"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
)

// removedAtWorst returns the impurity, weighted by rows, that a split removes in
// the worst of the four cases, each made by moving the rows themselves.
func (r reaching) removedAtWorst(o classifier.TreeOptions, feature int, threshold float64) float64 {
	cases := []func(v float64) (left bool){
		func(v float64) bool { return v <= threshold },
		func(v float64) bool { return v <= threshold+o.Robust },
		func(v float64) bool { return v < threshold-o.Robust },
		func(v float64) bool {
			if threshold-o.Robust <= v && v <= threshold+o.Robust {
				return !(v <= threshold)
			}
			return v <= threshold
		},
	}
	least := math.Inf(1)
	for _, goesLeft := range cases {
		left, right := reaching{x: r.x, y: r.y}, reaching{x: r.x, y: r.y}
		for _, i := range r.rows {
			if goesLeft(float64(float32(r.x[i][feature]))) {
				left.rows = append(left.rows, i)
			} else {
				right.rows = append(right.rows, i)
			}
		}
		rest := 0.0
		for _, side := range []reaching{left, right} {
			if len(side.rows) > 0 {
				rest += float64(len(side.rows)) * side.impurity(o.Gini)
			}
		}
		least = min(least, float64(len(r.rows))*r.impurity(o.Gini)-rest)
	}
	return least
}

// mostRemoved returns the most impurity that any allowed split removes in its
// worst case, and −Inf when there is none.
func (r reaching) mostRemoved(o classifier.TreeOptions) float64 {
	most := math.Inf(-1)
	for feature := range r.x[0] {
		for _, i := range r.rows {
			below, above := float32(r.x[i][feature]), float32(math.Inf(1))
			for _, k := range r.rows {
				if v := float32(r.x[k][feature]); v > below {
					above = min(above, v)
				}
			}
			if math.IsInf(float64(above), 1) || above <= below+1e-7 {
				continue
			}
			threshold := float64(below)/2 + float64(above)/2
			left, right := r.divide(feature, threshold)
			if min(distinct(left), distinct(right)) >= max(o.MinLeaf, 1) {
				most = max(most, r.removedAtWorst(o, feature, threshold))
			}
		}
	}
	return most
}

// distinct counts rows drawn several times once.
func distinct(r reaching) int {
	rows := map[int]bool{}
	for _, i := range r.rows {
		rows[i] = true
	}
	return len(rows)
}

// checkChen checks every node of a tree grown with all features against all
// splits of its rows.
func checkChen(tree *classifier.Tree, root reaching, o classifier.TreeOptions) error {
	const rounding = 1e-9
	nodes := tree.Nodes()
	var visit func(id, depth int, r reaching) error
	visit = func(id, depth int, r reaching) error {
		n, most := nodes[id], r.mostRemoved(o)
		if n.Left < 0 {
			if depth < o.MaxDepth && distinct(r) >= max(o.MinSplit, 2) &&
				distinct(r)/2 >= o.MinLeaf && most > rounding {
				return fmt.Errorf("leaf %d at depth %d: a split removes %v at worst",
					id, depth, most)
			}
			return nil
		}
		got := r.removedAtWorst(o, n.Feature, n.Threshold)
		if got <= rounding || math.Abs(got-most) > rounding {
			return fmt.Errorf("node %d: feature %d at %v removes %v at worst, the best split %v",
				id, n.Feature, n.Threshold, got, most)
		}
		left, right := r.divide(n.Feature, n.Threshold)
		if err := visit(n.Left, depth+1, left); err != nil {
			return err
		}
		return visit(n.Right, depth+1, right)
	}
	return visit(0, 0, root)
}

// chenTrial draws a small training set with many ties and options to grow on it.
func chenTrial(rng *rand.Rand) (x [][]float64, y []int, o classifier.TreeOptions) {
	n, d, classes := 1+rng.IntN(24), 1+rng.IntN(3), 1+rng.IntN(4)
	steps := float64(1 + rng.IntN(12))
	scale := []float64{1, 1, 6e-7}[rng.IntN(3)] // some values closer than 1e-7
	x, y = make([][]float64, n), make([]int, n)
	for i := range x {
		x[i], y[i] = make([]float64, d), rng.IntN(classes)
		for j := range x[i] {
			x[i][j] = math.Floor(rng.Float64()*steps) / steps
			if rng.IntN(4) == 0 {
				x[i][j] = rng.Float64()
			}
			x[i][j] *= scale
		}
	}
	o = classifier.TreeOptions{
		Gini: rng.IntN(2) == 1, MaxDepth: 1 + rng.IntN(4),
		MinSplit: rng.IntN(4), MinLeaf: rng.IntN(3),
		Seed: rng.Uint32(), Chen: true,
		Robust: scale * []float64{0.5 / steps, 1 / steps, 0.01, 0.1, 0.3, 2}[rng.IntN(6)],
	}
	return x, y, o
}

// TestChenSplitsAreTheBest compares robust trees with all splits of every node.
func TestChenSplitsAreTheBest(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(5, 6))
	inner := 0
	for trial := range racetest.Scale(5000) {
		x, y, o := chenTrial(rng)
		tree, err := classifier.TrainTree(t.Context(), instance.Dense(x), y, o)
		if err != nil {
			t.Fatal(err)
		}
		root := reaching{x: x, y: y}
		for i := range x {
			root.rows = append(root.rows, i)
		}
		if err := checkChen(tree, root, o); err != nil {
			t.Fatalf("trial %d, %+v: %v\n%v %v", trial, o, err, x, y)
		}
		inner += len(tree.Nodes()) / 2
	}
	if inner < racetest.Scale(2000) {
		t.Errorf("%d splits were checked, want more", inner)
	}
}

// TestChenSplitsCountDraws does the same for a forest's trees, where a row counts
// as often as it was drawn.
func TestChenSplitsCountDraws(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(7, 8))
	for trial := range racetest.Scale(1000) {
		x, y, o := chenTrial(rng)
		o.MaxFeatures = len(x[0])
		forest, err := classifier.TrainForest(t.Context(), instance.Dense(x), y,
			classifier.ForestOptions{TreeOptions: o, Trees: 2, Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		seeds := numpyrand.New(o.Seed)
		for i := range forest.Len() {
			draws := numpyrand.New(uint32(seeds.Randint(0, math.MaxInt32)))
			root := reaching{x: x, y: y}
			for range x {
				root.rows = append(root.rows, int(draws.Randint(0, int64(len(x)))))
			}
			if err := checkChen(forest.Tree(i), root, o); err != nil {
				t.Fatalf("trial %d, tree %d, %+v: %v\n%v %v", trial, i, o, err, x, y)
			}
		}
	}
}

// TestChenWithoutBandIsPlain: where no row is near a threshold, robust splitting
// is plain splitting, node for node.
func TestChenWithoutBandIsPlain(t *testing.T) {
	for _, gini := range []bool{false, true} {
		o := classifier.ForestOptions{
			TreeOptions: classifier.TreeOptions{Gini: gini},
			Trees:       5,
		}
		plain := forestOf(t, o)
		o.Chen, o.Robust = true, math.SmallestNonzeroFloat64
		if !sameForest(forestOf(t, o), plain) {
			t.Errorf("gini %v: a forest that is robust to no move differs from the plain one", gini)
		}
	}
}

func TestChenForestDoesNotDependOnWorkers(t *testing.T) {
	o := classifier.ForestOptions{
		TreeOptions: classifier.TreeOptions{Robust: 0.1, Chen: true},
		Trees:       20,
		Workers:     1,
	}
	want := forestOf(t, o)
	for _, workers := range []int{2, 7} {
		o.Workers = workers
		if !sameForest(forestOf(t, o), want) {
			t.Errorf("%d workers grow another forest than one", workers)
		}
	}
	if o.Robust = 0; sameForest(forestOf(t, o), want) {
		t.Error("robust and plain splitting grow the same forest")
	}
}

// TestChenBand: a row at a distance of exactly ε from the threshold may move.
func TestChenBand(t *testing.T) {
	x := mat.NewDense(4, 1, []float64{0, 1, 2, 3}) // the threshold 1.5 alone separates
	y := []int{0, 0, 1, 1}
	for _, test := range []struct {
		epsilon float64
		nodes   int
	}{{0.4999, 3}, {0.5, 1}, {1.4999, 1}, {1.5, 1}, {1e300, 1}} {
		tree, err := classifier.TrainTree(t.Context(), x, y, classifier.TreeOptions{
			Robust: test.epsilon, Chen: true,
		})
		if err != nil {
			t.Fatal(err)
		}
		if got := len(tree.Nodes()); got != test.nodes {
			t.Errorf("ε = %v: %d nodes, want %d: %+v", test.epsilon, got, test.nodes, tree.Nodes())
		}
	}
}

// TestChenTreeOfOneClass: rows of one class are not split.
func TestChenTreeOfOneClass(t *testing.T) {
	tree, err := classifier.TrainTree(t.Context(), mat.NewDense(3, 1, []float64{0, 1, 2}),
		[]int{1, 1, 1}, classifier.TreeOptions{Robust: 0.1, Chen: true})
	if err != nil {
		t.Fatal(err)
	}
	want := []classifier.TreeNode{{Feature: -1, Left: -1, Right: -1, Value: []float64{0, 1}}}
	if !reflect.DeepEqual(tree.Nodes(), want) {
		t.Errorf("nodes = %+v, want %+v", tree.Nodes(), want)
	}
}
