package metrics_test

import (
	"bytes"
	"encoding/json"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/metrics"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// either returns an ensemble of one tree: label 1 where x₀ > 2, which a missing value is not, and
// x₁ > 3. With categories the first feature has the codes 0 to 3.
func either(t *testing.T, categories bool) *classifier.Ensemble {
	t.Helper()
	tree, err := classifier.NewTree(2, classifier.AtMostFloat64, []classifier.TreeNode{
		{Feature: 0, Threshold: 2, Left: 1, Right: 2, MissingLeft: true, Value: []float64{1, 1}},
		{Left: -1, Right: -1, Value: []float64{1, 0}},
		{Feature: 1, Threshold: 3, Left: 3, Right: 4, Value: []float64{1, 1}},
		{Left: -1, Right: -1, Value: []float64{1, 0}}, {
			Left:  -1,
			Right: -1,
			Value: []float64{0, 1},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	e, err := classifier.NewEnsemble([]*classifier.Tree{tree}, classifier.EnsembleOptions{
		Vote: classifier.SoftVote,
	})
	if err != nil || !categories {
		return e
	}
	var text bytes.Buffer
	var file map[string]any
	if err := classifier.Save(&text, e); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text.Bytes(), &file); err != nil {
		t.Fatal(err)
	}
	file["categories"] = []int{4, 0}
	told, err := json.Marshal(file)
	if err != nil {
		t.Fatal(err)
	}
	model, err := classifier.Read[classifier.Classifier](bytes.NewReader(told),
		classifier.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return model.(*classifier.Ensemble)
}

// TestMissing: rows with missing values are for classifiers that take them, and the attack says
// their cost.
func TestMissing(t *testing.T) {
	missing := math.NaN()
	rows := mat.NewDense(3, 2, []float64{missing, 5, 4, 5, 4, missing})
	model := either(t, false)
	labels, err := metrics.Predict(t.Context(), model, rows)
	if err != nil || labels[0] != 0 || labels[1] != 1 || labels[2] != 1 {
		t.Fatalf("labels %v, %v, want 0, 1, 1", labels, err)
	}
	may := &attack.RegionBased{
		Classifier: model,
		Options: attack.Options{
			Norm:     polytope.L1,
			Features: []attack.Feature{{Up: 0.5, Missing: attack.MayMiss}, {}},
		},
	}
	for _, tt := range []struct {
		name string
		opts metrics.Options
		want []float64
	}{
		{"a missing value stays", metrics.Options{Norm: polytope.L1}, []float64{math.Inf(1), 2, 2}},
		{"the first may be missing or not", metrics.Options{Norm: polytope.L1, Attack: may},
			[]float64{0.5, 0.5, 0.5}},
	} {
		points, err := metrics.Evaluate(t.Context(), model, rows, nil, tt.opts)
		if err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		for i, p := range points {
			if !(math.Abs(p.Distance-tt.want[i]) < 1e-9 || p.Distance == tt.want[i]) ||
				!p.Optimal() {
				t.Errorf("%s: row %d: %+v, want distance %v", tt.name, i, p.Result, tt.want[i])
			}
		}
	}

	infinite := mat.NewDense(2, 2, []float64{missing, 5, missing, math.Inf(1)})
	_, err = metrics.Predict(t.Context(), model, infinite)
	checkError(t, err, polytope.ErrNotFinite, "row 1: feature 1")
	complete := mat.NewDense(2, 2, []float64{0, 0, 1, 1})
	knn, err := classifier.TrainKNN(t.Context(), complete, []int{0, 1}, classifier.KNNOptions{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = metrics.Predict(t.Context(), knn, rows)
	checkError(t, err, polytope.ErrNotFinite, "row 0: feature 0")
}

// TestCategories: an attack on a model with categories says the cost of a change of one.
func TestCategories(t *testing.T) {
	points, err := metrics.Evaluate(t.Context(), either(t, true),
		mat.NewDense(1, 2, []float64{0, 10}), nil, metrics.Options{Norm: polytope.L1})
	if err != nil || len(points) != 1 || points[0].Distance != 1 || points[0].Example[0] != 3 {
		t.Errorf("%+v, %v, want another category at distance 1", points, err)
	}
}
