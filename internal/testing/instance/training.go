package instance

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Dense returns rows as a matrix.
func Dense(rows [][]float64) *mat.Dense {
	x := mat.NewDense(len(rows), len(rows[0]), nil)
	for i, r := range rows {
		x.SetRow(i, r)
	}
	return x
}

// DrawRows draws n labelled rows, every sixth of them a copy of an earlier one.
func DrawRows(
	rng *rand.Rand, n, dim, classes int, draw func(*rand.Rand) float64,
) (x [][]float64, y []int) {
	for i := range n {
		p := make([]float64, dim)
		for j := range p {
			p[j] = draw(rng)
		}
		if i > 0 && rng.IntN(6) == 0 {
			copy(p, x[rng.IntN(i)])
		}
		x, y = append(x, p), append(y, rng.IntN(classes))
	}
	return x, y
}

// Impurity measures class counts in the textbook way, by entropy or Gini's index.
func Impurity(gini bool, counts map[int]int) float64 {
	n, entropy, rest := 0, 0.0, 1.0
	for _, k := range counts {
		n += k
	}
	for _, k := range counts {
		if k > 0 {
			p := float64(k) / float64(n)
			entropy -= p * math.Log2(p)
			rest -= p * p
		}
	}
	if gini {
		return rest
	}
	return entropy
}

// Mentions fails the test unless the error names a place.
func Mentions(t testing.TB, err error, place string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), place) {
		t.Errorf("error = %v, want one that mentions %q", err, place)
	}
}

// Impatient is a context that ends after so many looks at it.
type Impatient struct {
	context.Context
	Looks *atomic.Int64
}

// Err returns context.DeadlineExceeded after the last look that is allowed.
func (c Impatient) Err() error {
	if c.Looks.Add(-1) < 0 {
		return context.DeadlineExceeded
	}
	return nil
}
