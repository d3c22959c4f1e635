package classifier_test

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
)

// apart returns rows of labels that one feature tells apart, by more than 0.2, and another not.
func apart(n, classes int) (*mat.Dense, []int) {
	rng := rand.New(rand.NewPCG(1, 2))
	x, y := mat.NewDense(n, 2, nil), make([]int, n)
	for i := range y {
		y[i] = i % classes
		x.Set(i, 0, float64(y[i])+0.3*rng.Float64())
		x.Set(i, 1, rng.Float64())
	}
	return x, y
}

// TestBoosted: rows that can be told apart are, wherever they are moved to.
func TestBoosted(t *testing.T) {
	for _, classes := range []int{2, 3} {
		x, y := apart(90, classes)
		for _, o := range []classifier.BoostedOptions{
			{}, {Robust: 0.2},
			{Reach: []classifier.Reach{{Up: 0.3, Down: 0.3}, {}}, Depth: 1, Rate: 1},
		} {
			e, err := classifier.TrainBoosted(t.Context(), x, y, o)
			if err != nil {
				t.Fatal(err)
			}
			for i, label := range y {
				for _, move := range []float64{-0.2, 0, 0.2} {
					if o.Robust == 0 && o.Reach == nil {
						move = 0
					}
					at := []float64{x.At(i, 0) + move, x.At(i, 1) - move}
					if got := e.Predict(at); got != label {
						t.Errorf("%d classes, %+v: row %d of label %d, moved by %v, has %d",
							classes, o, i, label, move, got)
					}
				}
			}
		}
	}
}

// TestBoostedForXGBoost: a model written for XGBoost comes back, with the same margins.
func TestBoostedForXGBoost(t *testing.T) {
	for _, o := range []struct{ classes, depth int }{{2, 0}, {3, 0}, {2, 1}, {3, 1}} {
		x, y := apart(60, o.classes)
		e, err := classifier.TrainBoosted(t.Context(), x, y,
			classifier.BoostedOptions{Rounds: 5, Depth: o.depth, Robust: 0.1})
		if err != nil {
			t.Fatal(err)
		}
		var file bytes.Buffer
		if err := classifier.SaveXGBoost(&file, e); err != nil {
			t.Fatal(err)
		}
		back, err := classifier.Read[*classifier.Ensemble](&file, classifier.ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for i := range y {
			got := back.Scores(x.RawRowView(i))
			want := e.Scores(x.RawRowView(i))
			for c := range want {
				if got[c] != want[c] {
					t.Fatalf("row %d has the margins %v, and %v as it was", i, got, want)
				}
			}
		}
	}
}

// TestNotForXGBoost: XGBoost has no forests, and no trees that compare otherwise.
func TestNotForXGBoost(t *testing.T) {
	x, y := apart(20, 2)
	forest, err := classifier.TrainForest(t.Context(), x, y, classifier.ForestOptions{Trees: 2})
	if err != nil {
		t.Fatal(err)
	}
	if err := classifier.SaveXGBoost(new(bytes.Buffer), forest); !errors.Is(
		err, errors.ErrUnsupported) {
		t.Errorf("a forest: %v", err)
	}
}

// TestRobustTrainingRefuses: options without a meaning are refused by a sentence.
func TestRobustTrainingRefuses(t *testing.T) {
	instance.CheckUntrained(t, "classifier: boosted trees: ", classifier.TrainBoosted,
		map[string]classifier.BoostedOptions{"-1 rounds": {Rounds: -1}, "rate is 2": {Rate: 2}})
	x, y := apart(20, 2)
	one := make([]int, 20)
	nan, tree := math.NaN(), func(o classifier.TreeOptions) classifier.Trainer {
		return classifier.TrainerOf(classifier.TrainTree, o)
	}
	boosted := func(o classifier.BoostedOptions) classifier.Trainer {
		return classifier.TrainerOf(classifier.TrainBoosted, o)
	}
	reaching := func(down, up float64) classifier.TreeOptions {
		return classifier.TreeOptions{Reach: []classifier.Reach{{}, {Down: down, Up: up}}}
	}
	chen := classifier.TreeOptions{Robust: -1, Chen: true}
	few, two, chenReach := reaching(0, 0), reaching(0, 0), reaching(0, 0)
	few.Reach, two.Robust, chenReach.Chen = few.Reach[1:], 1, true
	for name, test := range map[string]struct {
		trainer classifier.Trainer
		y       []int
		says    string
	}{
		"negative":       {boosted(classifier.BoostedOptions{Robust: -1}), y, "moves of -1"},
		"NaN":            {boosted(classifier.BoostedOptions{Robust: nan}), y, "moves of NaN"},
		"of a tree":      {tree(classifier.TreeOptions{Robust: nan}), y, "moves of NaN"},
		"Chen's":         {tree(chen), y, "moves of -1"},
		"infinite reach": {tree(reaching(0, math.Inf(1))), y, "feature 1"},
		"negative reach": {tree(reaching(-1, 0)), y, "feature 1"},
		"too few":        {tree(few), y, "reaches of 1"},
		"two distances":  {tree(two), y, "both"},
		"Chen's reaches": {tree(chenReach), y, "Chen's"},
		"whole, plain":   {tree(classifier.TreeOptions{WholeTree: true}), y, "is not said"},
		"whole, Chen's": {
			tree(classifier.TreeOptions{Robust: 0.1, Chen: true, WholeTree: true}), y, "take one",
		},
		"all reached": {boosted(classifier.BoostedOptions{Robust: 5}), y, "be robust to less"},
		"one label":   {boosted(classifier.BoostedOptions{Robust: 0.1}), one, "label 0"},
	} {
		c, err := test.trainer(t.Context(), x, test.y)
		if c != nil || !errors.Is(err, classifier.ErrOption) ||
			!strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: %v, %v", name, c, err)
		}
	}
}

// TestRobustTreeKeepsFrozenFeatures: a feature that nobody can move needs no distance.
func TestRobustTreeKeepsFrozenFeatures(t *testing.T) {
	x, y := mat.NewDense(40, 2, nil), make([]int, 40)
	for i := range y {
		y[i] = i % 2
		x.Set(i, 0, float64(y[i])/100)         // tells them apart by little
		x.Set(i, 1, float64(min(i, 38)%2)/1.1) // by much, but for one row
	}
	for feature, reach := range [][]classifier.Reach{
		{{}, {Down: 0.1, Up: 0.1}}, {{Down: 0.1, Up: 0.1}, {Down: 0.1, Up: 0.1}},
	} {
		tree, err := classifier.TrainTree(t.Context(), x, y, classifier.TreeOptions{Reach: reach})
		if err != nil {
			t.Fatal(err)
		}
		if got := tree.Nodes()[0].Feature; got != feature {
			t.Errorf("%v: the root compares feature %d, want %d", reach, got, feature)
		}
	}
}
