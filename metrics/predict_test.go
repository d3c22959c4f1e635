package metrics_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/metrics"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

func TestPredict(t *testing.T) {
	x := mat.NewDense(1000, 1, nil)
	want := make([]int, 1000)
	for i := range want {
		want[i] = i * i % 7 % 2
		x.Set(i, 0, float64(want[i])-0.5)
	}
	got, err := metrics.Predict(t.Context(), step{}, x)
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("Predict = %v, %v, want %v", got, err, want)
	}
}

func TestAccuracy(t *testing.T) {
	tests := []struct {
		name string
		y    []int
		want float64
	}{
		{"all", []int{0, 0, 1, 1}, 1},
		{"none", []int{1, 1, 0, 0}, 0},
		{"three of four", []int{0, 1, 1, 1}, 0.75},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := metrics.Accuracy(t.Context(), step{}, line(-2, -1, 0, 1), tt.y)
			if err != nil || got != tt.want {
				t.Errorf("Accuracy = %v, %v, want %v", got, err, tt.want)
			}
		})
	}
}

// faults are inputs that no function takes, with the words of the message.
var faults = []struct {
	name string
	c    classifier.Classifier
	x    mat.Matrix
	y    []int
	want error
	text string
}{
	{"no classifier", nil, line(1), []int{1}, attack.ErrClassifier, "none given"},
	{"nil pointer", (*classifier.KNN)(nil), line(1), []int{1}, attack.ErrClassifier, "none given"},
	{"no rows", step{}, nil, []int{}, classifier.ErrEmpty, "nil"},
	{"empty matrix", step{}, new(mat.Dense), []int{}, classifier.ErrEmpty, "0 × 0"},
	{"NaN", step{}, line(0, math.NaN()), []int{0, 0}, polytope.ErrNotFinite, "row 1: feature 0"},
	{"Inf", step{}, line(inf), []int{0}, polytope.ErrNotFinite, "row 0: feature 0"},
	{"dimension", step{}, mat.NewDense(1, 2, nil), []int{0}, polytope.ErrDimension,
		"2 columns, the classifier 1"},
	{"too few labels", step{}, line(1, 2), []int{1}, polytope.ErrDimension, "1 labels, 2 rows"},
	{"negative label", step{}, line(1, 2), []int{1, -1}, classifier.ErrLabel,
		"row 1: label is out of range: -1 of 2"},
	{"label too large", step{}, line(1, 2), []int{2, 1}, classifier.ErrLabel,
		"row 0: label is out of range: 2 of 2"},
	{"prediction", liar{}, line(1, 7), []int{1, 1}, attack.ErrClassifier,
		"row 1: unsuitable classifier: it predicts label 7 of 2"},
	{"negative prediction", liar{}, line(1, -3), []int{1, 1}, attack.ErrClassifier, "row 1"},
}

func checkError(t *testing.T, err, want error, text string) {
	t.Helper()
	if !errors.Is(err, want) || !strings.HasPrefix(err.Error(), "metrics: ") ||
		!strings.Contains(err.Error(), text) {
		t.Errorf("error %v, want one of metrics wrapping %q that says %q", err, want, text)
	}
}

func TestFaults(t *testing.T) {
	for _, tt := range faults {
		t.Run(tt.name, func(t *testing.T) {
			_, err := metrics.Accuracy(t.Context(), tt.c, tt.x, tt.y)
			checkError(t, err, tt.want, tt.text)
			_, err = metrics.Evaluate(t.Context(), tt.c, tt.x, tt.y, metrics.Options{
				Attack: attackFunc(toZero),
			})
			checkError(t, err, tt.want, tt.text)
			if errors.Is(tt.want, polytope.ErrDimension) ||
				errors.Is(tt.want, classifier.ErrLabel) {
				return
			}
			_, err = metrics.Predict(t.Context(), tt.c, tt.x)
			checkError(t, err, tt.want, tt.text)
		})
	}
}

// fading cancels the context at its hundredth prediction.
type fading struct {
	step
	calls  *atomic.Int64
	cancel context.CancelFunc
}

func (f fading) Predict([]float64) int {
	if f.calls.Add(1) == 100 {
		f.cancel()
	}
	return 0
}

func TestPredictCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var calls atomic.Int64
	got, err := metrics.Predict(ctx, fading{calls: &calls, cancel: cancel},
		mat.NewDense(100_000, 1, nil))
	checkError(t, err, context.Canceled, "predicting")
	if n := calls.Load(); got != nil || n == 100_000 {
		t.Errorf("%d labels after %d predictions, want none after about 100", len(got), n)
	}
	_, err = metrics.Accuracy(ctx, step{}, line(1), []int{1})
	checkError(t, err, context.Canceled, "")
}
