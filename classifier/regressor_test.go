package classifier_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/modelfile"
	"github.com/seed-1a7dc1f9/facet/internal/modelfile/models"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// drawRegressor draws a regressor of a few trees with thresholds on a grid, so that many fall
// together, and leaves of all sizes.
func drawRegressor(t testing.TB, rng *rand.Rand, dim, count, depth int) *classifier.Regressor {
	t.Helper()
	m := models.Model{
		Kind:       models.Regressor,
		Dim:        dim,
		Comparison: trees.Comparison(rng.IntN(4)),
		Link:       trees.Link(rng.IntN(4)),
	}
	if m.Vote.Rule = trees.Soft; rng.IntN(3) > 0 {
		m.Vote.Rule, m.Vote.Base = trees.Sum, []float64{rng.NormFloat64()}
	}
	m.Vote.Single = rng.IntN(2) == 0
	scale := math.Ldexp(1, rng.IntN(8)-4)
	for range count {
		var nodes []trees.Node
		var grow func(depth int) int
		grow = func(depth int) int {
			at := len(nodes)
			nodes = append(nodes, trees.Node{
				Left:  -1,
				Right: -1,
				Value: []float64{scale * rng.NormFloat64()},
			})
			if depth > 0 && rng.IntN(6) > 0 {
				nodes[at].Feature, nodes[at].Threshold, nodes[at].MissingLeft = rng.IntN(
					dim,
				), float64(rng.IntN(9)-4)/4, rng.IntN(2) == 0
				nodes[at].Left = grow(depth - 1)
				nodes[at].Right = grow(depth - 1)
			}
			return at
		}
		grow(depth)
		m.Trees = append(m.Trees, trees.Nodes(nodes))
	}
	var file bytes.Buffer
	if err := modelfile.Write(&file, &m); err != nil {
		t.Fatal(err)
	}
	r, err := classifier.Read[*classifier.Regressor](&file, classifier.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// drawInput draws an input on thresholds, beside them, between them, or missing.
func drawInput(rng *rand.Rand, dim int) []float64 {
	x := make([]float64, dim)
	for j := range x {
		switch v := float64(rng.IntN(9)-4) / 4; rng.IntN(8) {
		case 0:
			x[j] = math.NaN()
		case 1, 2:
			x[j] = math.Nextafter(v, math.Inf(rng.IntN(2)*2-1))
		case 3, 4:
			x[j] = v + 0.1*rng.NormFloat64()
		default:
			x[j] = v
		}
	}
	return x
}

// TestAbove: label 1 is predicted just where the output reaches the threshold, to the last bit:
// thresholds are outputs, the numbers beside them, and anything.
func TestAbove(t *testing.T) {
	labels := [2]int{}
	for number := range uint64(racetest.Count(2000, 50000)) {
		rng := rand.New(rand.NewPCG(number, 51))
		const dim = 2
		r := drawRegressor(t, rng, dim, 1+rng.IntN(5), rng.IntN(4))
		output := r.Predict(drawInput(rng, dim))
		for _, threshold := range []float64{
			output, math.Nextafter(output, math.Inf(1)), math.Nextafter(output, math.Inf(-1)),
			rng.NormFloat64(), -1e300, math.Inf(1), math.Inf(-1),
		} {
			above, err := r.Above(threshold)
			if err != nil {
				t.Fatalf("instance %d: Above(%v): %v", number, threshold, err)
			}
			for range 8 {
				x := drawInput(rng, dim)
				want := 0
				if r.Predict(x) >= threshold {
					want = 1
				}
				labels[want]++
				if got := above.Predict(x); got != want {
					t.Fatalf("instance %d: x %v, output %v, threshold %v: label %d, want %d; %v",
						number, x, r.Predict(x), threshold, got, want, above.Options())
				}
			}
		}
	}
	if min(labels[0], labels[1]) < 10000 && !racetest.Enabled {
		t.Errorf("labels %v: too few of one", labels)
	}
}

// TestChanges: the two classifiers say where the output, a float64, lies beyond output ± delta,
// which are real numbers.
func TestChanges(t *testing.T) {
	changed := 0
	for number := range uint64(racetest.Count(2000, 50000)) {
		rng := rand.New(rand.NewPCG(number, 52))
		const dim = 2
		r := drawRegressor(t, rng, dim, 1+rng.IntN(5), rng.IntN(4))
		x := drawInput(rng, dim)
		output := r.Predict(x)
		for _, delta := range []float64{
			0, math.Abs(rng.NormFloat64()), math.Abs(r.Predict(drawInput(rng, dim)) - output),
		} {
			smaller, larger, err := r.Changes(x, delta)
			if err != nil {
				t.Fatal(err)
			}
			for range 8 {
				z := drawInput(rng, dim)
				off := exactly(r.Predict(z))
				off.Sub(off, exactly(output))
				below, beyond := off.Cmp(exactly(-delta)) < 0, off.Cmp(exactly(delta)) > 0
				if below || beyond {
					changed++
				}
				if (smaller.Predict(z) == 0) != below || (larger.Predict(z) == 1) != beyond {
					t.Fatalf("instance %d: output %v, then %v, delta %v: labels %d and %d",
						number, output, r.Predict(z), delta, smaller.Predict(z), larger.Predict(z))
				}
			}
		}
	}
	if changed < 5000 && !racetest.Enabled {
		t.Errorf("%d outputs changed", changed)
	}
}

// exactly returns a number as a fraction.
func exactly(v float64) *big.Rat { return new(big.Rat).SetFloat64(v) }

// TestRegressorOptions: senseless options are refused.
func TestRegressorOptions(t *testing.T) {
	r := drawRegressor(t, rand.New(rand.NewPCG(1, 53)), 2, 2, 2)
	if _, err := r.Above(math.NaN()); !errors.Is(err, classifier.ErrOption) {
		t.Errorf("Above(NaN): %v", err)
	}
	for _, delta := range []float64{-1, math.NaN(), math.Inf(1)} {
		if _, _, err := r.Changes([]float64{0, 0}, delta); !errors.Is(err, classifier.ErrOption) {
			t.Errorf("Changes by %v: %v", delta, err)
		}
	}
	for _, x := range [][]float64{nil, {0}, {0, math.Inf(1)}} {
		if _, _, err := r.Changes(x, 1); err == nil {
			t.Errorf("Changes from %v are found", x)
		}
	}
	for _, leaf := range []string{"1e200", "-1e200"} {
		const file = `{"format":"facet-model","version":1,"kind":"regressor","n_features":1,"comparison":"x <= t","vote":"sum","link":"signed-square",
			"trees":[{"feature":[0],"threshold":[0],"left":[-1],"right":[-1],"value":[[%s]]}]}`
		r, err := classifier.Read[*classifier.Regressor](strings.NewReader(fmt.Sprintf(file, leaf)),
			classifier.ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := r.Changes([]float64{0}, 1); !errors.Is(err, classifier.ErrOption) {
			t.Errorf("Changes from %v: %v", r.Predict([]float64{0}), err)
		}
	}
}

// TestReadRegressor: regressors and classifiers are told apart, and errors name the mistake.
func TestReadRegressor(t *testing.T) {
	leaf := func(kind, more string) string {
		return fmt.Sprintf(`{"format":"facet-model","version":1,"kind":%q,"n_features":1,`+
			`"comparison":"x <= `+
			`t",%s"trees":[{"feature":[0],"threshold":[0],"left":[-1],"right":[-1],`+
			`"value":[[2]]}]}`, kind, more)
	}
	r, err := classifier.Read[*classifier.Regressor](
		strings.NewReader(leaf("regressor", `"vote":"sum","base":[1],`)), classifier.ReadOptions{},
	)
	if err != nil || r.Predict([]float64{0}) != 3 || r.Dim() != 1 ||
		classifier.NamesOf(r).Features != nil {
		t.Fatalf("%v, %v", r, err)
	}
	file := strings.NewReader(leaf("regressor", `"vote":"sum",`))
	_, err = classifier.Read[classifier.Classifier](file, classifier.ReadOptions{})
	if !errors.Is(err, errors.ErrUnsupported) ||
		!strings.Contains(err.Error(), "Read[*Regressor]") {
		t.Errorf("Read: %v", err)
	}
	for file, want := range map[string]string{
		leaf("ensemble", `"vote":"sum",`):                                      "and no regressor",
		leaf("regressor", `"vote":"hard",`):                                    "vote",
		leaf("regressor", ``):                                                  "vote",
		leaf("regressor", `"vote":"sum","link":"log",`):                        "link",
		leaf("regressor", `"vote":"sum","classes":[0,1],`):                     "classes",
		leaf("regressor", `"vote":"soft","base":[1],`):                         "base",
		leaf("regressor", `"vote":"sum","base":[1e308],`):                      "overflow",
		strings.Replace(leaf("regressor", `"vote":"sum",`), "2]]", "2,3]]", 1): "values",
		"nonsense": "JSON",
	} {
		_, err := classifier.Read[*classifier.Regressor](strings.NewReader(file),
			classifier.ReadOptions{})
		if !errors.Is(err, classifier.ErrModel) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want one about %q", file, err, want)
		}
	}
}

// TestSaveRegressor: a regressor saved and read has the same outputs, and is saved the same.
func TestSaveRegressor(t *testing.T) {
	for number := range uint64(200) {
		rng := rand.New(rand.NewPCG(number, 54))
		r := drawRegressor(t, rng, 2, 1+rng.IntN(4), 3)
		var first, second bytes.Buffer
		if err := classifier.Save(&first, r); err != nil {
			t.Fatal(err)
		}
		text := first.String()
		again, err := classifier.Read[*classifier.Regressor](&first, classifier.ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for range 20 {
			x := drawInput(rng, 2)
			if a, b := r.Predict(x), again.Predict(x); a != b {
				t.Fatalf("instance %d: %v, then %v", number, a, b)
			}
		}
		if err := classifier.Save(&second, again); err != nil || second.String() != text {
			t.Fatalf("instance %d: saved otherwise: %v", number, err)
		}
	}
}

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
