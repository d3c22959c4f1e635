package metrics_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/metrics"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// TestPredictEnsembles compares labels with those of single rows, in more than one block.
func TestPredictEnsembles(t *testing.T) {
	for number := range uint64(50) {
		rng := rand.New(rand.NewPCG(number, 33))
		in := instance.DrawEnsemble(t, rng)
		x := mat.NewDense(150, in.Ensemble.Dim(), nil)
		for i := range 150 {
			for j := range in.Ensemble.Dim() {
				x.Set(i, j, in.Query[j]+rng.NormFloat64())
			}
		}
		x.Set(7, 0, math.NaN())
		labels, err := metrics.Predict(t.Context(), in.Ensemble,
			x.Slice(1, 150, 0, in.Ensemble.Dim()))
		if err != nil {
			t.Fatal(err)
		}
		for i, label := range labels {
			if want := in.Ensemble.Predict(x.RawRowView(i + 1)); label != want {
				t.Fatalf("instance %d, row %d: label %d, want %d", number, i, label, want)
			}
		}
	}
}

func TestPredictEnsemblesErrors(t *testing.T) {
	e := instance.DrawEnsemble(t, rand.New(rand.NewPCG(1, 33))).Ensemble
	if _, err := metrics.Predict(
		t.Context(), e, mat.NewDense(2, e.Dim()+1, nil),
	); !errors.Is(err, polytope.ErrDimension) {
		t.Errorf("a column too many: %v", err)
	}
	if _, err := metrics.Predict(t.Context(), e, nil); err == nil {
		t.Error("nil is predicted")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := metrics.Predict(
		ctx, e, mat.NewDense(2, e.Dim(), nil),
	); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// BenchmarkPredict predicts 100,000 rows with 100 trees of depth 6, on the cores that -cpu
// allows.
func BenchmarkPredict(b *testing.B) {
	const count, dim = 100_000, 20
	rng := rand.New(rand.NewPCG(1, 34))
	var trees []*classifier.Tree
	for range 100 {
		nodes := make([]classifier.TreeNode, 127)
		for i := range nodes {
			nodes[i] = classifier.TreeNode{
				Left:  -1,
				Right: -1,
				Value: []float64{0, rng.NormFloat64()},
			}
			if i < 63 {
				nodes[i].Feature, nodes[i].Threshold, nodes[i].Left, nodes[i].Right = rng.IntN(
					dim,
				), rng.NormFloat64(), 2*i+1, 2*i+2
			}
		}
		tree, err := classifier.NewTree(dim, classifier.BelowFloat32, nodes)
		if err != nil {
			b.Fatal(err)
		}
		trees = append(trees, tree)
	}
	e, err := classifier.NewEnsemble(trees, classifier.EnsembleOptions{
		Vote:   classifier.LogisticVote,
		Single: true,
	})
	if err != nil {
		b.Fatal(err)
	}
	x := mat.NewDense(count, dim, nil)
	for i := range count {
		for j := range dim {
			x.Set(i, j, rng.NormFloat64())
		}
	}
	for b.Loop() {
		if _, err := metrics.Predict(b.Context(), e, x); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N*count)/b.Elapsed().Seconds(), "rows/s")
}
