package classifier_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// obliqueLeaf and obliqueInner make nodes.
func obliqueLeaf(v ...float64) classifier.ObliqueNode {
	return classifier.ObliqueNode{Left: -1, Right: -1, Value: v}
}

func obliqueInner(threshold float64, left, right int, w ...float64) classifier.ObliqueNode {
	return classifier.ObliqueNode{Weights: w, Threshold: threshold, Left: left, Right: right, Value: []float64{1, 1}}
}

// obliqueOf makes a tree that must be well-formed.
func obliqueOf(t *testing.T, dim int, nodes ...classifier.ObliqueNode) *classifier.ObliqueTree {
	t.Helper()
	tree, err := classifier.NewObliqueTree(dim, nodes)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// randomOblique draws the nodes of a tree of at most this depth. Weights are 0, ±1 and ±2, so
// that nothing rounds: tests of one feature, of none, and the same one twice on a path are common.
func randomOblique(rng *rand.Rand, dim, classes, depth int) []classifier.ObliqueNode {
	var nodes []classifier.ObliqueNode
	var grow func(depth int) int
	grow = func(depth int) int {
		id := len(nodes)
		n := obliqueLeaf()
		for range classes {
			n.Value = append(n.Value, float64(rng.IntN(4))/3)
		}
		nodes = append(nodes, n)
		if depth > 0 && rng.IntN(8) > 0 {
			n.Threshold = float64(rng.IntN(9)-4) / 2
			for range dim {
				n.Weights = append(n.Weights, float64(rng.IntN(3)*(rng.IntN(3)-1)))
			}
			n.Left = grow(depth - 1)
			n.Right = grow(depth - 1)
			nodes[id] = n
		}
		return id
	}
	grow(depth)
	return nodes
}

// leafSlowly walks the nodes as the documentation says.
func leafSlowly(nodes []classifier.ObliqueNode, x []float64) int {
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

func largest(v []float64) int {
	best := 0
	for c, e := range v {
		if e > v[best] {
			best = c
		}
	}
	return best
}

func TestObliqueTreePredict(t *testing.T) {
	inf := math.Inf(1)
	tiny := math.SmallestNonzeroFloat64
	plus := func(w ...float64) []float64 { return w }
	tests := []struct {
		name      string
		weights   []float64
		threshold float64
		left      [][]float64
		right     [][]float64
	}{
		{"oblique", plus(1, 2), 1, [][]float64{{1, 0}, {-1, 1}, {0, -9}}, [][]float64{{0, 1}, {1, math.Nextafter(0, 1) * 1e308}}},
		{"negated", plus(-1, -2), -1, [][]float64{{1, 0}, {0, 1}}, [][]float64{{0, 0}, {math.Nextafter(1, 0), 0}}},
		{"one feature", plus(0, 1), 0.1, [][]float64{{7, 0.1}, {-7, -1}}, [][]float64{{0, math.Nextafter(0.1, 1)}}},
		{"one feature, negative", plus(-2, 0), 1, [][]float64{{-0.5, 3}, {0, 3}}, [][]float64{{math.Nextafter(-0.5, -1), 0}}},
		{"a product that rounds", plus(3, 0), 0.3, [][]float64{{0.09999999999999999, 0}}, [][]float64{{0.1, 0}}},
		{"an underflow", plus(0.25, 0), 0, [][]float64{{tiny, 0}, {2 * tiny, 0}}, [][]float64{{3 * tiny, 0}}},
		{"an overflow", plus(1e300, 0), 1e308, [][]float64{{1e8, 0}, {-1e300, 0}}, [][]float64{{1e9, 0}, {1e300, 0}}},
		{"no weight, right", plus(0, 0), -1, nil, [][]float64{{0, 0}, {1e300, -1e300}}},
		{"no weight, left", plus(0, math.Copysign(0, -1)), 0, [][]float64{{0, 0}, {1e300, -1e300}}, nil},
		{"always", plus(1, 1), inf, [][]float64{{1e300, 1e300}, {0, 0}}, nil},
		{"never", plus(1, 0), -inf, nil, [][]float64{{-1e300, 0}}},
		{"a sum in order", plus(1e17, 1, -1e17), 0, [][]float64{{1, 1, 1}}, nil},
		{"the same sum in another", plus(1e17, -1e17, 1), 0, nil, [][]float64{{1, 1, 1}}},
	}
	for _, test := range tests {
		tree := obliqueOf(t, len(test.weights), obliqueInner(test.threshold, 1, 2, test.weights...), obliqueLeaf(1, 0), obliqueLeaf(0, 1))
		for want, points := range [][][]float64{test.left, test.right} {
			for _, x := range points {
				if got := tree.Predict(x); got != want {
					t.Errorf("%s: Predict(%v) = %d, want %d", test.name, x, got, want)
				}
				cell, err := tree.CellAt(x)
				if err != nil || cell.Label != want || !(cell.Region.Contains(x) || len(x) == 3) { // its sum rounds
					t.Errorf("%s: CellAt(%v) = %+v, %v, want label %d", test.name, x, cell, err, want)
				}
			}
		}
	}
}

// TestObliqueTestsOfOneFeature compares the ends of cells with predictions on the float64
// beside them.
func TestObliqueTestsOfOneFeature(t *testing.T) {
	numbers := []float64{0, 0.1, -0.1, 1, 3, -1.0 / 3, 1e-300, -1e300, 5e-324, math.MaxFloat64, -7.25, 1e17}
	rng := rand.New(rand.NewPCG(3, 1))
	for trial := range racetest.Scale(4000) {
		w, threshold := numbers[rng.IntN(len(numbers))], numbers[rng.IntN(len(numbers))]
		if trial%3 == 0 {
			w, threshold = rng.NormFloat64(), rng.NormFloat64()
		}
		nodes := []classifier.ObliqueNode{obliqueInner(threshold, 1, 2, w), obliqueLeaf(1, 0), obliqueLeaf(0, 1)}
		tree := obliqueOf(t, 1, nodes...)
		near := []float64{0, threshold, threshold / w, -threshold, math.MaxFloat64, -math.MaxFloat64}
		for _, v := range near {
			for range 8 {
				if x := []float64{v}; math.Abs(v) <= math.MaxFloat64 {
					label := leafSlowly(nodes, x) - 1
					if got := tree.Predict(x); got != label {
						t.Fatalf("weight %v, threshold %v: Predict(%v) = %d, want %d", w, threshold, v, got, label)
					}
					if cell, err := tree.CellAt(x); err != nil || !cell.Region.Contains(x) || cell.Label != label || len(cell.Region.HalfSpaces) > 0 {
						t.Fatalf("weight %v, threshold %v: CellAt(%v) = %+v, %v", w, threshold, v, cell, err)
					}
				}
				v = math.Nextafter(v, math.Inf(2*(trial%2)-1))
			}
		}
	}
}

func TestObliqueEnsemblePredict(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 2))
	for trial := range racetest.Scale(3000) {
		dim, classes := 1+rng.IntN(3), 1+rng.IntN(20)
		var trees []*classifier.ObliqueTree
		for range 1 + rng.IntN(4) {
			trees = append(trees, obliqueOf(t, dim, randomOblique(rng, dim, classes, 3)...))
		}
		vote := classifier.Vote(rng.IntN(3))
		base := make([]float64, classes)
		o := classifier.EnsembleOptions{Vote: vote}
		if vote == classifier.SumVote && trial%2 == 0 {
			for c := range base {
				base[c] = float64(rng.IntN(3)) / 3
			}
			o.Base = base
		}
		e, err := classifier.NewObliqueEnsemble(trees, o)
		if err != nil {
			t.Fatal(err)
		}
		for range 10 {
			x := make([]float64, dim)
			for j := range x {
				x[j] = float64(rng.IntN(9)-4) / 2
			}
			sum := slices.Clone(base)
			for _, tree := range trees {
				nodes := tree.Nodes()
				value := nodes[leafSlowly(nodes, x)].Value
				if tree.Predict(x) != largest(value) {
					t.Fatalf("trial %d: a tree predicts %d of %v", trial, tree.Predict(x), value)
				}
				for c, v := range value {
					if vote != classifier.HardVote {
						sum[c] += v
					} else if c == largest(value) {
						sum[c]++
					}
				}
			}
			if got := e.Scores(x); !slices.Equal(got, sum) {
				t.Fatalf("trial %d: Scores = %v, want %v", trial, got, sum)
			}
			if vote == classifier.SoftVote {
				for c := range sum {
					sum[c] /= float64(len(trees))
				}
			}
			if got, want := e.Predict(x), largest(sum); got != want {
				t.Fatalf("trial %d: Predict = %d, want %d", trial, got, want)
			}
		}
	}
}

