package property_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack/proof"
	"github.com/seed-1a7dc1f9/facet/attack/property"
	"github.com/seed-1a7dc1f9/facet/classifier"
)

// grown is two trees of one test each, of feature 0 and of feature 1, with these leaves.
func grown(vote string, a, b, c, d string) string {
	tree := func(feature, left, right string) string {
		return `{"feature": [` + feature + `, -1, -1], "threshold": [0, 0, 0],
			"left": [1, -1, -1], "right": [2, -1, -1], "value": [` + left + `, ` + left + `, ` +
			right + `]}`
	}
	return `{"format": "facet-model", "version": 1, "kind": "ensemble", "n_features": 2,
		"comparison": "x <= t", ` + vote + `, "trees": [` + tree("0", a, b) + `, ` +
		tree("1", c, d) + `]}`
}

// TestProbabilitiesAnywhere: ranges of probabilities, and how much features change them, are those
// of the library's predictions at all four kinds of inputs.
func TestProbabilitiesAnywhere(t *testing.T) {
	three := []string{"[3, 0, -1]", "[-1, 2, 0]", "[0, 0.5, 1]", "[1, 1, -2]"}
	two := []string{"[0, 1]", "[0, -3]", "[0, 0.25]", "[0, 2]"}
	frequencies := []string{"[0.25, 0.75]", "[1, 0]", "[0.5, 0.5]", "[0, 1]"}
	for vote, leaves := range map[string][]string{
		`"vote": "soft", "divisor": 1.5, "probability": "softmax", "scale": 0.5`: three,
		`"vote": "sum", "probability": "softmax"`:                                three,
		`"vote": "sum", "probability": "one-by-one"`:                             three,
		`"vote": "sum", "base": [0.1, 0], "probability": "logistic", "scale": 3`: two,
		`"vote": "sum", "any_order": true, "probability": "folded"`:              two,
		`"vote": "soft", "probability": "softmax", "scale": 1`:                   two,
		`"vote": "soft"`: frequencies,
		`"vote": "sum", "base": [0.5, 0], "probability": "rest"`: {
			"[0, 0.25]", "[0, 0]", "[0, 0.125]", "[0, 0.75]",
		},
	} {
		t.Run(vote, func(t *testing.T) {
			text := grown(vote, leaves[0], leaves[1], leaves[2], leaves[3])
			c, err := classifier.Read[classifier.Classifier](strings.NewReader(text),
				classifier.ReadOptions{})
			if err != nil {
				t.Fatal(err)
			}
			e := c.(*classifier.Ensemble)
			for class := range e.Classes() {
				if e.Classes() > 2 || class == 1 {
					checkAnywhere(t, e, class)
				}
			}
		})
	}
}

func checkAnywhere(t *testing.T, e *classifier.Ensemble, class int) {
	of, err := e.Probabilities()
	if err != nil {
		t.Fatal(err)
	}
	opts := property.Options{Probability: true, Class: class}
	low, high, apart := 1.0, 0.0, 0.0
	for _, y := range []float64{-1, 1} {
		p, q := of([]float64{-1, y})[class], of([]float64{1, y})[class]
		low, high, apart = min(low, p, q), max(high, p, q), max(apart, math.Abs(p-q))
	}
	near := func(a, b float64) bool { return math.Abs(a-b) < 1e-11 }
	least, most, err := property.Range(t.Context(), e, opts)
	if err != nil || !near(least.Bound, low) || !near(most.Bound, high) ||
		!near(least.Output, low) || !near(most.Output, high) || most.Class != class {
		t.Errorf("class %d: from %+v to %+v, want %v to %v, %v", class, least, most, low, high, err)
	}
	r, err := property.Depends(t.Context(), e, []int{0}, opts)
	if err != nil || !near(r.Bound, apart) || !near(r.Difference, apart) {
		t.Errorf("class %d: %+v, want %v, %v", class, r, apart, err)
	}
}

// TestProbabilitiesThatAreNone: models without probabilities, and proofs of those that are made of
// other sums, are refused.
func TestProbabilitiesThatAreNone(t *testing.T) {
	text := grown(`"vote": "sum", "probability": "logistic", "scale": 3`,
		"[0, 1]", "[0, -3]", "[0, 0]", "[0, 2]")
	for vote, text := range map[string]string{
		"none":   strings.Replace(text, `"logistic", "scale": 3`, `"none"`, 1),
		"silent": strings.Replace(text, `, "probability": "logistic", "scale": 3`, "", 1),
		"scaled": text,
	} {
		c, err := classifier.Read[classifier.Classifier](strings.NewReader(text),
			classifier.ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		opts := property.Options{Probability: true}
		if vote == "scaled" {
			opts.Proof = new(proof.Writer)
		}
		_, _, err = property.Range(t.Context(), c.(*classifier.Ensemble), opts)
		if !errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("%s: %v, want it refused", vote, err)
		}
	}
}
