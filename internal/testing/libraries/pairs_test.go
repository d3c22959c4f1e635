package libraries

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack/property"
)

// TestPairs: the libraries confirm the labels, and margins to the last bit, of pairs that differ in
// one feature alone.
func TestPairs(t *testing.T) {
	t.Parallel()
	for _, library := range []struct{ script, ending string }{
		{"../../../docs/models/make_xgboost.py", ".ubj"},
		{"../../../docs/models/make_lightgbm.py", ".txt"},
	} {
		folder, all := made(t, library.script, library.ending, 5)
		pairs, labels := make(map[string][][]float64), make(map[string][]int)
		flips := 0
		for _, m := range all {
			for _, r := range m.pairs(t) {
				pairs[m.name] = append(pairs[m.name], r.X, r.Other)
				labels[m.name] = append(labels[m.name], r.Labels[:]...)
				if r.Labels[0] != r.Labels[1] {
					flips++
				}
			}
		}
		if flips < 10 {
			t.Errorf("%s: %d flips", library.script, flips)
		}
		answers := ask(t, library.script, folder, pairs)
		for _, m := range all {
			for i, x := range pairs[m.name] {
				answer, want := answers[m.name], labels[m.name][i]
				if got := m.label(answer, i); got != want ||
					!slices.Equal(answer.Margins[i], m.margins(x)) {
					t.Errorf("%s: %v has label %d and margins %v, the library says %d and %v",
						m.name, x, want, m.margins(x), got, answer.Margins[i])
				}
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
