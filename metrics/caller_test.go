package metrics_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/metrics"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// answers is an attack that finds an example 1 below each x, altered by change.
func answers(change func(r *attack.Result)) attack.Attack {
	return attackFunc(func(_ context.Context, x []float64) (attack.Result, error) {
		r := attack.Result{
			Example:  []float64{x[0] - 1},
			Label:    0,
			Distance: 1,
			Bound:    1,
			Status:   attack.StatusOptimal,
		}
		if x[0] == 0.5 {
			change(&r)
		}
		return r, nil
	})
}

// TestFalseAnswers: the claims of an attack are held against the classifier that is measured, and
// the first row that is wrong is named.
func TestFalseAnswers(t *testing.T) {
	tests := []struct {
		name   string
		change func(r *attack.Result)
		text   string
	}{
		{"the label of the row",
			func(r *attack.Result) {
				r.Example[0], r.Distance, r.Bound = 0.25, 0.25, 0.25
			}, "label 0, to which the classifier gives label 1"},
		{"the label of the row, as claimed", func(r *attack.Result) {
			r.Example[0], r.Distance, r.Bound, r.Label = 0.25, 0.25, 0.25, 1
		}, "and label 1 to the row"},
		{"another label than claimed", func(r *attack.Result) { r.Label = 1 },
			"label 1, to which the classifier gives label 0"},
		{"a label of no class", func(r *attack.Result) { r.Label = 2 }, "label 2"},
		{"too near", func(r *attack.Result) { r.Distance, r.Bound = 0.999, 0.999 },
			"distance 0.999"},
		{"too far", func(r *attack.Result) { r.Distance = 1.001 }, "distance 1.001"},
		{"nearer than its bound", func(r *attack.Result) { r.Bound = math.Nextafter(1, 2) },
			"none below 1.0000000000000002"},
		{"a distance without an example", func(r *attack.Result) { r.Example = nil },
			"distance 1 without an example"},
		{"two coordinates", func(r *attack.Result) { r.Example = []float64{-0.5, 0} },
			"got 2 coordinates"},
		{"NaN", func(r *attack.Result) { r.Example[0] = math.NaN() }, "coordinate 0 is NaN"},
		{"infinite",
			func(r *attack.Result) {
				r.Example[0], r.Distance = math.Inf(-1), math.Inf(1)
			}, "coordinate 0 is -Inf"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, workers := range []int{1, 4} {
				opts := metrics.Options{Attack: answers(tt.change), Workers: workers}
				points, err := metrics.Evaluate(t.Context(), step{},
					line(0.25, 0.75, 0.5, 0.125, 0.5), nil, opts)
				checkError(t, err, metrics.ErrAttack, "row 2: ")
				checkError(t, err, metrics.ErrAttack, tt.text)
				if len(points) < 2 || points[0].Row != 0 || points[1].Row != 1 {
					t.Errorf("points %v, want the two before row 2", points)
				}
			}
		})
	}
}

// TestTrueAnswers: distances are those of the norm, as far as they can be computed, and no
// other norm's.
func TestTrueAnswers(t *testing.T) {
	x, z := []float64{0.5, 0.25}, []float64{-0.5, 0.5}
	c := classifierFunc{2, func(x []float64) int { return step{}.Predict(x) }}
	for _, norm := range []polytope.Norm{polytope.LInf, polytope.L1, polytope.L2} {
		d := norm.Distance(x, z) * (1 + 1e-12)
		a := attackFunc(func(context.Context, []float64) (attack.Result, error) {
			return attack.Result{Example: z, Distance: d, Bound: d / 2}, nil
		})
		for _, measured := range []polytope.Norm{polytope.LInf, polytope.L1, polytope.L2} {
			points, err := metrics.Evaluate(t.Context(), c, mat.NewDense(1, 2, x), nil,
				metrics.Options{Norm: measured, Attack: a})
			if measured != norm {
				checkError(t, err, metrics.ErrAttack, "in norm "+measured.String())
			} else if err != nil || len(points) != 1 || points[0].Distance != d {
				t.Errorf("norm %v: %v, %v, want distance %v", norm, points, err, d)
			}
		}
	}
}

// priced is an attack that says itself the cost of moves.
type priced struct {
	attack.Attack
	distance func(x, z []float64) float64
}

func (p *priced) Distance(x, z []float64) float64 { return p.distance(x, z) }

// TestPricedAnswers: the distance that an attack with prices of moves claims is compared with the
// cost that it gives.
func TestPricedAnswers(t *testing.T) {
	c := classifierFunc{2, func(x []float64) int { return step{}.Predict(x) }}
	plain := attackFunc(func(context.Context, []float64) (attack.Result, error) {
		return attack.Result{Example: []float64{-0.5, 0.5}, Distance: 3.25, Bound: 3}, nil
	})
	evaluate := func(a attack.Attack) ([]metrics.Point, error) {
		return metrics.Evaluate(t.Context(), c, mat.NewDense(1, 2, []float64{0.5, 0.25}), nil,
			metrics.Options{Attack: a})
	}
	points, err := evaluate(
		&priced{plain, func(x, z []float64) float64 { return 3*(x[0]-z[0]) + z[1] - x[1] }},
	)
	if err != nil || len(points) != 1 || points[0].Distance != 3.25 {
		t.Errorf("%v, %v, want distance 3.25", points, err)
	}
	for text, a := range map[string]attack.Attack{
		"distance 3.25, but the example's is 1 in norm inf": plain,
		"distance 3.25, but the example's is NaN in norm inf": &priced{plain,
			func(x, z []float64) float64 { return math.NaN() }},
		"Distance of *metrics_test.priced": &priced{plain,
			func(x, z []float64) float64 { return x[2] }},
	} {
		_, err := evaluate(a)
		if err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("error %v, want %q", err, text)
		}
	}
}