func TestNewObliqueTreeErrors(t *testing.T) {
	a, b := obliqueLeaf(1, 0), obliqueLeaf(0, 1)
	inf, nan := math.Inf(1), math.NaN()
	tests := []struct {
		name  string
		dim   int
		nodes []classifier.ObliqueNode
		node  int // that is at fault, −1 for none
	}{
		{"no nodes", 1, nil, -1},
		{"no features", 0, []classifier.ObliqueNode{a}, -1},
		{"negative dimension", -1, []classifier.ObliqueNode{a}, -1},
		{"no classes", 1, []classifier.ObliqueNode{obliqueLeaf()}, -1},
		{"no weights", 1, []classifier.ObliqueNode{obliqueInner(0, 1, 2), a, b}, 0},
		{"fewer weights", 2, []classifier.ObliqueNode{obliqueInner(0, 1, 2, 1), a, b}, 0},
		{"more weights", 1, []classifier.ObliqueNode{obliqueInner(0, 1, 2, 1, 0), a, b}, 0},
		{"weight NaN", 2, []classifier.ObliqueNode{obliqueInner(0, 1, 2, 1, nan), a, b}, 0},
		{"weight infinite", 2, []classifier.ObliqueNode{obliqueInner(0, 1, 2, -inf, 0), a, b}, 0},
		{"threshold NaN", 1, []classifier.ObliqueNode{obliqueInner(nan, 1, 2, 1), a, b}, 0},
		{"child is its parent", 1, []classifier.ObliqueNode{obliqueInner(0, 0, 1, 1), a}, 0},
		{"child before its parent", 1, []classifier.ObliqueNode{obliqueInner(0, 1, 2, 1), obliqueInner(0, 0, 2, 1), b}, 1},
		{"child beyond the end", 1, []classifier.ObliqueNode{obliqueInner(0, 1, 3, 1), a, b}, 0},
		{"only a left child", 1, []classifier.ObliqueNode{obliqueInner(0, 1, -1, 1), a}, 0},
		{"only a right child", 1, []classifier.ObliqueNode{obliqueInner(0, -1, 1, 1), a}, 0},
		{"both children the same", 1, []classifier.ObliqueNode{obliqueInner(0, 1, 1, 1), a}, 0},
		{"two parents", 1, []classifier.ObliqueNode{obliqueInner(0, 1, 2, 1), obliqueInner(0, 2, 3, 1), a, b}, 1},
		{"orphan", 1, []classifier.ObliqueNode{obliqueInner(0, 1, 2, 1), a, b, a}, 3},
		{"fewer values", 1, []classifier.ObliqueNode{obliqueInner(0, 1, 2, 1), a, obliqueLeaf(1)}, 2},
		{"more values", 1, []classifier.ObliqueNode{obliqueInner(0, 1, 2, 1), obliqueLeaf(1, 2, 3), b}, 1},
		{"value NaN", 1, []classifier.ObliqueNode{obliqueInner(0, 1, 2, 1), obliqueLeaf(nan, 1), b}, 1},
		{"value infinite", 1, []classifier.ObliqueNode{obliqueInner(0, 1, 2, 1), a, obliqueLeaf(0, -inf)}, 2},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			tree, err := classifier.NewObliqueTree(test.dim, test.nodes)
			if tree != nil || !errors.Is(err, classifier.ErrModel) {
				t.Fatalf("NewObliqueTree = %v, %v, want ErrModel", tree, err)
			}
			if test.node >= 0 {
				mentions(t, err, fmt.Sprintf("node %d:", test.node))
			}
		})
	}
}

