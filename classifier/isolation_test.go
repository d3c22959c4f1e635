package classifier_test

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/seed-1a7dc1f9/facet/classifier"
)

// TestIsolation: the output of a regressor with the link isolation is −2^−s of the scaled sum, its
// thresholds are those of that, and its file says the same when it is written again.
func TestIsolation(t *testing.T) {
	const file = `{"format": "facet-model", "version": 1, "kind": "regressor", "n_features": 1,
		"comparison": "x <= t", "vote": "sum", "base": [0], "link": "isolation", "scale": 0.25,
		"trees": [{"feature": [0, -1, -1], "threshold": [1, 0, 0], "left": [1, -1, -1],
		"right": [2, -1, -1], "value": [[0], [2], [6]]}]}`
	r, err := classifier.Read[*classifier.Regressor](strings.NewReader(file),
		classifier.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := classifier.Save(&text, r); err != nil {
		t.Fatal(err)
	}
	again, err := classifier.Read[*classifier.Regressor](&text, classifier.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for x, sum := range map[float64]float64{0: 2, 3: 6} {
		got, want := r.Predict([]float64{x}), -math.Exp2(-sum/4)
		if math.Abs(got-want) > 2e-16 || again.Predict([]float64{x}) != got {
			t.Errorf("the output at %v is %v, read again %v, want %v",
				x, got, again.Predict([]float64{x}), want)
		}
		above, err := r.Above(got)
		if err != nil {
			t.Fatal(err)
		}
		over, err := r.Above(math.Nextafter(got, 0))
		if err != nil {
			t.Fatal(err)
		}
		if above.Predict([]float64{x}) != 1 || over.Predict([]float64{x}) != 0 {
			t.Errorf("at %v the output is not at least %v, or more", x, got)
		}
	}
}