// TestAttackOnAnother measures a classifier with an attack on another one.
func TestAttackOnAnother(t *testing.T) {
	train := func(border float64) *classifier.KNN {
		c, err := classifier.TrainKNN(t.Context(), line(border-1, border+1), []int{0, 1},
			classifier.KNNOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	measured, other := train(0), train(3)
	opts := metrics.Options{Attack: &attack.RegionBased{Classifier: other}}
	_, err := metrics.Evaluate(t.Context(), measured, line(-1, 4), nil, opts)
	checkError(t, err, metrics.ErrAttack, "row 1: ")
	opts.Attack = &attack.RegionBased{Classifier: measured}
	if points, err := metrics.Evaluate(t.Context(), measured, line(-1, 4), nil, opts); err != nil ||
		len(points) != 2 {
		t.Errorf("an attack on the classifier that is measured: %v, %v", points, err)
	}
}

// TestAttackThatWritesIntoX: the rows stay the same.
func TestAttackThatWritesIntoX(t *testing.T) {
	a := attackFunc(func(ctx context.Context, x []float64) (attack.Result, error) {
		r, err := toZero(ctx, x)
		x[0] = -7
		return r, err
	})
	points, err := metrics.Evaluate(t.Context(), step{}, line(1), nil, metrics.Options{
		Attack:  a,
		Rows:    []int{0, 0},
		Workers: 1,
	})
	if err != nil || len(points) != 2 || points[1].Predicted != 1 {
		t.Errorf("points %v, %v, want both predicted 1", points, err)
	}
}

// classifierFunc is a classifier with two classes made of a function.
type classifierFunc struct {
	dim     int
	predict func(x []float64) int
}

func (c classifierFunc) Predict(x []float64) int { return c.predict(x) }
func (c classifierFunc) Dim() int                { return c.dim }
func (c classifierFunc) Classes() int            { return 2 }

// TestPanics: the panic of a caller's code is the error of the first row at which it does, for any
// number of workers.
func TestPanics(t *testing.T) {
	const n, bad = 300, 130.0
	v := make([]float64, n)
	for i := range v {
		v[i] = float64(i)
	}
	boom := func(x []float64) {
		if x[0] >= bad {
			panic(fmt.Errorf("boom: %w", io.ErrUnexpectedEOF))
		}
	}
	predicts := classifierFunc{1, func(x []float64) int { boom(x); return 1 }}
	perturbs := attackFunc(func(ctx context.Context, x []float64) (attack.Result, error) {
		boom(x)
		return toZero(ctx, x)
	})
	_, err := metrics.Predict(t.Context(), predicts, line(v...))
	checkPanic(t, err,
		"row 130: unsuitable classifier: panic in Predict of metrics_test.classifierFunc: boom")
	_, err = metrics.Accuracy(t.Context(), predicts, line(v...), make([]int, n))
	checkPanic(t, err, "row 130: ")
	for _, workers := range []int{1, 2, 8} {
		_, err = metrics.Evaluate(t.Context(), predicts, line(v...), make([]int, n),
			metrics.Options{Workers: workers})
		checkPanic(t, err, "row 130: unsuitable classifier: panic in Predict")
		_, err = metrics.Evaluate(t.Context(), step{}, line(v...), nil, metrics.Options{
			Workers: workers,
			Attack:  perturbs,
		})
		checkPanic(t, err, "row 130: panic in Perturb of metrics_test.attackFunc: boom")
		_, err = metrics.Evaluate(t.Context(), step{}, line(v...), nil, metrics.Options{
			Workers: workers, Attack: attackFunc(toZero), Each: func(metrics.Point) error {
				boom(v[bad:])
				return nil
			},
		})
		checkPanic(t, err, "panic in Each")
	}
}

// shapeless panics when it is asked for its shape.
type shapeless struct{ step }

func (shapeless) Dim() int { panic(fmt.Errorf("boom: %w", io.ErrUnexpectedEOF)) }

// TestShapeless: a panic in Dim or Classes, before any prediction, is an error, too.
func TestShapeless(t *testing.T) {
	_, predicting := metrics.Predict(t.Context(), shapeless{}, line(0))
	_, counting := metrics.Accuracy(t.Context(), shapeless{}, line(0), []int{0})
	_, evaluating := metrics.Evaluate(t.Context(), shapeless{}, line(0), []int{0},
		metrics.Options{})
	for _, err := range []error{predicting, counting, evaluating} {
		checkError(t, err, attack.ErrClassifier, "metrics: unsuitable classifier: panic in Dim "+
			"or Classes of metrics_test.shapeless: boom")
	}
}

func checkPanic(t *testing.T, err error, text string) {
	t.Helper()
	checkError(t, err, io.ErrUnexpectedEOF, text)
	if p, ok := errors.AsType[*polytope.PanicError](err); !ok ||
		!strings.Contains(string(p.Stack), "metrics_test.TestPanics") {
		t.Errorf("error %v, want one that keeps the stack", err)
	}
}