func TestNewObliqueEnsembleErrors(t *testing.T) {
	two := obliqueOf(t, 1, obliqueLeaf(1, 0))
	tests := []struct {
		name  string
		trees []*classifier.ObliqueTree
		o     classifier.EnsembleOptions
		place string
	}{
		{"no trees", nil, classifier.EnsembleOptions{}, "without trees"},
		{"a nil tree", []*classifier.ObliqueTree{two, nil}, classifier.EnsembleOptions{}, "tree 1 is nil"},
		{"another dimension", []*classifier.ObliqueTree{two, obliqueOf(t, 2, obliqueLeaf(1, 0))}, classifier.EnsembleOptions{}, "tree 1 has 2 features"},
		{"other classes", []*classifier.ObliqueTree{two, two, obliqueOf(t, 1, obliqueLeaf(1))}, classifier.EnsembleOptions{}, "tree 2 has 1 features, 1 classes"},
		{"an unknown vote", []*classifier.ObliqueTree{two}, classifier.EnsembleOptions{Vote: 9}, "vote 9"},
		{"base of another length", []*classifier.ObliqueTree{two}, classifier.EnsembleOptions{Vote: classifier.SumVote, Base: []float64{1}}, "base"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			e, err := classifier.NewObliqueEnsemble(test.trees, test.o)
			if e != nil || !errors.Is(err, classifier.ErrModel) {
				t.Fatalf("NewObliqueEnsemble = %v, %v, want ErrModel", e, err)
			}
			mentions(t, err, test.place)
		})
	}
}

