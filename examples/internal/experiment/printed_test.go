package experiment

import (
	"math"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/attack/baseline"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/dataset/protocol"
	"github.com/seed-1a7dc1f9/facet/internal/testing/fixture"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/prune"
)

// TestPapernotByHand attacks two trees: one that tests x₁ below x₀, and one that tests x₁ at its
// root and has one label on either side.
func TestPapernotByHand(t *testing.T) {
	leaf := func(label int) classifier.TreeNode {
		v := make([]float64, 2)
		v[label] = 1
		return classifier.TreeNode{Left: -1, Right: -1, Value: v}
	}
	tree := func(root, below int, labels ...int) *papernot {
		inner := func(feature, left, right int) classifier.TreeNode {
			return classifier.TreeNode{
				Feature: feature, Threshold: .5, Left: left, Right: right,
				Value: make([]float64, 2),
			}
		}
		tree, err := classifier.NewTree(2, classifier.AtMostFloat64, []classifier.TreeNode{
			inner(root, 1, 4), inner(below, 2, 3),
			leaf(labels[0]), leaf(labels[1]), leaf(labels[2]),
		})
		if err != nil {
			t.Fatal(err)
		}
		return newPapernot(tree, 0)
	}
	for _, test := range []struct {
		name string
		a    *papernot
		x    []float64
		want float64 // x₁ of the example, NaN for none
	}{
		{"feature 0 stays", tree(1, 0, 0, 1, 1), []float64{.4, .1}, math.NaN()},
		{"feature 1 moves", tree(0, 1, 0, 1, 1), []float64{.1, .1}, .501},
		{"not across the root", tree(1, 0, 0, 0, 1), []float64{.1, .1}, math.NaN()},
		{"across the root from right below it", tree(1, 0, 0, 0, 1), []float64{.9, .9}, .499},
	} {
		r, err := test.a.Perturb(t.Context(), test.x)
		if err != nil {
			t.Fatal(err)
		}
		if found := r.Example != nil; found == math.IsNaN(test.want) ||
			found && (r.Example[0] != test.x[0] || r.Example[1] != test.want) {
			t.Errorf("%s: %+v, want x₁ = %v", test.name, r, test.want)
		}
	}
}

// TestPapernotAsPrinted compares with Table 1: the mean distance, and on how many points the
// attack falls back on a training row.
func TestPapernotAsPrinted(t *testing.T) {
	type cell struct {
		mean float64
		fell int
	}
	want := map[string]cell{
		"australian": {.140, 0},
		"cancer":     {.459, 1},
		"diabetes":   {.237, 35},
		"fourclass":  {.288, 37},
		"halfmoon":   {.098, 91},
	}
	fixture.Each(t, func(t *testing.T, c fixture.Case) {
		tree := instance.ReadTree(t, c, "dt")
		m := &Model{Classifier: tree, X: c.Set.Train, Y: c.Set.TrainY}
		alone, points := newPapernot(tree, m.norm), c.Points(t)["dt"].X
		back := m.Fallback(alone)
		var got cell
		for _, x := range points {
			r, err := alone.Perturb(t.Context(), x)
			if err == nil && r.Example == nil {
				got.fell++
				r, err = back.Perturb(t.Context(), x)
			}
			if err != nil {
				t.Fatal(err)
			}
			got.mean += r.Distance / float64(len(points))
		}
		if got.mean = math.Round(1000*got.mean) / 1000; got != want[c.Set.Name] {
			t.Errorf("%+v, want %+v", got, want[c.Set.Name])
		}
	})
}

func TestFallback(t *testing.T) {
	x := instance.Dense([][]float64{{0, 0}, {0, 1}, {.8, .6}})
	knn, err := classifier.TrainKNN(t.Context(), x, []int{0, 1, 2}, classifier.KNNOptions{})
	if err != nil {
		t.Fatal(err)
	}
	m := &Model{Classifier: knn, X: x, Y: []int{0, 1, 2}}
	direct := &baseline.Direct{Classifier: knn}
	found, err := direct.Perturb(t.Context(), []float64{0, 0})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name     string
		attack   attack.Attack
		distance float64
	}{
		{"on its own", nil, .8},
		{"an attack that fails", &baseline.Direct{Classifier: knn, Limit: .1}, .8},
		{"an attack that succeeds", direct, found.Distance},
	} {
		r, err := m.Fallback(test.attack).Perturb(t.Context(), []float64{0, 0})
		if err != nil || r.Label != 2 || r.Distance != test.distance {
			t.Errorf("%s: %+v, %v, want label 2 at %v", test.name, r, err, test.distance)
		}
	}
}

// TestWJCAsPrinted compares kept rows and the robustness of 1-NN at strength 0.3 with
// an independent implementation, whose ratios are the paper's printed column.
func TestWJCAsPrinted(t *testing.T) {
	known := map[string]struct {
		rows       int
		robustness float64
	}{
		"australian": {458, 0.2495},
		"cancer":     {477, 0.1444},
		"diabetes":   {379, 0.1642},
		"fourclass":  {453, 0.2777},
		"halfmoon":   {1517, 0.1159},
	}
	fixture.Each(t, func(t *testing.T, c fixture.Case) {
		want := known[c.Set.Name]
		keep, err := wjc{radius: 0.15}.Prune(t.Context(), c.Set.Train, c.Set.TrainY)
		if err != nil {
			t.Fatal(err)
		}
		if len(keep) != want.rows {
			t.Errorf("%d rows, want %d", len(keep), want.rows)
		}
		if got := robustness(t, c.Set, keep); math.Abs(got-want.robustness) > 5e-5 {
			t.Errorf("robustness %.5f, want %.4f", got, want.robustness)
		}
	})
}

// robustness trains 1-NN on some rows and attacks the paper's points.
func robustness(t *testing.T, set *protocol.Set, keep []int) float64 {
	t.Helper()
	x, y, err := prune.Select(set.Train, set.TrainY, keep)
	if err != nil {
		t.Fatal(err)
	}
	model, err := classifier.TrainKNN(t.Context(), x, y, classifier.KNNOptions{K: 1})
	if err != nil {
		t.Fatal(err)
	}
	correct := make([]bool, len(set.TestY))
	for i := range correct {
		correct[i] = model.Predict(set.Test.RawRowView(i)) == set.TestY[i]
	}
	points, err := set.Attacked(correct)
	if err != nil || points == nil {
		t.Fatalf("attacked points %v, error %v", points, err)
	}
	exact := &attack.RegionBased{Classifier: model}
	sum := 0.0
	for _, i := range points {
		r, err := exact.Perturb(t.Context(), set.Test.RawRowView(i))
		if err != nil {
			t.Fatal(err)
		}
		sum += r.Distance
	}
	return sum / float64(len(points))
}
