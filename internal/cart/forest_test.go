package cart_test

import (
	"context"
	"errors"
	"math"
	"reflect"
	"sync/atomic"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/numpyrand"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
)

// someRows are enough for trees that differ.
func someRows() (*mat.Dense, []int) {
	return trainingData{Form: "uniform", N: 300, D: 20, Classes: 3, Step: 1, Draw: 9}.rows()
}

func forestOf(t *testing.T, o classifier.ForestOptions) *classifier.Ensemble {
	t.Helper()
	x, y := someRows()
	forest, err := classifier.TrainForest(t.Context(), x, y, o)
	if err != nil {
		t.Fatal(err)
	}
	return forest
}

// sameForest reports whether two forests have the same nodes.
func sameForest(a, b *classifier.Ensemble) bool {
	if a.Len() != b.Len() {
		return false
	}
	for i := range a.Len() {
		if !reflect.DeepEqual(a.Tree(i).Nodes(), b.Tree(i).Nodes()) {
			return false
		}
	}
	return true
}

func TestForestDoesNotDependOnWorkers(t *testing.T) {
	o := classifier.ForestOptions{Trees: 20, Workers: 1}
	want := forestOf(t, o)
	for _, workers := range []int{0, 2, 7, 100} {
		o.Workers = workers
		if !sameForest(forestOf(t, o), want) {
			t.Errorf("%d workers grow another forest than one", workers)
		}
	}
	o.Seed = 1
	if sameForest(forestOf(t, o), want) {
		t.Error("another seed grows the same forest")
	}
}

// TestForestOfTrees: without bootstrap a forest is the trees that its seeds grow.
func TestForestOfTrees(t *testing.T) {
	o := classifier.ForestOptions{Trees: 5, NoBootstrap: true}
	o.MaxFeatures, o.MaxDepth, o.Seed = 3, 6, 12
	forest := forestOf(t, o)
	rng := numpyrand.New(o.Seed)
	x, y := someRows()
	for i := range o.Trees {
		o.TreeOptions.Seed = uint32(rng.Randint(0, math.MaxInt32))
		tree, err := classifier.TrainTree(t.Context(), x, y, o.TreeOptions)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(tree.Nodes(), forest.Tree(i).Nodes()) {
			t.Errorf("tree %d of the forest differs from the tree of its seed", i)
		}
	}
}

// TestMaxFeatures: a word and the number it stands for, of 20 features, mean the
// same.
func TestMaxFeatures(t *testing.T) {
	for _, test := range []struct{ word, number int }{
		{0, 4},
		{classifier.SqrtFeatures, 4},
		{classifier.Log2Features, 4},
	} {
		o := classifier.ForestOptions{Trees: 3}
		o.MaxFeatures = test.number
		want := forestOf(t, o)
		o.MaxFeatures = test.word
		if !sameForest(forestOf(t, o), want) {
			t.Errorf("MaxFeatures %d grows another forest than %d", test.word, test.number)
		}
	}
}

func TestForestDefaults(t *testing.T) {
	if got := forestOf(t, classifier.ForestOptions{}).Len(); got != 100 {
		t.Errorf("%d trees, want 100", got)
	}
}

func TestTrainForestErrors(t *testing.T) {
	features := func(n int) classifier.ForestOptions {
		return classifier.ForestOptions{TreeOptions: classifier.TreeOptions{MaxFeatures: n}}
	}
	instance.CheckUntrained(t, "classifier: forest: ", classifier.TrainForest,
		map[string]classifier.ForestOptions{
			"-1 trees": {Trees: -1}, "2147483647 trees": {Trees: math.MaxInt32},
			"-2 workers": {Workers: -2}, "3 features tried of 2": features(3),
			"-4 features": features(-4),
		})
}

// TestTrainingIsInterrupted ends the context at every look that training takes at
// it: no look is in vain, and looks go on while the trees grow.
func TestTrainingIsInterrupted(t *testing.T) {
	t.Parallel()
	const n, d = 5000, 40
	x, y := trainingData{Form: "uniform", N: n, D: d, Classes: 2, Step: 1, Draw: 1}.rows()
	tree := classifier.TreeOptions{MaxFeatures: d, MaxDepth: 4}
	for name, trainer := range map[string]classifier.Trainer{
		"tree": classifier.TrainerOf(classifier.TrainTree, tree),
		"forest": classifier.TrainerOf(classifier.TrainForest,
			classifier.ForestOptions{TreeOptions: tree, Trees: 2, Workers: 1}),
	} {
		t.Run(name, func(t *testing.T) {
			looks := new(atomic.Int64)
			looks.Store(math.MaxInt64)
			if _, err := trainer(
				instance.Impatient{Context: t.Context(), Looks: looks}, x, y,
			); err != nil {
				t.Fatal(err)
			}
			taken := math.MaxInt64 - looks.Load()
			if taken < n+d+5 {
				t.Errorf("%d looks while reading %d rows, sorting %d features and growing",
					taken, n, d)
			}
			for at := int64(n); at < taken; at++ {
				looks.Store(at)
				c, err := trainer(instance.Impatient{Context: t.Context(), Looks: looks}, x,
					y)
				if c != nil || !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("ended at look %d of %d: Train = %v, %v", at, taken, c, err)
				}
			}
		})
	}
}

// TestTrainingWithManyClassesIsInterrupted: where every row has a class of its own each
// threshold of one feature takes time in proportion to their number, and a feature n².
func TestTrainingWithManyClassesIsInterrupted(t *testing.T) {
	const n = 2000
	x, y := mat.NewDense(n, 1, nil), make([]int, n)
	for i := range y {
		x.Set(i, 0, float64(i))
		y[i] = i
	}
	for name, o := range map[string]classifier.TreeOptions{
		"plain":  {MaxDepth: 1},
		"robust": {MaxDepth: 1, Robust: .1, Chen: true},
	} {
		t.Run(name, func(t *testing.T) {
			looks := new(atomic.Int64)
			looks.Store(math.MaxInt64)
			if _, err := classifier.TrainTree(
				instance.Impatient{Context: t.Context(), Looks: looks}, x, y, o,
			); err != nil {
				t.Fatal(err)
			}
			// Scores rise up to the middle, and 2¹⁶ rows and classes are looked at in between.
			taken := math.MaxInt64 - looks.Load()
			if least := int64(n + n/2*n>>16); taken < least {
				t.Errorf("%d looks at the context, want %d at least", taken, least)
			}
			looks.Store(taken - 1)
			if c, err := classifier.TrainTree(
				instance.Impatient{Context: t.Context(), Looks: looks}, x, y, o,
			); c != nil || !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("ended at look %d: Train = %v, %v", taken, c, err)
			}
		})
	}
}
