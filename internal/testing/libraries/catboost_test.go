package libraries

import (
	"fmt"
	"slices"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
)

// TestCatBoost: CatBoost's labels, and its margins to the last bit, are those of the file that
// it wrote, and it confirms exact adversarial examples.
func TestCatBoost(t *testing.T) {
	t.Parallel()
	for seed := range racetest.Count(1, 20) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { checkCatBoost(t, seed+2) })
	}
}

func checkCatBoost(t *testing.T, seed int) {
	const script = "../../../docs/models/make_catboost.py"
	folder, all := made(t, script, ".json", seed)
	rows := make(map[string][][]float64)
	for _, m := range all {
		rows[m.name] = m.rows(racetest.Count(300, 2000))
	}
	answers := ask(t, script, folder, rows)
	for _, m := range all {
		for i, x := range rows[m.name] {
			got := m.margins(x)
			if want := answers[m.name]; m.votes.Predict(x) != m.label(want, i) ||
				!slices.Equal(got, want.Margins[i]) {
				t.Fatalf("%s: %v has label %d and margins %v, CatBoost says %d and %v",
					m.name, x, m.votes.Predict(x), got, m.label(want, i), want.Margins[i])
			}
		}
	}
	confirm(t, script, folder, all, racetest.Count(3, 34))
}
