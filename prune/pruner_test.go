package prune_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/polytope"
	"github.com/seed-1a7dc1f9/facet/prune"
)

func TestSelect(t *testing.T) {
	x, y := mat.NewDense(3, 2, []float64{0, 1, 2, 3, 4, 5}), []int{7, 8, 9}
	for _, m := range []mat.Matrix{x, x.T().T()} {
		gotX, gotY, err := prune.Select(m, y, []int{2, 0, 2})
		if want := mat.NewDense(3, 2, []float64{4, 5, 0, 1, 4, 5}); err != nil ||
			!mat.Equal(gotX, want) || !slices.Equal(gotY, []int{9, 7, 9}) {
			t.Errorf("Select = %v, %v, %v, want %v, [9 7 9]",
				mat.Formatted(gotX), gotY, err, mat.Formatted(want))
		}
	}
	for _, tt := range []struct {
		name string
		x    mat.Matrix
		y    []int
		keep []int
		want error
	}{
		{"nil", nil, y, []int{0}, classifier.ErrEmpty},
		{"nil pointer", (*mat.Dense)(nil), y, []int{0}, classifier.ErrEmpty},
		{"none kept", x, y, nil, classifier.ErrEmpty},
		{"too few labels", x, y[:2], []int{0}, polytope.ErrDimension},
		{"negative row", x, y, []int{-1}, classifier.ErrOption},
		{"row beyond the last", x, y, []int{3}, classifier.ErrOption},
	} {
		if _, _, err := prune.Select(tt.x, tt.y, tt.keep); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, err, tt.want)
		}
	}
}

// failing is a pruner that cannot prune.
type failing struct{}

var errFailing = errors.New("failing")

func (failing) Prune(context.Context, mat.Matrix, []int) ([]int, error) { return nil, errFailing }

// fails is a trainer that cannot train.
func fails(context.Context, mat.Matrix, []int) (classifier.Classifier, error) {
	return nil, errFailing
}

// nothing keeps no row.
type nothing struct{}

func (nothing) Prune(context.Context, mat.Matrix, []int) ([]int, error) { return nil, nil }

// trainsNothing is a trainer without a classifier.
func trainsNothing(context.Context, mat.Matrix, []int) (classifier.Classifier, error) {
	return (*classifier.KNN)(nil), nil
}

// idle keeps rows that there are not.
type idle struct{}

func (idle) Prune(context.Context, mat.Matrix, []int) ([]int, error) { return []int{3, 0, 4}, nil }

func TestDefend(t *testing.T) {
	x, y := mat.NewDense(4, 1, []float64{0, 1, 1, 2}), []int{0, 0, 1, 1}
	for name, tt := range map[string]struct {
		pruner  prune.Pruner
		trainer classifier.Trainer
		rows    int
	}{
		"zero value": {nil, nil, 3},
		"wider":      {prune.Adversarial{Radius: 0.5}, nil, 2},
		"trainer given": {
			nil, classifier.TrainerOf(classifier.TrainKNN, classifier.KNNOptions{K: 1}), 3,
		},
	} {
		c, err := prune.Defend(tt.pruner, tt.trainer)(t.Context(), x, y)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		points := 0
		for range c.(classifier.Decomposable).Cells() { // 1-NN has a cell for each row
			points++
		}
		if points != tt.rows {
			t.Errorf("%s: 1-NN on %d rows, want %d", name, points, tt.rows)
		}
	}
	for _, tt := range []struct {
		name    string
		pruner  prune.Pruner
		trainer classifier.Trainer
		x       mat.Matrix
		want    error
	}{
		{"pruner fails", failing{}, nil, x, errFailing},
		{"trainer fails", nil, fails, x, errFailing},
		{"nil pruner", (*failing)(nil), nil, x, classifier.ErrOption},
		{"nothing trained", nil, trainsNothing, x, classifier.ErrOption},
		{"rows there are not", idle{}, nil, x, classifier.ErrOption},
		{"nothing kept", nothing{}, nil, x, classifier.ErrEmpty},
		{"no rows", nil, nil, nil, classifier.ErrEmpty},
	} {
		train := prune.Defend(tt.pruner, tt.trainer)
		if _, err := train(t.Context(), tt.x, y); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, err, tt.want)
		}
	}
}

// TestRowErrors: an error about the data says where, as one type in all packages.
func TestRowErrors(t *testing.T) {
	good, y := mat.NewDense(2, 2, []float64{0, 1, 2, 3}), []int{0, 1}
	bad := mat.NewDense(2, 2, []float64{0, 1, math.Inf(1), 3})
	for _, tt := range []struct {
		x       mat.Matrix
		y       []int
		weights []int
		row     int
		err     error
		text    string
	}{
		{bad, y, nil, 1, polytope.ErrNotFinite, "row 1: feature 0: value is not finite: +Inf"},
		{good, []int{0, -7}, nil, 1, classifier.ErrLabel, "row 1: label is out of range: -7"},
		{good, y, []int{-1, 1}, 0, classifier.ErrOption, "row 0: "},
	} {
		_, err := prune.Adversarial{}.Solve(t.Context(), tt.x, tt.y, tt.weights)
		got, ok := errors.AsType[*polytope.RowError](err)
		if !ok || got.Row != tt.row || !errors.Is(got, tt.err) ||
			!strings.Contains(got.Error(), tt.text) {
			t.Errorf("%v, want %q of row %d", err, tt.text, tt.row)
		}
	}
}

// panicking is a Pruner with a mistake.
type panicking struct{}

func (panicking) Prune(context.Context, mat.Matrix, []int) ([]int, error) {
	panic("index out of range")
}

// TestPanickingPruner: the panic of a caller's Pruner is an error that says whose it is.
func TestPanickingPruner(t *testing.T) {
	x := mat.NewDense(2, 1, []float64{0, 1})
	_, err := prune.Defend(panicking{}, nil)(t.Context(), x, []int{0, 1})
	p, ok := errors.AsType[*polytope.PanicError](err)
	if !ok || p.Call != "Prune of prune_test.panicking" || p.Value != "index out of range" {
		t.Errorf("error %v, want the panic of Prune", err)
	}
}
