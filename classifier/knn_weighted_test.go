package classifier_test

import (
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/access"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// TestWeightedDiffers holds a point that the uniform vote labels otherwise.
func TestWeightedDiffers(t *testing.T) {
	x, y := instance.Dense([][]float64{{0}, {4}, {5}}), []int{1, 0, 0}
	weighted, err := classifier.TrainWeightedKNN(t.Context(), x, y, classifier.KNNOptions{K: 3})
	if err != nil {
		t.Fatal(err)
	}
	uniform, err := classifier.TrainKNN(t.Context(), x, y, classifier.KNNOptions{K: 3})
	if err != nil {
		t.Fatal(err)
	}
	if w, u := weighted.Predict([]float64{1}), uniform.Predict([]float64{1}); w != 1 || u != 0 {
		t.Errorf("weighted vote %d, uniform vote %d, want 1 and 0", w, u)
	}
	if row, label := weighted.Row(1); row[0] != 4 || label != 0 || weighted.Len() != 3 ||
		weighted.K() != 3 || weighted.Dim() != 1 || weighted.Classes() != 2 {
		t.Errorf("row 1 is %v, %d; %d rows, k = %d, %d × %d",
			row, label, weighted.Len(), weighted.K(), weighted.Dim(), weighted.Classes())
	}
}

func TestWeightedIsNotDecomposable(t *testing.T) {
	c, err := classifier.TrainerOf(classifier.TrainWeightedKNN, classifier.KNNOptions{})(
		t.Context(), instance.Dense([][]float64{{0}, {1}}), []int{0, 1})
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := access.Searcher(c); !ok {
		t.Error("a weighted k-NN does not search")
	}
	if _, ok := c.(classifier.Decomposable); ok {
		t.Error("a weighted k-NN has no cells")
	}
	if _, ok := c.(classifier.Locator); ok {
		t.Error("a weighted k-NN has no cell around a point")
	}
}

func TestWeightedErrors(t *testing.T) {
	x := instance.Dense([][]float64{{0}, {1}})
	tests := []struct {
		name string
		x    mat.Matrix
		y    []int
		k    int
		want error
	}{
		{"no rows", nil, nil, 1, classifier.ErrEmpty},
		{"NaN", instance.Dense([][]float64{{math.NaN()}}), []int{0}, 1, polytope.ErrNotFinite},
		{"too few labels", x, []int{0}, 1, polytope.ErrDimension},
		{"negative label", x, []int{0, -1}, 1, classifier.ErrLabel},
		{"k > n", x, []int{0, 1}, 3, classifier.ErrOption},
		{"k < 0", x, []int{0, 1}, -1, classifier.ErrOption},
	}
	for _, tt := range tests {
		if _, err := classifier.TrainWeightedKNN(t.Context(),
			tt.x, tt.y, classifier.KNNOptions{K: tt.k},
		); !errors.Is(err, tt.want) {
			t.Errorf("%s: error %v, want %v", tt.name, err, tt.want)
		}
		trainer := classifier.TrainerOf(classifier.TrainWeightedKNN, classifier.KNNOptions{K: tt.k})
		if c, err := trainer(t.Context(), tt.x, tt.y); !errors.Is(err, tt.want) || c != nil {
			t.Errorf("%s: TrainerOf: %v, %v, want nil, %v", tt.name, c, err, tt.want)
		}
	}
}
