package classifier_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1a7dc1f9/facet/classifier"
)

// recorded is a model that a library trained, and its predict_proba of some rows, null where it has
// none: tools/check_probabilities.py recorded them.
type recorded struct {
	Text          string      `json:"text"`
	Base64        []byte      `json:"base64"`
	Single        bool        `json:"single"` // it computes in float32
	Rows          [][]float64 `json:"rows"`
	Probabilities [][]float64 `json:"probabilities"`
}

// withoutProbabilities are parts of the names of models that have none which are known.
var withoutProbabilities = []string{
	"hard voting", "weighted k-NN", "logitraw", "hinge", "LightGBM rf, 3", "multiclassova",
	"cross_entropy", "post_transform SOFTMAX_ZERO",
	"post_transform NONE, ", "post_transform NONE of positive weights, 3",
	"post_transform LOGISTIC, 3", "post_transform LOGISTIC of positive",
	"post_transform SOFTMAX, 2",
	"post_transform SOFTMAX of positive weights, 2",
}

// TestLibrariesProbabilities: probabilities are those of the libraries, of their newest versions
// and of old ones, or refused.
func TestLibrariesProbabilities(t *testing.T) {
	for _, version := range []string{"new", "old"} {
		compressed, err := os.ReadFile("testdata/probabilities-" + version + ".json.gz")
		if err != nil {
			t.Fatal(err)
		}
		text, err := gzip.NewReader(bytes.NewReader(compressed))
		if err != nil {
			t.Fatal(err)
		}
		var models map[string]recorded
		if err := json.NewDecoder(text).Decode(&models); err != nil {
			t.Fatal(err)
		}
		for name, m := range models {
			t.Run(name, func(t *testing.T) { m.check(t, name) })
		}
	}
}

func (m *recorded) check(t *testing.T, name string) {
	c, err := classifier.Read[classifier.Classifier](bytes.NewReader(append(m.Base64, m.Text...)),
		classifier.ReadOptions{})
	var of []func(x []float64) float64 // each class
	for class := range len(slices.Concat(m.Probabilities...)) / len(m.Rows) {
		of = append(of, func(x []float64) float64 { return m.probability(t, c, class, x) })
	}
	if e, ok := c.(*classifier.Ensemble); ok {
		_, err = e.Probabilities()
	} else if _, ok := c.(*classifier.WeightedKNN); ok {
		err = errors.ErrUnsupported
	}
	part := func(part string) bool { return strings.Contains(name, part) }
	if slices.ContainsFunc(withoutProbabilities, part) {
		if !errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("%v, want it refused", err)
		}
		return
	}
	if err != nil || m.Probabilities == nil {
		t.Fatalf("%v; the library has %d probabilities", err, len(m.Probabilities))
	}
	for i, x := range m.Rows {
		for class, want := range m.Probabilities[i] {
			if got := of[class](x); !m.near(got, want) {
				t.Fatalf("row %d, class %d: %v, the library says %v", i, class, got, want)
			}
		}
	}
}

// probability returns that of a class, which what Above asks must agree with.
func (m *recorded) probability(
	t *testing.T, c classifier.Classifier, class int, x []float64,
) float64 {
	if knn, ok := c.(*classifier.KNN); ok {
		for votes := knn.K(); ; votes-- {
			p := float64(votes) / float64(knn.K())
			if above, err := knn.Above(class, p); err != nil || above.Predict(x) == 1 {
				return p
			}
		}
	}
	e := c.(*classifier.Ensemble)
	all, _ := e.Probabilities()
	r, err := e.Probability(class)
	if err != nil {
		t.Fatal(err)
	}
	p := r.Predict(x)
	if saved := m.saved(t, e, r); saved != nil && saved.Predict(x) != p {
		t.Errorf("class %d at %v: %v, and %v once saved", class, x, p, saved.Predict(x))
	}
	if got := all(x)[class]; !m.near(got, p) {
		t.Errorf("class %d at %v: %v, and %v of all", class, x, p, got)
	}
	for _, least := range []float64{p, math.Nextafter(p, 2)} {
		above, err := r.Above(least)
		if err != nil || (above.Predict(x) == 1) != (p >= least) {
			t.Errorf("class %d at %v: %v, not on its side of %v, %v", class, x, p, least, err)
		}
	}
	return p
}

// near reports whether numbers are equal but for the last places of their arithmetic.
func (m *recorded) near(got, want float64) bool {
	unit := 0x1p-52
	if m.Single {
		unit = 0x1p-23
	}
	return math.Abs(got-want) <= 64*unit*want+0x1p-57
}

// saved returns a regressor as it is once saved, nil of one that is not, after it has seen to it
// that its model does not lose its probabilities.
func (m *recorded) saved(
	t *testing.T, e *classifier.Ensemble, r *classifier.Regressor,
) *classifier.Regressor {
	var file bytes.Buffer
	if err := classifier.Save(&file, e); err != nil {
		t.Fatal(err)
	}
	again, err := classifier.Read[classifier.Classifier](&file, classifier.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	before, _ := e.Probabilities()
	after, err := again.(*classifier.Ensemble).Probabilities()
	if err != nil || !slices.Equal(before(m.Rows[0]), after(m.Rows[0])) {
		t.Errorf("saved: %v, %v", again, err)
	}
	file.Reset()
	if err := classifier.Save(&file, r); errors.Is(err, errors.ErrUnsupported) {
		return nil
	}
	saved, err := classifier.Read[*classifier.Regressor](&file, classifier.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return saved
}

// TestFilesWithoutProbabilities: files of old exports do not say what their sums mean, or hold
// counts.
func TestFilesWithoutProbabilities(t *testing.T) {
	const tree = `{"feature": [0, -2, -2], "threshold": [0, 0, 0], "left": [1, -1, -1],
		"right": [2, -1, -1], "value": `
	const head = `{"format": "sklearn-tree-ensemble", "version": 1, "n_features": 1,
		"classes": [0, 1], "trees": [` + tree
	const boosting = head + `[[0], [1], [-2]]}], "boosting": {"init": [0, 0.5],
		"learning_rate": 0.5, "class": [1], "decision": `
	for name, test := range map[string]struct {
		text string
		of1  float64 // at −1; 0 if it is refused
	}{
		"counts":      {head + `[[150, 150], [50, 100], [100, 50]]}]}`, 0},
		"frequencies": {head + `[[0.5, 0.5], [0.25, 0.75], [0.75, 0.25]]}]}`, 0.75},
		"any loss":    {boosting + `"sum"}}`, 0},
		"log_loss":    {boosting + `"sum", "scale": 1}}`, 1 / (1 + math.Exp(-1))},
		"exponential": {boosting + `"sum", "scale": 2}}`, 1 / (1 + math.Exp(-2))},
		"before 1.4":  {boosting + `"probability"}}`, 1 / (1 + math.Exp(-1))},
	} {
		c, err := classifier.Read[classifier.Classifier](strings.NewReader(test.text),
			classifier.ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		r, err := c.(*classifier.Ensemble).Probability(1)
		if test.of1 == 0 {
			if !errors.Is(err, errors.ErrUnsupported) || !strings.Contains(err.Error(), "anew") {
				t.Errorf("%s: %v, want advice to export it anew", name, err)
			}
		} else if err != nil || math.Abs(r.Predict([]float64{-1})-test.of1) > 1e-15 {
			t.Errorf("%s: %v, %v", name, r, err)
		}
	}
}
