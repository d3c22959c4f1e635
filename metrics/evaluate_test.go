package metrics_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"testing"
	"time"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/fixture"
	"github.com/seed-1a7dc1f9/facet/metrics"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// outcome is the part of a point that tests compare.
type outcome struct {
	row, label, predicted int
	attacked              bool
	distance              float64
}

func outcomes(points []metrics.Point) (o []outcome) {
	for _, p := range points {
		o = append(o, outcome{p.Row, p.TrueLabel, p.Predicted, p.Attacked, p.Distance})
	}
	return o
}

func TestEvaluate(t *testing.T) {
	x := line(-3, -1, 0.5, 2)
	y := []int{0, 1, 1, 1}
	tests := []struct {
		name string
		y    []int
		opts metrics.Options
		want []outcome
	}{
		{"zero options", y, metrics.Options{},
			[]outcome{{0, 0, 0, true, 3}, {1, 1, 0, false, inf}, {2, 1, 1, true, 0.5},
				{3, 1, 1, true, 2}}},
		{"rows in their order", y, metrics.Options{Rows: []int{3, 1, 0}},
			[]outcome{{3, 1, 1, true, 2}, {1, 1, 0, false, inf}, {0, 0, 0, true, 3}}},
		{"a row twice", y, metrics.Options{Rows: []int{2, 2}},
			[]outcome{{2, 1, 1, true, 0.5}, {2, 1, 1, true, 0.5}}},
		{"no rows", y, metrics.Options{Rows: []int{}}, nil},
		{"labels not known", nil, metrics.Options{},
			[]outcome{{0, 0, 0, true, 3}, {1, 0, 0, true, 1}, {2, 1, 1, true, 0.5},
				{3, 1, 1, true, 2}}},
		{"more workers than rows", y, metrics.Options{Workers: 99, Rows: []int{2}},
			[]outcome{{2, 1, 1, true, 0.5}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.opts.Attack = attackFunc(toZero)
			points, err := metrics.Evaluate(t.Context(), step{}, x, tt.y, tt.opts)
			if got := outcomes(points); err != nil || !reflect.DeepEqual(got, tt.want) {
				t.Errorf("Evaluate = %v, %v, want %v", got, err, tt.want)
			}
		})
	}
}

func TestEvaluateLeavesRowsAlone(t *testing.T) {
	rows := []int{1, 0}
	opts := metrics.Options{
		Attack:  attackFunc(toZero),
		Rows:    rows,
		Each:    func(metrics.Point) error { rows[1] = 7; return nil },
		Workers: 1,
	}
	points, err := metrics.Evaluate(t.Context(), step{}, line(1, 2), nil, opts)
	want := []outcome{{1, 1, 1, true, 2}, {0, 1, 1, true, 1}}
	if got := outcomes(points); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("Evaluate = %v, %v, want %v", got, err, want)
	}
}

func TestEvaluateOptionFaults(t *testing.T) {
	tests := []struct {
		name string
		opts metrics.Options
		want error
		text string
	}{
		{"norm", metrics.Options{Norm: 4}, polytope.ErrNorm, "4"},
		{"workers", metrics.Options{Workers: -1}, classifier.ErrOption, "-1 workers"},
		{"nil pointer for an attack", metrics.Options{Attack: (*attack.RegionBased)(nil)},
			classifier.ErrOption, "nil pointer"},
		{"negative row", metrics.Options{Rows: []int{0, -1}}, classifier.ErrOption, "row -1 of 2"},
		{"row beyond the last", metrics.Options{Rows: []int{2}}, classifier.ErrOption,
			"row 2 of 2"},
		{"step has no cells to search", metrics.Options{}, attack.ErrClassifier, "row 0"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			points, err := metrics.Evaluate(t.Context(), step{}, line(1, 2), nil, tt.opts)
			checkError(t, err, tt.want, tt.text)
			if len(points) > 0 {
				t.Errorf("points %v, want none", points)
			}
		})
	}
}

func TestEach(t *testing.T) {
	const n = 200
	v := make([]float64, n)
	for i := range v {
		v[i] = float64(i + 1)
	}
	// The map has no lock of its own: the race detector would tell.
	seen := make(map[int]float64)
	opts := metrics.Options{
		Attack:  attackFunc(toZero),
		Workers: 8,
		Each: func(p metrics.Point) error {
			seen[p.Row] = p.Distance
			return nil
		},
	}
	points, err := metrics.Evaluate(t.Context(), step{}, line(v...), nil, opts)
	if err != nil || len(points) != n {
		t.Fatalf("%d points, error %v, want %d", len(points), err, n)
	}
	for i, p := range points {
		if p.Row != i || seen[i] != p.Distance || p.Distance != v[i] {
			t.Errorf("point %d: row %d, distance %v, Each saw %v, want %v",
				i, p.Row, p.Distance, seen[i], v[i])
		}
	}
}

