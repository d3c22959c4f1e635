package libraries

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/python"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// TestNeighbours: KNeighborsClassifier has the labels of the exported model, and confirms
// adversarial examples. With algorithm="brute" it loses digits of distances, so that only rows are
// compared, which do not lie on borders.
func TestNeighbours(t *testing.T) {
	t.Parallel()
	for seed := range racetest.Count(1, 20) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { checkNeighbours(t, seed) })
	}
}

func checkNeighbours(t *testing.T, seed int) {
	const script = "../../../tools/libraries/make_sklearn.py"
	folder, rng := t.TempDir(), rand.New(rand.NewPCG(uint64(seed), 1))
	python.Run(t, script, nil, "neighbours", folder, fmt.Sprint(seed))
	paths, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil || len(paths) < 3 {
		t.Fatalf("%d models, %v", len(paths), err)
	}
	rows, labels := make(map[string][][]float64), make(map[string][]int)
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".json")
		file, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		c, err := classifier.Read[classifier.Classifier](file, classifier.ReadOptions{})
		file.Close()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for i := range racetest.Count(300, 2000) {
			x := []float64{rng.NormFloat64(), rng.NormFloat64()}
			rows[name], labels[name] = append(rows[name], x), append(labels[name], c.Predict(x))
			if i < racetest.Count(5, 34) && !strings.HasSuffix(name, "brute") {
				for _, norm := range []polytope.Norm{polytope.LInf, polytope.L1, polytope.L2} {
					rba := &attack.RegionBased{Classifier: c, Options: attack.Options{Norm: norm}}
					r, err := rba.Perturb(t.Context(), x)
					if err != nil {
						t.Fatalf("%s: %v", name, err)
					}
					rows[name], labels[name] = append(rows[name], r.Example), append(labels[name],
						r.Label)
				}
			}
		}
	}
	for name, answer := range ask(t, script, folder, rows) {
		for i, x := range rows[name] {
			if got := answer.Labels[i]; got != labels[name][i] {
				t.Errorf("%s: %v has label %d, and %d as scikit-learn has it",
					name, x, labels[name][i], got)
			}
		}
	}
}
