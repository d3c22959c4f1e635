package classifier_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack/property"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/access"
)

// stumps are trees of one test each, whose leaves have random values, those of some classes 0.
func stumps(
	t *testing.T, rng *rand.Rand, classes int, opts classifier.EnsembleOptions, zero ...int,
) *classifier.Ensemble {
	t.Helper()
	var members []*classifier.Tree
	for range 5 {
		leaf := func() classifier.TreeNode {
			n := classifier.TreeNode{Feature: -1, Left: -1, Right: -1}
			n.Value = make([]float64, classes)
			for c := range n.Value {
				n.Value[c] = rng.Float64() / 4 // less than 1 of three classes
			}
			for _, c := range zero {
				n.Value[c] = 0
			}
			return n
		}
		test := classifier.TreeNode{Value: make([]float64, classes)}
		test.Feature, test.Threshold = rng.IntN(2), rng.Float64()
		test.Left, test.Right = 1, 2
		tree, err := classifier.NewTree(2, classifier.AtMostFloat64,
			[]classifier.TreeNode{test, leaf(), leaf()})
		if err != nil {
			t.Fatal(err)
		}
		members = append(members, tree)
	}
	e, err := classifier.NewEnsemble(members, opts)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TestProbability compares probabilities with those of the sums, and asks where they reach some.
func TestProbability(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	soft := stumps(t, rng, 3, classifier.EnsembleOptions{Divisor: 4})
	hard := stumps(t, rng, 3, classifier.EnsembleOptions{Vote: classifier.HardVote})
	logistic := classifier.EnsembleOptions{
		Vote: classifier.LogisticVote, Base: []float64{0, -1}, Single: true,
	}
	softmax := func(sums []float64, class int) float64 {
		total := 0.0
		for _, v := range sums {
			total += math.Exp(v - sums[class])
		}
		return 1 / total
	}
	several := classifier.EnsembleOptions{Vote: classifier.SoftmaxVote, Base: []float64{0, 1, -1}}
	both := classifier.EnsembleOptions{Vote: classifier.SoftmaxVote, Single: true}
	sigmoid := func(margin float64) float64 { return 1 / (1 + math.Exp(-margin)) }
	tests := []struct {
		name string
		e    *classifier.Ensemble
		want func(sums []float64, class int) float64
	}{
		{"softmax", stumps(t, rng, 3, several), softmax},
		{"softmax of two", stumps(t, rng, 2, both), softmax},
		{"soft", soft, func(sums []float64, class int) float64 { return sums[class] / 4 }},
		{"hard", hard, func(sums []float64, class int) float64 { return sums[class] / 5 }},
		{"logistic", stumps(t, rng, 2, logistic, 0), func(sums []float64, class int) float64 {
			return sigmoid((sums[1] - sums[0]) * float64(2*class-1))
		}},
	}
	for _, test := range tests {
		for class := range test.e.Classes() {
			r, err := test.e.Probability(class)
			if err != nil {
				t.Fatalf("%s: %v", test.name, err)
			}
			reached := 0
			for range 50 {
				x, p := []float64{rng.Float64(), rng.Float64()}, rng.Float64()
				got, want := r.Predict(x), test.want(test.e.Scores(x), class)
				if math.Abs(got-want) > 1e-6 {
					t.Errorf("%s, class %d at %v: %v, want %v", test.name, class, x, got, want)
				}
				above, err := r.Above(p)
				if err != nil || (above.Predict(x) == 1) != (got >= p) {
					t.Errorf("%s, class %d at %v: %v is not above %v, %v",
						test.name, class, x, got, p, err)
				}
				reached += above.Predict(x)
			}
			if reached == 0 || reached == 50 {
				t.Errorf("%s, class %d: %d of 50 above", test.name, class, reached)
			}
		}
	}
}

// TestShares: a probability that is no function of one sum is refused where one is needed.
func TestShares(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	e := stumps(t, rng, 3, classifier.EnsembleOptions{Vote: classifier.SoftmaxVote})
	r, err := e.Probability(2)
	if err != nil {
		t.Fatal(err)
	}
	above, err := r.Above(0.4)
	if err != nil || above.Classes() != 2 || len(above.Scores([]float64{0, 0})) != 3 {
		t.Fatalf("%v, %v", above, err)
	}
	_, _, ranged := property.Range(t.Context(), r, property.Options{Computed: true})
	_, again := above.Probability(1)
	_, function := access.Trees(r)
	_, label := access.Trees(above)
	for what, err := range map[string]error{
		"range": ranged, "probability": again, "saved": classifier.Save(io.Discard, r),
		"saved question": classifier.Save(io.Discard, above), "function": function, "label": label,
	} {
		if !errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if _, err := r.Above(math.NaN()); !errors.Is(err, classifier.ErrOption) {
		t.Errorf("above NaN: %v", err)
	}
}

// TestProbabilityOfSeveralSums: a vote by sums does not define probabilities.
func TestProbabilityOfSeveralSums(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	sums := classifier.EnsembleOptions{Vote: classifier.SumVote}
	several := []*classifier.Ensemble{
		stumps(t, rng, 3, sums, 0, 1), stumps(t, rng, 2, sums), stumps(t, rng, 2, sums, 0),
	}
	for _, e := range several {
		if _, err := e.Probability(0); !errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("%d classes: %v", e.Classes(), err)
		}
		if _, err := e.Probability(3); !errors.Is(err, classifier.ErrOption) {
			t.Errorf("class 3: %v", err)
		}
	}
}

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

// probability returns that of a class; the labels of Above must agree with it.
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

// TestFilesWithoutProbabilities: files of old exports do not say how to read their sums, or hold
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
