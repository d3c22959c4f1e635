package libraries

import (
	"fmt"
	"slices"
	"testing"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
)

// TestScikitLearn: scikit-learn's labels, and its probabilities or sums to the last bit but for
// exponentials and averages of averages, are those of the exported model, and it confirms exact
// adversarial examples.
func TestScikitLearn(t *testing.T) {
	t.Parallel()
	for seed := range racetest.Count(1, 20) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { checkScikitLearn(t, seed+2) })
	}
}

func checkScikitLearn(t *testing.T, seed int) {
	const script = "../../../tools/libraries/make_sklearn.py"
	folder, all := made(t, script, ".json", seed)
	rows := make(map[string][][]float64)
	for _, m := range all {
		rows[m.name] = m.rows(racetest.Count(300, 2000))
		for _, x := range rows[m.name] {
			for f, v := range x { // scikit-learn refuses numbers that no float32 holds, scaled too
				x[f] = min(max(v, -1e30), 1e30)
			}
		}
	}
	answers := ask(t, script, folder, rows)
	for _, m := range all {
		for i, x := range rows[m.name] {
			want := answers[m.name]
			got := m.decision(x, len(want.Margins[i]))
			// Where an output differs in the last place it may lie on the other side of the middle.
			same := slices.EqualFunc(got, want.Margins[i], m.same)
			if same && m.regressor != nil && m.unit() > 0 {
				continue
			}
			if !same || m.votes.Predict(x) != m.label(want, i) {
				t.Errorf("%s: %v has label %d and margins %v, scikit-learn says %d and %v",
					m.name, x, m.votes.Predict(x), got, m.label(want, i), want.Margins[i])
				break
			}
		}
	}
	exponentials, others := divided(all, (*model).exponential)
	confirm(t, script, folder, others, racetest.Count(3, 34))
	confirmRegressors(t, script, folder, exponentials)
}

// divided returns the models that are so, and the others.
func divided(all []model, so func(*model) bool) (those, others []model) {
	for _, m := range all {
		if so(&m) {
			those = append(those, m)
		} else {
			others = append(others, m)
		}
	}
	return those, others
}

// decision returns scikit-learn's probabilities or decisions, so many numbers.
func (m *model) decision(x []float64, numbers int) []float64 {
	if m.regressor != nil {
		return []float64{m.regressor.Predict(x)}
	}
	sums, opts := m.votes.Scores(x), m.votes.Options()
	if opts.Vote == classifier.SoftVote {
		divisor := opts.Divisor
		if divisor == 0 {
			divisor = float64(m.votes.Len())
		}
		for c := range sums {
			sums[c] /= divisor
		}
	}
	switch {
	case numbers == 0:
		return nil
	case numbers == 1 && opts.Vote == classifier.SoftVote: // AdaBoost
		return []float64{sums[1] - sums[0]}
	case numbers == 1:
		return sums[1:]
	}
	return sums
}
