package instance

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/polytope"
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

// CheckUntrained checks that training, whose errors begin with its name, refuses rows and labels
// that are none, and two rows of two features with each of some options: by an error that mentions
// the option's key.
func CheckUntrained[C interface {
	comparable
	classifier.Classifier
}, Options any](
	t *testing.T, name string,
	train func(context.Context, mat.Matrix, []int, Options) (C, error), wrong map[string]Options,
) {
	t.Helper()
	var none C
	check := func(
		ctx context.Context, x mat.Matrix, y []int, o Options, want error, place string,
	) {
		t.Helper()
		c, err := train(ctx, x, y, o)
		if c != none || !errors.Is(err, want) || !strings.HasPrefix(err.Error(), name) {
			t.Errorf("%s: %v, %v, want %v that begins with %s", place, c, err, want, name)
			return
		}
		Mentions(t, err, place)
		if c, err := classifier.TrainerOf(train, o)(ctx, x, y); c != nil || !errors.Is(err, want) {
			t.Errorf("%s: a Trainer returns %v, %v, want %v", place, c, err, want)
		}
	}
	two, y := Dense([][]float64{{0, 1}, {2, 3}}), []int{0, 1}
	with := func(v float64) *mat.Dense { return Dense([][]float64{{0, 1}, {2, v}}) }
	for _, fault := range []struct {
		x     mat.Matrix
		y     []int
		want  error
		place string
	}{
		{nil, nil, classifier.ErrEmpty, "nil matrix"},
		{(*mat.Dense)(nil), nil, classifier.ErrEmpty, "nil matrix"},
		{&mat.Dense{}, nil, classifier.ErrEmpty, ""},
		{with(math.NaN()), y, polytope.ErrNotFinite, "row 1: feature 1"},
		{with(math.Inf(1)), y, polytope.ErrNotFinite, "row 1: feature 1"},
		{with(math.Inf(-1)), y, polytope.ErrNotFinite, "row 1: feature 1"},
		{with(math.NaN()).T(), y, polytope.ErrNotFinite, "row 1: feature 1"},
		{two, nil, polytope.ErrDimension, "0 labels, 2 rows"},
		{two, []int{0}, polytope.ErrDimension, "1 labels, 2 rows"},
		{two, []int{0, 1, 0}, polytope.ErrDimension, "3 labels, 2 rows"},
		{two, []int{0, -1}, classifier.ErrLabel, "row 1"},
		{two, []int{math.MaxInt, 0}, classifier.ErrLabel, "row 0"},
	} {
		var o Options
		check(t.Context(), fault.x, fault.y, o, fault.want, fault.place)
	}
	for place, o := range wrong {
		check(t.Context(), two, y, o, classifier.ErrOption, place)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	var o Options
	check(cancelled, two, y, o, context.Canceled, "")
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
