package boxtree_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

var recordExamples = flag.Bool("record", false,
	"make testdata/confirmed anew; tools/confirm_examples.py then adds the libraries' labels")

// confirmed is an adversarial example of a model that another library trained, and
// the labels that this library, not ours, gives it and the point it was made for.
type confirmed struct {
	Model    string        `json:"model"` // in internal/modelfile/testdata
	Norm     polytope.Norm `json:"norm"`
	X        []float64     `json:"x"`
	Example  []float64     `json:"example"`
	Distance float64       `json:"distance"`
	From     int           `json:"from"`
	Label    int           `json:"label"`
}

// TestConfirmedExamples attacks the recorded points again: the radii are the
// recorded ones, and each example, of which XGBoost or scikit-learn itself has
// confirmed that it changes the prediction, is predicted as the library does.
func TestConfirmedExamples(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"xgboost", "boosting"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join("testdata", "confirmed", name+".json")
			if *recordExamples {
				writeConfirmed(t, file, makeExamples(t, name))
			}
			examples := readConfirmed(t, file)
			if len(examples) < 300 {
				t.Fatalf("%d examples, want at least 300", len(examples))
			}
			step := len(examples) / instance.Count(len(examples)/3, len(examples))
			for i := 0; i < len(examples); i += step {
				checkConfirmed(t, examples[i])
			}
		})
	}
}

func checkConfirmed(t *testing.T, c confirmed) {
	e := instance.ReadModel(t, c.Model)
	if from, label := e.Predict(c.X), e.Predict(c.Example); from != c.From || label != c.Label ||
		from == label {
		t.Errorf("%s: labels of %v and %v = %d, %d, the library says %d, %d",
			c.Model, c.X, c.Example, from, label, c.From, c.Label)
	}
	r := perturb(t, e, c.Norm, c.X)
	if !r.Optimal() || math.Abs(r.Distance-c.Distance) > 1e-9 ||
		math.Abs(c.Norm.Distance(c.X, c.Example)-c.Distance) > 1e-12 {
		t.Errorf("%s: %v of %v: distance %v, optimal %v, recorded %v",
			c.Model, c.Norm, c.X, r.Distance, r.Optimal(), c.Distance)
	}
}

func perturb(t *testing.T, e *classifier.Ensemble, norm polytope.Norm, x []float64) attack.Result {
	t.Helper()
	a := &attack.RegionBased{Classifier: e, Options: attack.Options{Norm: norm, Workers: 1}}
	r, err := a.Perturb(t.Context(), x)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func readConfirmed(t *testing.T, file string) []confirmed {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var examples []confirmed
	if err := json.Unmarshal(text, &examples); err != nil {
		t.Fatal(err)
	}
	return examples
}

func writeConfirmed(t *testing.T, file string, examples []confirmed) {
	t.Helper()
	lines := make([][]byte, len(examples))
	for i, e := range examples {
		line, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		lines[i] = line
	}
	text := slices.Concat([]byte("[\n"), bytes.Join(lines, []byte(",\n")), []byte("\n]\n"))
	if err := os.WriteFile(file, text, 0o666); err != nil {
		t.Fatal(err)
	}
}

// makeExamples attacks 60 points of each model of a folder, in all norms.
func makeExamples(t *testing.T, folder string) []confirmed {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "modelfile", "testdata", folder, "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	var examples []confirmed
	for number, file := range files {
		if filepath.Base(file) == "recorded.json" {
			continue
		}
		c := confirmed{Model: folder + "/" + filepath.Base(file), From: -1, Label: -1}
		e, rng := instance.ReadModel(t, c.Model), rand.New(rand.NewPCG(uint64(number), 1))
		for i := range 60 {
			c.X, c.Norm = drawQuery(rng, e), instance.Norms()[i%3]
			if r := perturb(t, e, c.Norm, c.X); r.Example != nil {
				c.Example, c.Distance = r.Example, r.Distance
				examples = append(examples, c)
			}
		}
	}
	return examples
}

// drawQuery draws a point on, near or around the thresholds of a model.
func drawQuery(rng *rand.Rand, e *classifier.Ensemble) []float64 {
	cuts := make([][]float64, e.Dim())
	for i := range e.Len() {
		for _, n := range e.Tree(i).Nodes() {
			if n.Left >= 0 {
				cuts[n.Feature] = append(cuts[n.Feature], n.Threshold)
			}
		}
	}
	x := make([]float64, e.Dim())
	for f, near := range cuts {
		if len(near) > 0 {
			x[f] = near[rng.IntN(len(near))]
		}
		switch rng.IntN(4) {
		case 0:
			x[f] += 1e-6 * rng.NormFloat64()
		case 1:
			x[f] += 0.1 * rng.NormFloat64()
		case 2:
			x[f] += rng.NormFloat64()
		}
	}
	return x
}