// TestObliqueKeepsItsParts checks that models neither share nor lose what they were made of.
func TestObliqueKeepsItsParts(t *testing.T) {
	nodes := []classifier.ObliqueNode{obliqueInner(0.5, 1, 2, 1, -1), obliqueLeaf(1, 0), obliqueLeaf(0, 1)}
	want := []classifier.ObliqueNode{obliqueInner(0.5, 1, 2, 1, -1), obliqueLeaf(1, 0), obliqueLeaf(0, 1)}
	tree := obliqueOf(t, 2, nodes...)
	nodes[0].Weights[0], nodes[0].Threshold, nodes[1].Value[0] = 9, 9, 9
	if got := tree.Nodes(); !reflect.DeepEqual(got, want) {
		t.Errorf("Nodes after changing what they were made of = %v, want %v", got, want)
	}
	got := tree.Nodes()
	got[0].Weights[0], got[1].Value[0] = 9, 9
	for cell := range tree.Cells() {
		cell.Region.HalfSpaces[0].A[0] = 9
	}
	if got := tree.Nodes(); !reflect.DeepEqual(got, want) {
		t.Errorf("Nodes after changing a copy = %v, want %v", got, want)
	}
	trees := []*classifier.ObliqueTree{tree, tree}
	e, err := classifier.NewObliqueEnsemble(trees, classifier.EnsembleOptions{Vote: classifier.SumVote, Base: []float64{0, 3}})
	if err != nil {
		t.Fatal(err)
	}
	trees[0] = nil
	e.Options().Base[1] = 0
	cell, err := e.CellAt([]float64{0, 0})
	if err != nil {
		t.Fatal(err)
	}
	cell.Region.HalfSpaces[0].A[0] = 9
	for cell := range e.Cells() {
		cell.Region.HalfSpaces[0].A[0] = 9
	}
	if got := tree.Nodes(); !reflect.DeepEqual(got, want) || tree.Predict([]float64{1, 0}) != 1 {
		t.Errorf("Nodes after changing cells = %v, want %v", got, want)
	}
	if e.Dim() != 2 || e.Classes() != 2 || e.Len() != 2 || e.Tree(0) != tree || e.ClassValues() != nil || e.Options().Base[1] != 3 || e.Predict([]float64{0, 0}) != 1 {
		t.Errorf("%d features, %d classes, %d trees, options %+v", e.Dim(), e.Classes(), e.Len(), e.Options())
	}
}

