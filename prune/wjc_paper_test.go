package prune_test

import (
	"math"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/protocol"
	"github.com/seed-1a7dc1f9/facet/internal/testing/fixture"
	"github.com/seed-1a7dc1f9/facet/prune"
)

// TestWJCPaper compares kept rows and the robustness of 1-NN at strength 0.3 with
// an independent implementation, whose ratios are the paper's printed column.
func TestWJCPaper(t *testing.T) {
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
		keep, err := prune.WJC{
			Radius:    0.15,
			AsPrinted: true,
		}.Prune(t.Context(), c.Set.Train, c.Set.TrainY)
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
