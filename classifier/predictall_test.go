package classifier_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// TestPredictAll compares labels with those of single rows, in more than one block.
func TestPredictAll(t *testing.T) {
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
		labels, err := in.Ensemble.PredictAll(t.Context(), x.Slice(1, 150, 0, in.Ensemble.Dim()))
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

func TestPredictAllErrors(t *testing.T) {
	e := instance.DrawEnsemble(t, rand.New(rand.NewPCG(1, 33))).Ensemble
	if _, err := e.PredictAll(t.Context(), mat.NewDense(2, e.Dim()+1, nil)); !errors.Is(err, polytope.ErrDimension) {
		t.Errorf("a column too many: %v", err)
	}
	if _, err := e.PredictAll(t.Context(), nil); err == nil {
		t.Error("nil is predicted")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := e.PredictAll(ctx, mat.NewDense(2, e.Dim(), nil)); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
