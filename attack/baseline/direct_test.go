package baseline_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/attack/baseline"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// three are rows of the plane with labels 0, 1 and 2, two each.
func three() instance.Neighbors {
	return instance.Neighbors{
		X:     [][]float64{{0, 0}, {0, .1}, {1, 0}, {1, .1}, {0, .8}, {.1, .8}},
		Y:     []int{0, 0, 1, 1, 2, 2},
		Query: []float64{0, 0},
	}
}

func TestDirectByHand(t *testing.T) {
	in := three()
	knn := in.KNN(t, 1)
	points := mat.NewDense(2, 2, []float64{-1, 0, .2, 2})
	tests := []struct {
		name     string
		a        *baseline.Direct
		label    int
		distance float64
	}{
		// Half way up to (0, 0.8), from the row at (0, 0.1).
		{"the nearer of two labels", &baseline.Direct{}, 2, .46},
		{"the first label that flips, in coarse steps",
			&baseline.Direct{Step: .6}, 1, .6},
		{"a target", &baseline.Direct{Target: new(1)}, 1, .51},
		{"two points", &baseline.Direct{Target: new(1), K: 2}, 1, .51},
		{"too near a limit", &baseline.Direct{Limit: .45}, -1,
			math.Inf(1)},
		{"just far enough a limit", &baseline.Direct{Limit: .46}, 2,
			.46},
		{"a limit that a multiple of the step misses by a rounding error",
			&baseline.Direct{Target: new(1), Step: .1, Limit: .6, K: 1},
			1, .6},
		{"the mean itself",
			&baseline.Direct{Target: new(2), Step: 5, Limit: 5}, 2, .8},
		// (0.2, 2) is predicted 2 and leads there; so is (−1, 0) 0.
		{"points and predicted labels", &baseline.Direct{Points: points}, 2, .46},
		// Toward (−1, 0) nothing flips.
		{"points and labels", &baseline.Direct{Points: points, Labels: []int{1, 0}}, -1,
			math.Inf(1)},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			test.a.Classifier = knn
			checkFound(t, test.a, in.Query, test.label, test.distance)
		})
	}
}

// checkFound checks the label and the distance of what an attack finds.
func checkFound(t *testing.T, a attack.Attack, x []float64, label int, distance float64) {
	t.Helper()
	r, err := a.Perturb(t.Context(), x)
	if err != nil {
		t.Fatal(err)
	}
	if r.Label != label || !(math.Abs(r.Distance-distance) < 1e-12 || r.Distance == distance) {
		t.Errorf("%+v, want label %d at %v", r, label, distance)
	}
}

// TestDirectWithoutVotes aims at the nearest row for a classifier that has no K.
func TestDirectWithoutVotes(t *testing.T) {
	in := three()
	a := &baseline.Direct{
		Classifier: instance.Opaque{Classifier: in.KNN(t, 1)},
		Points:     instance.Dense(in.X),
	}
	if r, err := a.Perturb(t.Context(), in.Query); err != nil || r.Label != 2 ||
		math.Abs(r.Distance-.46) > 1e-12 {
		t.Errorf("%+v, %v, want label 2 at 0.46", r, err)
	}
}

// votes is a classifier that says how many points vote.
type votes struct {
	beyond
	k func() int
}

func (v votes) K() int { return v.k() }

// TestFalseVotes: no points, fewer, or a panic.
func TestFalseVotes(t *testing.T) {
	points, x := mat.NewDense(2, 1, []float64{0, 1}), []float64{0}
	for _, k := range []int{0, -1} {
		a := &baseline.Direct{
			Classifier: votes{beyond{a: []float64{1}, b: .5}, func() int { return k }},
			Points:     points,
		}
		if r, err := a.Perturb(t.Context(), x); err != nil || r.Example == nil {
			t.Errorf("%d votes: %+v, %v, want an example", k, r, err)
		}
	}
	a := &baseline.Direct{
		Classifier: votes{beyond{a: []float64{1}, b: .5}, func() int { panic("boom") }},
		Points:     points,
	}
	if r, err := a.Perturb(t.Context(), x); !errors.Is(err, attack.ErrClassifier) ||
		!strings.Contains(err.Error(), "panic in K of baseline_test.votes: boom") {
		t.Errorf("panic: %+v, %v", r, err)
	}
}

// TestDirectMean: by default as many rows count as vote.
func TestDirectMean(t *testing.T) {
	in := instance.Neighbors{
		X: [][]float64{{0, 0}, {0, -.1}, {-.1, 0}, {1, 0}, {1, 1}, {1, 5}},
		Y: []int{0, 0, 0, 1, 1, 1},
	}
	in.Query = []float64{0, 0}
	for _, test := range []struct {
		k    int
		mean []float64
	}{{0, []float64{1, 2}}, {1, []float64{1, 0}}, {2, []float64{1, .5}}, {9, []float64{1, 2}}} {
		a := &baseline.Direct{
			Classifier: in.KNN(t, 3),
			K:          test.k,
			Step:       8, Limit: 8,
			Norm: polytope.L2,
		}
		r, err := a.Perturb(t.Context(), in.Query)
		if err != nil || r.Example == nil || r.Example[0] != test.mean[0] ||
			r.Example[1] != test.mean[1] {
			t.Errorf("K = %d: %+v, %v, want %v", test.k, r, err, test.mean)
		}
	}
}
