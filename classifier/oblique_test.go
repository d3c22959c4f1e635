package classifier_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
)

func largest(v []float64) int {
	best := 0
	for c, e := range v {
		if e > v[best] {
			best = c
		}
	}
	return best
}

func TestObliqueEnsemblePredict(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 2))
	for trial := range racetest.Scale(3000) {
		dim, classes := 1+rng.IntN(3), 1+rng.IntN(20)
		var trees []*classifier.ObliqueEnsemble
		for range 1 + rng.IntN(4) {
			trees = append(trees,
				instance.ObliqueTree(t, dim, instance.ObliqueNodes(rng, dim, classes, 3)...))
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
		e := instance.ObliqueVote(t, o, trees...)
		for range 10 {
			x := make([]float64, dim)
			for j := range x {
				x[j] = float64(rng.IntN(9)-4) / 2
			}
			sum := slices.Clone(base)
			for _, tree := range trees {
				nodes := tree.Tree(0)
				value := nodes[instance.ObliqueLeafAt(nodes, x)].Value
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

func TestObliqueNodeErrors(t *testing.T) {
	a, b := instance.ObliqueLeaf(1, 0), instance.ObliqueLeaf(0, 1)
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
		{"no classes", 1, []classifier.ObliqueNode{instance.ObliqueLeaf()}, -1},
		{"no weights", 1, []classifier.ObliqueNode{instance.ObliqueInner(0, 1, 2), a, b}, 0},
		{"fewer weights", 2, []classifier.ObliqueNode{instance.ObliqueInner(0, 1, 2, 1), a, b}, 0},
		{"more weights", 1, []classifier.ObliqueNode{instance.ObliqueInner(0, 1, 2, 1, 0), a, b},
			0},
		{"weight NaN", 2, []classifier.ObliqueNode{instance.ObliqueInner(0, 1, 2, 1, nan), a, b},
			0},
		{"weight infinite", 2,
			[]classifier.ObliqueNode{instance.ObliqueInner(0, 1, 2, -inf, 0), a, b}, 0},
		{"threshold NaN", 1, []classifier.ObliqueNode{instance.ObliqueInner(nan, 1, 2, 1), a, b},
			0},
		{"child is its parent", 1, []classifier.ObliqueNode{instance.ObliqueInner(0, 0, 1, 1), a},
			0},
		{"child before its parent", 1,
			[]classifier.ObliqueNode{instance.ObliqueInner(0, 1, 2, 1),
				instance.ObliqueInner(0, 0, 2, 1), b}, 1},
		{"child beyond the end", 1,
			[]classifier.ObliqueNode{instance.ObliqueInner(0, 1, 3, 1), a, b}, 0},
		{"only a left child", 1, []classifier.ObliqueNode{instance.ObliqueInner(0, 1, -1, 1), a},
			0},
		{"only a right child", 1, []classifier.ObliqueNode{instance.ObliqueInner(0, -1, 1, 1), a},
			0},
		{"both children the same", 1,
			[]classifier.ObliqueNode{instance.ObliqueInner(0, 1, 1, 1), a}, 0},
		{"two parents", 1,
			[]classifier.ObliqueNode{instance.ObliqueInner(0, 1, 2, 1),
				instance.ObliqueInner(0, 2, 3, 1), a, b}, 1},
		{"orphan", 1, []classifier.ObliqueNode{instance.ObliqueInner(0, 1, 2, 1), a, b, a}, 3},
		{"fewer values", 1,
			[]classifier.ObliqueNode{instance.ObliqueInner(0, 1, 2, 1), a, instance.ObliqueLeaf(1)},
			2},
		{"more values", 1,
			[]classifier.ObliqueNode{instance.ObliqueInner(0, 1, 2, 1),
				instance.ObliqueLeaf(1, 2, 3), b}, 1},
		{"value NaN", 1,
			[]classifier.ObliqueNode{instance.ObliqueInner(0, 1, 2, 1),
				instance.ObliqueLeaf(nan, 1), b}, 1},
		{"value infinite", 1,
			[]classifier.ObliqueNode{instance.ObliqueInner(0, 1, 2, 1), a,
				instance.ObliqueLeaf(0, -inf)}, 2},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			e, err := classifier.NewObliqueEnsemble(test.dim,
				[][]classifier.ObliqueNode{test.nodes}, classifier.EnsembleOptions{})
			if e != nil || !errors.Is(err, classifier.ErrModel) {
				t.Fatalf("NewObliqueEnsemble = %v, %v, want ErrModel", e, err)
			}
			if test.node >= 0 {
				instance.Mentions(t, err, fmt.Sprintf("node %d:", test.node))
			}
		})
	}
}

func TestNewObliqueEnsembleErrors(t *testing.T) {
	two := []classifier.ObliqueNode{instance.ObliqueLeaf(1, 0)}
	tests := []struct {
		name  string
		trees [][]classifier.ObliqueNode
		o     classifier.EnsembleOptions
		place string
	}{
		{"no trees", nil, classifier.EnsembleOptions{}, "no trees"},
		{"a tree without nodes", [][]classifier.ObliqueNode{two, nil},
			classifier.EnsembleOptions{}, "tree 1: 0 nodes"},
		{"other classes",
			[][]classifier.ObliqueNode{two, two, {instance.ObliqueLeaf(1)}},
			classifier.EnsembleOptions{}, "tree 2: 1 features, 1 classes"},
		{"an unknown vote", [][]classifier.ObliqueNode{two}, classifier.EnsembleOptions{Vote: 9},
			"vote 9"},
		{"sums in any order", [][]classifier.ObliqueNode{two},
			classifier.EnsembleOptions{Vote: classifier.SumVote, AnyOrder: true},
			"any order of oblique trees"},
		{"base of another length", [][]classifier.ObliqueNode{two},
			classifier.EnsembleOptions{Vote: classifier.SumVote, Base: []float64{1}}, "base"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			e, err := classifier.NewObliqueEnsemble(1, test.trees, test.o)
			if e != nil || !errors.Is(err, classifier.ErrModel) {
				t.Fatalf("NewObliqueEnsemble = %v, %v, want ErrModel", e, err)
			}
			instance.Mentions(t, err, test.place)
		})
	}
}