// TestObliqueCellsTile asks points off the borders: each lies in exactly one cell, which
// has its label, and in the cell that CellAt names.
func TestObliqueCellsTile(t *testing.T) {
	t.Parallel()
	cells := 0
	for number := range uint64(racetest.Scale(400)) {
		rng := rand.New(rand.NewPCG(number, 4))
		dim, classes := 1+rng.IntN(3), 2+rng.IntN(3)
		var trees []*classifier.ObliqueTree
		for range 1 + rng.IntN(3) {
			trees = append(trees, obliqueOf(t, dim, randomOblique(rng, dim, classes, 3)...))
		}
		e, err := classifier.NewObliqueEnsemble(trees, classifier.EnsembleOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []interface {
			classifier.Decomposable
			classifier.Locator
		}{trees[0], e} {
			all := slices.Collect(c.Cells())
			cells += len(all)
			hit := make([]bool, len(all))
			for range 400 {
				x := make([]float64, dim)
				for j := range x {
					x[j] = 4 * (rng.Float64() - 0.5)
				}
				inside := 0
				for i, cell := range all {
					if cell.Region.Contains(x) {
						inside++
						hit[i] = true
						if cell.Label != c.Predict(x) || !cell.Region.StrictlyContains(x) {
							t.Fatalf("instance %d, %T: %v lies in a cell labelled %d, is predicted %d", number, c, x, cell.Label, c.Predict(x))
						}
					}
				}
				cell, err := c.CellAt(x)
				if inside != 1 || err != nil || !cell.Region.Contains(x) || cell.Label != c.Predict(x) {
					t.Fatalf("instance %d, %T: %v lies in %d cells, CellAt = %+v, %v", number, c, x, inside, cell, err)
				}
			}
			for i, cell := range all {
				if err := cell.Region.Check(dim); err != nil {
					t.Fatalf("instance %d, %T, cell %d: %v", number, c, i, err)
				}
				if !hit[i] && !deep(t, cell.Region, dim) {
					t.Fatalf("instance %d, %T: cell %d, %+v, has no interior", number, c, i, cell)
				}
			}
		}
	}
	if cells < racetest.Scale(4000) {
		t.Errorf("%d cells, want more", cells)
	}
}

// deep reports whether a polyhedron made of small integers holds a ball.
func deep(t *testing.T, p polytope.Polyhedron, dim int) bool {
	t.Helper()
	sol, err := new(polytope.Native).Closest(t.Context(), polytope.Problem{X: make([]float64, dim), Region: p, Margin: 1e-7})
	if err != nil {
		t.Fatal(err)
	}
	return sol.Status == polytope.StatusOptimal
}

// TestObliqueCellsWithoutInterior lists the labels of the cells of trees that test the same
// or a parallel hyperplane twice. A hyperplane is no cell, a single value of a feature is one.
func TestObliqueCellsWithoutInterior(t *testing.T) {
	leaves := []classifier.ObliqueNode{
		{Left: -1, Right: -1, Value: []float64{1, 0, 0}},
		{Left: -1, Right: -1, Value: []float64{0, 1, 0}},
		{Left: -1, Right: -1, Value: []float64{0, 0, 1}},
	}
	inner := func(threshold float64, left, right int, w ...float64) classifier.ObliqueNode {
		n := obliqueInner(threshold, left, right, w...)
		n.Value = []float64{1, 1, 1}
		return n
	}
	tests := []struct {
		name          string
		first, second classifier.ObliqueNode // on the left of the first
		want          []int
	}{
		{"twice the same", inner(1, 1, 4, 1, 1), inner(1, 2, 3, 1, 1), []int{0, 2}},
		{"the other way round", inner(1, 1, 4, 1, 1), inner(-1, 2, 3, -1, -1), []int{1, 2}},
		{"scaled", inner(1, 1, 4, 1, 1), inner(-3, 2, 3, -3, -3), []int{1, 2}},
		{"parallel, outside", inner(1, 1, 4, 1, 1), inner(2, 2, 3, 1, 1), []int{0, 2}},
		{"parallel, inside", inner(1, 1, 4, 1, 1), inner(0.5, 2, 3, 1, 1), []int{0, 1, 2}},
		{"one feature, the other way round", inner(1, 1, 4, 0, 1), inner(-1, 2, 3, 0, -1), []int{0, 1, 2}},
		{"one feature, between two float64", inner(math.Nextafter(1, 2), 1, 4, 0, 1), inner(1, 2, 3, 0, 1), []int{0, 1, 2}},
		{"no weight", inner(1, 1, 4, 0, 1), inner(-1, 2, 3, 0, 0), []int{1, 2}},
	}
	for _, test := range tests {
		tree := obliqueOf(t, 2, test.first, test.second, leaves[0], leaves[1], leaves[2])
		e, err := classifier.NewObliqueEnsemble([]*classifier.ObliqueTree{tree}, classifier.EnsembleOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []classifier.Decomposable{tree, e} {
			var got []int
			for cell := range c.Cells() {
				got = append(got, cell.Label)
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("%s, %T: labels of the cells = %v, want %v", test.name, c, got, test.want)
			}
		}
	}
}

func TestObliqueCellAtErrors(t *testing.T) {
	tree := obliqueOf(t, 2, obliqueInner(0, 1, 2, 1, 1), obliqueLeaf(1, 0), obliqueLeaf(0, 1))
	e, err := classifier.NewObliqueEnsemble([]*classifier.ObliqueTree{tree}, classifier.EnsembleOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []classifier.Locator{tree, e} {
		for _, test := range []struct {
			x    []float64
			want error
		}{
			{nil, polytope.ErrDimension},
			{[]float64{1}, polytope.ErrDimension},
			{[]float64{1, math.NaN()}, polytope.ErrNotFinite},
			{[]float64{math.Inf(1), 0}, polytope.ErrNotFinite},
		} {
			if _, err := c.CellAt(test.x); !errors.Is(err, test.want) {
				t.Errorf("%T.CellAt(%v): error = %v, want %v", c, test.x, err, test.want)
			}
		}
	}
	for _, c := range []classifier.Decomposable{tree, e} {
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
