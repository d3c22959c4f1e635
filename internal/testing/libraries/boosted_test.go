package libraries

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
)

// TestXGBoost: XGBoost's labels, and its margins to the last bit, are those of the file that it
// wrote, as UBJSON and as JSON, and it confirms exact adversarial examples.
func TestXGBoost(t *testing.T) {
	t.Parallel()
	for seed := range racetest.Count(1, 20) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			checkBoosted(t, "../../../tools/libraries/make_xgboost.py", ".ubj", seed+2)
		})
	}
}

// TestLightGBM: the same of LightGBM, its text, and its dumps.
func TestLightGBM(t *testing.T) {
	t.Parallel()
	for seed := range racetest.Count(1, 20) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			checkBoosted(t, "../../../tools/libraries/make_lightgbm.py", ".txt", seed+2)
		})
	}
}

// checkBoosted reads models that a script writes with one ending, and as JSON.
func checkBoosted(t *testing.T, script, ending string, seed int) {
	folder, all := made(t, script, ending, seed)
	rows := make(map[string][][]float64)
	for _, m := range all {
		rows[m.name] = m.rows(racetest.Count(300, 2000))
		other := read(t, filepath.Join(folder, m.name+".json"))
		for _, x := range rows[m.name] {
			if got, want := other.margins(x), m.margins(x); !slices.Equal(got, want) ||
				other.votes.Predict(x) != m.votes.Predict(x) {
				t.Fatalf("%s: %v has margins %v as JSON, and %v", m.name, x, got, want)
			}
		}
	}
	checkAnswers(t, script, folder, all, rows)
}

// checkAnswers compares margins, labels and examples with those of the library.
func checkAnswers(
	t *testing.T, script, folder string, all []model, rows map[string][][]float64,
) {
	answers := ask(t, script, folder, rows)
	for _, m := range all {
		for i, x := range rows[m.name] {
			got := m.margins(x)
			if want := answers[m.name]; m.votes.Predict(x) != m.label(want, i) ||
				!slices.Equal(got, want.Margins[i]) {
				t.Fatalf("%s: %v has label %d and margins %v, the library says %d and %v",
					m.name, x, m.votes.Predict(x), got, m.label(want, i), want.Margins[i])
			}
		}
	}
	confirm(t, script, folder, all, racetest.Count(3, 34))
}
