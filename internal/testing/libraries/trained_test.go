package libraries

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/python"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
)

// TestTrainedForXGBoost: XGBoost loads the files that SaveXGBoost writes of boosted trees that were
// trained here, and has their margins to the last bit.
func TestTrainedForXGBoost(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	for _, classes := range []int{2, 3} {
		x, y := mat.NewDense(300, 4, nil), make([]int, 300)
		for i := range y {
			y[i] = rng.IntN(classes)
			for j := range 4 {
				x.Set(i, j, rng.Float64()+float64(y[i])*0.3)
			}
		}
		e, err := classifier.TrainBoosted(t.Context(), x, y, classifier.BoostedOptions{
			Rounds: 20, Depth: 4, Reach: []classifier.Reach{{}, {Down: 0.1}, {Up: 0.2}, {}},
		})
		if err != nil {
			t.Fatal(err)
		}
		rows := make([][]float64, racetest.Count(2000, 10000))
		for i := range rows {
			for range 4 {
				rows[i] = append(rows[i], 2*rng.Float64()-0.2)
			}
		}
		for i, node := range e.Tree(0).Nodes() { // on thresholds, too
			if node.Left >= 0 {
				rows[i][node.Feature] = node.Threshold
			}
		}
		path := filepath.Join(t.TempDir(), "trained.json")
		file, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := classifier.SaveXGBoost(file, e); err != nil {
			t.Fatal(err)
		}
		if err := file.Close(); err != nil {
			t.Fatal(err)
		}
		question, err := json.Marshal(rows)
		if err != nil {
			t.Fatal(err)
		}
		var want [][]float64
		answer := python.Run(t, "testdata/margins.py", question, path)
		if err := json.Unmarshal(answer, &want); err != nil {
			t.Fatal(err)
		}
		for i, x := range rows {
			got := e.Scores(x)
			if classes == 2 {
				got = got[1:]
			}
			if !slices.Equal(got, want[i]) {
				t.Fatalf("%d classes: the margins of %v are %v, XGBoost's %v",
					classes, x, got, want[i])
			}
		}
	}
}