// TestReadObliqueTree: a file of a single oblique tree is a hard vote of it.
func TestReadObliqueTree(t *testing.T) {
	e, err := classifier.Read[*classifier.ObliqueEnsemble](strings.NewReader(
		`{"format":"facet-model","version":1,"kind":"oblique-tree","n_features":2,`+
			`"classes":[-1,1],"trees":[{"weights":[[1,-1],null,null],"threshold":[0.5,0,0],`+
			`"left":[1,-1,-1],"right":[2,-1,-1],"value":[[0.5,0.5],[0.75,0.25],[0.25,0.75]]}]}`),
		classifier.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	left, right := []float64{1, 0.5}, []float64{1, 0.25}
	if e.Len() != 1 || e.Options().Vote != classifier.HardVote || e.Predict(left) != 0 ||
		e.Predict(right) != 1 || !slices.Equal(e.Scores(right), []float64{0, 1}) ||
		!slices.Equal(classifier.NamesOf(e).ClassValues, []float64{-1, 1}) {
		t.Errorf("%d trees, %+v, scores %v", e.Len(), e.Options(), e.Scores(right))
	}
}

// TestObliqueKeepsItsParts checks that models neither share nor lose their parts.
func TestObliqueKeepsItsParts(t *testing.T) {
	nodes := []classifier.ObliqueNode{instance.ObliqueInner(0.5, 1, 2, 1, -1),
		instance.ObliqueLeaf(1, 0), instance.ObliqueLeaf(0, 1)}
	want := []classifier.ObliqueNode{instance.ObliqueInner(0.5, 1, 2, 1, -1),
		instance.ObliqueLeaf(1, 0), instance.ObliqueLeaf(0, 1)}
	tree := instance.ObliqueTree(t, 2, nodes...)
	nodes[0].Weights[0], nodes[0].Threshold, nodes[1].Value[0] = 9, 9, 9
	if got := tree.Tree(0); !reflect.DeepEqual(got, want) {
		t.Errorf("nodes after changing what they were made of = %v, want %v", got, want)
	}
	got := tree.Tree(0)
	got[0].Weights[0], got[1].Value[0] = 9, 9
	for cell := range tree.Cells() {
		cell.Region.HalfSpaces[0].A[0] = 9
	}
	if got := tree.Tree(0); !reflect.DeepEqual(got, want) {
		t.Errorf("nodes after changing a copy = %v, want %v", got, want)
	}
	base := []float64{0, 3}
	e := instance.ObliqueVote(t, classifier.EnsembleOptions{Vote: classifier.SumVote, Base: base},
		tree, tree)
	base[1] = 0
	e.Options().Base[1] = 0
	cell, err := e.CellAt([]float64{0, 0})
	if err != nil {
		t.Fatal(err)
	}
	cell.Region.HalfSpaces[0].A[0] = 9
	for cell := range e.Cells() {
		cell.Region.HalfSpaces[0].A[0] = 9
	}
	if got := e.Tree(1); !reflect.DeepEqual(got, want) || tree.Predict([]float64{1, 0}) != 1 {
		t.Errorf("nodes after changing cells = %v, want %v", got, want)
	}
	if e.Dim() != 2 || e.Classes() != 2 || e.Len() != 2 ||
		classifier.NamesOf(e).ClassValues != nil || e.Options().Base[1] != 3 ||
		e.Predict([]float64{0, 0}) != 1 {
		t.Errorf("%d features, %d classes, %d trees, options %+v",
			e.Dim(), e.Classes(), e.Len(), e.Options())
	}
}
