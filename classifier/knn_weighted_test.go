package classifier_test

import (
	"testing"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/access"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
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
	if _, ok := c.(locator); ok {
		t.Error("a weighted k-NN has no cell around a point")
	}
}
