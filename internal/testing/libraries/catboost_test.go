package libraries

import (
	"fmt"
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
	const script = "../../../tools/libraries/make_catboost.py"
	folder, all := made(t, script, ".json", seed)
	rows := make(map[string][][]float64)
	for _, m := range all {
		rows[m.name] = m.rows(racetest.Count(300, 2000))
	}
	checkAnswers(t, script, folder, all, rows)
}
