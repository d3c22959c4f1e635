package prune

import (
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// TestPrices: prices stand for columns that were multiplied by them.
func TestPrices(t *testing.T) {
	removed := 0
	for number := range uint64(60) {
		rng := rand.New(rand.NewPCG(number, 77))
		n, d := 5+rng.IntN(60), 1+rng.IntN(4)
		x, y, prices := mat.NewDense(n, d, nil), make([]int, n), make([]float64, d)
		for j := range prices {
			prices[j] = []float64{0.1, 1, 3, 1e-3, 1e3}[rng.IntN(5)]
		}
		scaled := mat.NewDense(n, d, nil)
		for i := range n {
			y[i] = rng.IntN(3)
			for j, price := range prices {
				x.Set(i, j, math.Round(10*rng.NormFloat64())/10)
				scaled.Set(i, j, price*x.At(i, j))
			}
		}
		a := Adversarial{Radius: rng.Float64(), Norm: polytope.Norm(number % 3), Prices: prices}
		r, err := a.Solve(t.Context(), x, y, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := a.Verify(t.Context(), x, y, nil, r); err != nil {
			t.Errorf("instance %d: %v", number, err)
		}
		keep, err := Adversarial{Radius: a.Radius, Norm: a.Norm}.Prune(t.Context(), scaled, y)
		if err != nil || !slices.Equal(keep, r.Keep) {
			t.Errorf("instance %d: kept %v, of scaled columns %v, %v", number, r.Keep, keep, err)
		}
		removed += n - len(keep)
	}
	if removed == 0 {
		t.Error("no row was removed")
	}
}

func TestPricesThatAreNone(t *testing.T) {
	x, y := mat.NewDense(2, 2, []float64{0, 0, 1e300, 1}), []int{0, 1}
	for _, prices := range [][]float64{{1}, {1, 0}, {1, -1}, {1, math.NaN()}, {math.Inf(1), 1}} {
		if _, err := (Adversarial{Prices: prices}).Prune(
			t.Context(), x, y,
		); !errors.Is(err, classifier.ErrOption) {
			t.Errorf("prices %v: %v, want %v", prices, err, classifier.ErrOption)
		}
	}
	if _, err := (Adversarial{Prices: []float64{1e10, 1}}).Prune(
		t.Context(), x, y,
	); !errors.Is(err, polytope.ErrNotFinite) {
		t.Errorf("a product that overflows: %v, want %v", err, polytope.ErrNotFinite)
	}
	a := Adversarial{Prices: []float64{1, 2}}
	r, err := a.Solve(t.Context(), x, y, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Write(io.Discard, [32]byte{}, nil, r); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("a proof: %v, want %v", err, errors.ErrUnsupported)
	}
}
