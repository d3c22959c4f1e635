package libraries

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack/property"
)

// TestPairs: the libraries confirm the labels, and outputs to the last bit but for exponentials of
// scikit-learn and averages of averages, of pairs that differ in
// one feature alone; onnxruntime those of conversions.
func TestPairs(t *testing.T) {
	t.Parallel()
	for _, library := range []struct{ script, ending string }{
		{"../../../tools/libraries/make_xgboost.py", ".ubj"},
		{"../../../tools/libraries/make_lightgbm.py", ".txt"},
		{"../../../tools/libraries/make_catboost.py", ".json"},
		{"../../../tools/libraries/make_sklearn.py", ".json"},
		{"../../../tools/libraries/make_onnx.py", ".onnx"},
	} {
		t.Run(library.ending+" "+library.script, func(t *testing.T) {
			checkPairs(t, library.script, library.ending)
		})
	}
}

func checkPairs(t *testing.T, script, ending string) {
	folder, all := made(t, script, ending, 2)
	pairs, labels := make(map[string][][]float64), make(map[string][]int)
	flips := 0
	for _, m := range all {
		if m.regressor != nil {
			continue
		}
		for _, r := range m.pairs(t) {
			pairs[m.name] = append(pairs[m.name], r.X, r.Other)
			labels[m.name] = append(labels[m.name], r.Labels[:]...)
			if r.Labels[0] != r.Labels[1] {
				flips++
			}
		}
	}
	if flips < 10 {
		t.Errorf("%d flips", flips)
	}
	answers := ask(t, script, folder, pairs)
	for _, m := range all {
		for i, x := range pairs[m.name] {
			answer, want := answers[m.name], labels[m.name][i]
			out, same := m.margins(x), slices.Equal[[]float64]
			switch ending {
			case ".onnx":
				for c, v := range out {
					out[c] = float64(float32(v)) // onnxruntime returns no more of sums in double
				}
				same = m.alike
			case ".json":
				out = m.decision(x, len(answer.Margins[i]))
				same = func(a, b []float64) bool { return slices.EqualFunc(a, b, m.same) }
			}
			if got := m.label(answer, i); got != want || !same(out, answer.Margins[i]) {
				t.Errorf("%s: %v has label %d and margins %v, the library says %d and %v",
					m.name, x, want, out, got, answer.Margins[i])
			}
		}
	}
}

// pairs returns the pairs of most different outputs, and of two labels, by feature.
func (m *model) pairs(t *testing.T) (found []property.Result) {
	t.Helper()
	for feature := range m.votes.Dim() {
		for _, labels := range []bool{false, true} {
			r, err := property.Depends(t.Context(), m.votes, []int{feature},
				property.Options{Labels: labels, MaxNodes: 500})
			if errors.Is(err, errors.ErrUnsupported) {
				return nil // it tests sets
			}
			if err != nil {
				t.Fatalf("%s: %v", m.name, err)
			}
			if r.X == nil {
				continue
			}
			found = append(found, r)
			for j := range r.X {
				if j != feature && math.Float64bits(r.X[j]) != math.Float64bits(r.Other[j]) {
					t.Errorf("%s: %v and %v differ in %d", m.name, r.X, r.Other, j)
				}
			}
		}
	}
	return found
}
