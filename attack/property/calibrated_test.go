package property

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack/proof"
	"github.com/seed-1a7dc1f9/facet/classifier"
)

// calibratedFile is a vote of one tree whose sum, 0, 1 or 2, becomes a probability by a curve.
const calibratedFile = `{"format":"facet-model","version":1,"kind":"ensemble","n_features":1,
	"classes":[0,1],"comparison":"x <= t","vote":"sum","base":[0.5,0],"probability":"calibrated",
	"curve":{%s},"trees":[{"feature":[0,-2,0,-2,-2],"threshold":[1,0,2,0,0],
	"left":[1,-1,3,-1,-1],"right":[2,-1,4,-1,-1],"value":[[0,0],[0,0],[0,0],[0,1],[0,2]]}]}`

// TestCalibrated: the range of a probability that a calibration makes is that of the curve, with
// the label of each end, and a saved model says the same. How much such probabilities differ is not
// asked.
func TestCalibrated(t *testing.T) {
	for curve, want := range map[string][3]float64{
		`"divisor":2,"scale":1,"x":[0.25,0.75],"y":[0.1,0.9]`: {0.1, 0.5, 0.9},
		`"divisor":1,"scale":2,"slope":-1,"intercept":2`: {
			1 / (1 + math.Exp(2)), 0.5, 1 / (1 + math.Exp(-2))},
	} {
		text := strings.NewReader(fmt.Sprintf(calibratedFile, curve))
		m, err := classifier.Read[*classifier.Ensemble](text, classifier.ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		var saved bytes.Buffer
		if err := classifier.Save(&saved, m); err != nil {
			t.Fatal(err)
		}
		if m, err = classifier.Read[*classifier.Ensemble](
			&saved, classifier.ReadOptions{}); err != nil {
			t.Fatal(err)
		}
		of, err := m.Probabilities()
		if err != nil {
			t.Fatal(err)
		}
		for i, x := range []float64{0, 1.5, 3} {
			p := of([]float64{x})
			if math.Abs(p[1]-want[i]) > 1e-15 || p[0] != 1-p[1] {
				t.Errorf("%s: probabilities of %v are %v, want %v", curve, x, p, want[i])
			}
			for class := range 2 {
				r, err := m.Probability(class)
				if err != nil || r.Predict([]float64{x}) != p[class] {
					t.Errorf("%s: Probability(%d) is %v, %v", curve, class, r, err)
				}
			}
		}
		least, most, err := Range(t.Context(), m, Options{Probability: true})
		if err != nil || math.Abs(least.Bound-want[0]) > 1e-12 ||
			math.Abs(most.Bound-want[2]) > 1e-12 || least.Label != 0 || most.Label != 1 ||
			most.Output != of(most.X)[1] {
			t.Errorf("%s: range %+v to %+v, %v", curve, least, most, err)
		}
		_, err = Depends(t.Context(), m, []int{0}, Options{Probability: true})
		if !errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("%s: differences: %v", curve, err)
		}
		w := proof.NewWriter(new(bytes.Buffer))
		_, _, err = Range(t.Context(), m, Options{Probability: true, Proof: w})
		if !errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("%s: a proof of a range: %v", curve, err)
		}
	}
	for _, curve := range []string{
		``, `"divisor":2,"scale":1,"x":[0,1],"y":[1,0]`, `"divisor":0,"scale":1`,
		`"divisor":1,"scale":1,"slope":1`, `"divisor":1,"scale":1,"steep":1`,
	} {
		text := strings.NewReader(fmt.Sprintf(calibratedFile, curve))
		_, err := classifier.Read[*classifier.Ensemble](text, classifier.ReadOptions{})
		if !errors.Is(err, classifier.ErrModel) {
			t.Errorf("curve %s: %v", curve, err)
		}
	}
}
