package classifier_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"gonum.org/v1/gonum/mat"
)

// TestNeighborsAreInterrupted ends the context at the last look, when the rows have been
// read and are sorted into trees.
func TestNeighborsAreInterrupted(t *testing.T) {
	const n = 1 << 15
	rng := rand.New(rand.NewPCG(2, 2))
	x, y := mat.NewDense(n, 2, nil), make([]int, n)
	for i := range n {
		x.SetRow(i, []float64{rng.Float64(), rng.Float64()})
	}
	looks := new(atomic.Int64)
	looks.Store(math.MaxInt64)
	o := classifier.KNNOptions{}
	if _, err := classifier.TrainKNN(
		instance.Impatient{Context: t.Context(), Looks: looks}, x, y, o,
	); err != nil {
		t.Fatal(err)
	}
	taken := math.MaxInt64 - looks.Load()
	if taken <= n {
		t.Errorf("%d looks at the context, want more than the %d of reading rows", taken, n)
	}
	looks.Store(taken - 1)
	if c, err := classifier.TrainKNN(
		instance.Impatient{Context: t.Context(), Looks: looks}, x, y, o,
	); c != nil ||
		!errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("TrainKNN = %v, %v, want context.DeadlineExceeded", c, err)
	}
}
