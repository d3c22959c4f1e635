package libraries

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/internal/testing/python"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// TestManyCodes: models over categories of up to 1000 codes take little memory to read, and have
// exact answers and counterfactuals, which the library confirms.
func TestManyCodes(t *testing.T) {
	const script = "../../../tools/libraries/make_categories.py"
	folder := t.TempDir()
	seed := "1"
	if racetest.Count(1, 2) == 2 {
		seed = "100"
	}
	python.Run(t, script, nil, "make", folder, seed)
	text, err := os.ReadFile(filepath.Join(folder, "rows.json"))
	if err != nil {
		t.Fatal(err)
	}
	var rows map[string][][]float64
	if err := json.Unmarshal(text, &rows); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{
		"two_xgboost.ubj", "two_lightgbm.txt", "two_catboost.json",
		"four_xgboost.ubj", "four_lightgbm.txt", "four_catboost.json",
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		m := read(t, filepath.Join(folder, name))
		if runtime.ReadMemStats(&after); after.TotalAlloc-before.TotalAlloc > 300<<20 {
			t.Errorf("%s: %d bytes to read", name, after.TotalAlloc-before.TotalAlloc)
		}
		kind, _, _ := strings.Cut(name, "_")
		checkManyCodes(t, script, folder, &m, rows[kind][:racetest.Count(5, 50)])
	}
}

// checkManyCodes attacks rows, which the library labels, too.
func checkManyCodes(t *testing.T, script, folder string, m *model, rows [][]float64) {
	t.Helper()
	inputs, labels := slices.Clone(rows), []int(nil)
	for _, x := range rows {
		labels = append(labels, m.votes.Predict(x))
	}
	add := func(r attack.Result) {
		if !r.Optimal() || r.Example == nil {
			t.Errorf("%s: %+v", m.name, r)
			return
		}
		inputs, labels = append(inputs, r.Example), append(labels, r.Label)
	}
	for _, norm := range []polytope.Norm{polytope.LInf, polytope.L1} {
		rba := &attack.RegionBased{Classifier: m.votes, Options: attack.Options{Norm: norm}}
		for _, x := range rows {
			r, err := rba.Perturb(t.Context(), x)
			if err != nil {
				t.Fatalf("%s: %v", m.name, err)
			}
			add(r)
		}
	}
	rba := &attack.RegionBased{Classifier: m.votes, Options: attack.Options{Norm: polytope.L1}}
	for _, x := range rows {
		all, err := rba.Counterfactuals(t.Context(), x, 3)
		if err != nil {
			t.Fatalf("%s: %v", m.name, err)
		}
		for _, r := range all.Found {
			add(r)
		}
	}
	answers := ask(t, script, folder, map[string][][]float64{m.name: inputs})[m.name]
	for i, label := range labels {
		if got := m.label(answers, i); got != label {
			t.Errorf("%s: %v has label %d, and %d as the library has it",
				m.name, inputs[i], label, got)
		}
	}
}
