package report

import (
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/examples/internal/tabular"
)

// wholes says of each feature whether it holds whole numbers in all rows, so that an example with
// another one is an input that no row is.
func (p *page) wholes() []bool {
	whole := make([]bool, len(p.names))
	for j := range whole {
		whole[j] = !p.category(j)
	}
	for _, a := range p.answers {
		for j, v := range p.Row(a.Row) {
			if _, word := v.Word(); word || v.Number != math.Trunc(v.Number) {
				whole[j] = false
			}
		}
	}
	return whole
}

// held moves the numbers of an example that are not whole, of features that are, to the next beyond
// that a row can hold. It returns the example as it is where all numbers fit, where rules or a box
// define the inputs, or where the model's prediction differs there.
func (s *Source) held(x []tabular.Value, a *answer, whole []bool) []tabular.Value {
	if s.Predict == nil || s.Meta.Inputs["costs"].Path != "" || s.Meta.Flags["domain"] != "" ||
		s.Meta.Inputs["domain"].Path != "" {
		return a.Adversarial
	}
	moved, input, any := slices.Clone(a.Adversarial), make([]float64, len(x)), false
	for j := range moved {
		v := &moved[j]
		if whole[j] && v.Number != math.Trunc(v.Number) {
			any = true
			if v.Number > x[j].Number {
				v.Number = math.Ceil(v.Number)
			} else {
				v.Number = math.Floor(v.Number)
			}
		}
		if input[j] = v.Number; s.Words != nil {
			if word, named := v.Word(); named {
				input[j] = float64(slices.Index(s.Words[j], word))
			}
		}
	}
	if !any || a.AdversarialLabel == nil || s.Predict(input) != *a.AdversarialLabel {
		return a.Adversarial
	}
	return moved
}