// TestFirstFailure checks that of several failing rows the first in order is
// named, though later ones fail earlier.
func TestFirstFailure(t *testing.T) {
	broken := errors.New("broken")
	for _, workers := range []int{1, 2, 8} {
		a := attackFunc(func(ctx context.Context, x []float64) (attack.Result, error) {
			switch {
			case x[0] == 5:
				time.Sleep(5 * time.Millisecond)
				return attack.Result{}, fmt.Errorf("five: %w", broken)
			case x[0] > 5:
				return attack.Result{}, fmt.Errorf("another: %w", broken)
			}
			return toZero(ctx, x)
		})
		opts := metrics.Options{Attack: a, Workers: workers}
		points, err := metrics.Evaluate(t.Context(), step{}, line(1, 2, 3, 4, 5, 6, 7, 8, 9), nil,
			opts)
		checkError(t, err, broken, "metrics: row 4: five")
		if len(points) != 4 {
			t.Errorf("%d workers: %d points, want the 4 before the failure", workers, len(points))
		}
	}
}

func TestEachFails(t *testing.T) {
	full := errors.New("disk full")
	calls := 0
	opts := metrics.Options{
		Attack: attackFunc(toZero), Workers: 4, Rows: []int{2, 1, 0},
		Each: func(metrics.Point) error { calls++; return full },
	}
	_, err := metrics.Evaluate(t.Context(), step{}, line(1, 2, 3), nil, opts)
	checkError(t, err, full, "row ")
	if calls != 1 {
		t.Errorf("Each was called %d times, want once", calls)
	}
}

func TestResultFaults(t *testing.T) {
	for _, r := range []attack.Result{
		{Distance: math.NaN()}, {Distance: -1}, {Bound: math.NaN()}, {Bound: -1},
	} {
		a := attackFunc(func(context.Context, []float64) (attack.Result, error) { return r, nil })
		points, err := metrics.Evaluate(t.Context(), step{}, line(1), nil, metrics.Options{
			Attack: a,
		})
		checkError(t, err, classifier.ErrOption, "row 0")
		if len(points) > 0 {
			t.Errorf("points %v, want none", points)
		}
	}
}

// TestPaper repeats the empirical robustness of 1-NN on the paper's halfmoon set, whose exact
// value the fixtures know, with any number of workers.
func TestPaper(t *testing.T) {
	c := fixture.Halfmoon(t)
	model, err := classifier.TrainKNN(t.Context(), c.Set.Train, c.Set.TrainY,
		classifier.KNNOptions{})
	if err != nil {
		t.Fatal(err)
	}
	accuracy, err := metrics.Accuracy(t.Context(), model, c.Set.Test, c.Set.TestY)
	if want := c.Split(t).Accuracy["1nn"]; err != nil || accuracy != want {
		t.Errorf("accuracy %v, %v, want %v", accuracy, err, want)
	}
	var first []metrics.Point
	for _, workers := range []int{0, 1, 7} {
		opts := metrics.Options{Rows: c.Split(t).Attacked["1nn"], Workers: workers}
		points, err := metrics.Evaluate(t.Context(), model, c.Set.Test, c.Set.TestY, opts)
		if err != nil {
			t.Fatal(err)
		}
		for i := range points {
			points[i].Time = 0
		}
		if first == nil {
			first = points
		}
		if !reflect.DeepEqual(points, first) {
			t.Errorf("%d workers: other points than with %d", workers, 0)
		}
	}
	sum := 0.0
	for _, d := range c.Exact(t)["1nn_inf"] {
		sum += d
	}
	er, err := metrics.EmpiricalRobustness(first)
	if want := sum / 100; err != nil || math.Abs(er.Mean-want) > 1e-8 || er.MeanBound > er.Mean ||
		er.Optimal != 100 {
		t.Errorf("empirical robustness %+v, %v, want a mean of %v", er, err, want)
	}
}

// TestJSON: a point is written with the facts of its row, and not as its Result alone.
func TestJSON(t *testing.T) {
	const want = `{"Row":4,"TrueLabel":1,"Predicted":1,"Attacked":true,"Result":{"Example":null,` +
		`"Label":-1,"Distance":"+Inf","Bound":0.5,"Status":"limit","Nodes":0,"Solves":0},"Time":7}`
	p := metrics.Point{
		Row: 4, TrueLabel: 1, Predicted: 1, Attacked: true, Time: 7 * time.Nanosecond,
		Result: attack.Result{Label: -1, Distance: inf, Bound: 0.5, Status: attack.StatusLimit},
	}
	if got, err := json.Marshal(p); err != nil || string(got) != want {
		t.Errorf("%s, %v, want %s", got, err, want)
	}
}

// TestRobustnessJSON: the means of no example are no numbers.
func TestRobustnessJSON(t *testing.T) {
	nan := math.NaN()
	r := metrics.Robustness{Mean: nan, MeanBound: nan, Attacked: 2, Optimal: 2, None: 2}
	want := `{"Mean":"NaN","MeanBound":"NaN","Attacked":2,"Found":0,"Optimal":2,"None":2}`
	if got, err := json.Marshal(r); err != nil || string(got) != want {
		t.Errorf("%s, %v, want %s", got, err, want)
	}
}
