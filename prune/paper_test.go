package prune

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/internal/dataset"
	"github.com/seed-1a7dc1f9/facet/internal/numpyrand"
)

// paperCase is what is known about one set of the paper from an
// independent implementation. The file for halfmoon, generated data, is in
// testdata.
type paperCase struct {
	Pruned map[string]struct {
		Separation float64 // 2R
		Keep       []int   // positions in the training part
		Edges      int
		Matching   int
	}
}

func readPaperCase(t *testing.T, path string) paperCase {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var c paperCase
	if err := json.Unmarshal(text, &c); err != nil {
		t.Fatal(err)
	}
	return c
}

// halfmoon returns the paper's generated set.
func halfmoon(t testing.TB) *dataset.Set {
	t.Helper()
	set, err := dataset.Moons(2200, 0.25, numpyrand.New(0))
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// trainingPart applies the paper's protocol: the training part of a set, in the
// order of the split and scaled, with labels 0 and 1.
func trainingPart(t testing.TB, set *dataset.Set) (*mat.Dense, []int) {
	t.Helper()
	rows, _, err := dataset.Split(set.Rows, 200, numpyrand.New(0))
	if err != nil {
		t.Fatal(err)
	}
	train := set.Select(rows)
	scaling, err := dataset.FitMinMax(train)
	if err != nil {
		t.Fatal(err)
	}
	train, err = scaling.Apply(train)
	if err != nil {
		t.Fatal(err)
	}
	y, err := dataset.ClassIndices(train.Labels, dataset.Classes(train))
	if err != nil {
		t.Fatal(err)
	}
	return mat.NewDense(train.Rows, train.Dim, train.Data), y
}

// checkPaper compares pruned rows, conflicts and matching at the paper's three
// separations.
func checkPaper(t *testing.T, set *dataset.Set, want paperCase) {
	x, y := trainingPart(t, set)
	if len(want.Pruned) != 3 {
		t.Fatalf("%d separations in the fixture, want 3", len(want.Pruned))
	}
	for name, want := range want.Pruned {
		t.Run(name, func(t *testing.T) {
			in := &instance{x: x, y: y, radius: want.Separation / 2}
			keep, err := in.adversarial().Prune(t.Context(), x, y)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(keep, want.Keep) {
				t.Errorf("kept %d rows %v, want %d: %v", len(keep), keep, len(want.Keep), want.Keep)
			}
			c := in.find(t, 2)
			if got := c.graph.Edges(); got != want.Edges {
				t.Errorf("%d edges, want %d", got, want.Edges)
			}
			m, _, err := c.resolve(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if m.Size != want.Matching {
				t.Errorf("matching of %d, want %d", m.Size, want.Matching)
			}
		})
	}
}

func TestHalfmoon(t *testing.T) {
	want := readPaperCase(t, "testdata/halfmoon.json")
	checkPaper(t, halfmoon(t), want)
	for name, kept := range map[string]int{"0.1": 1702, "0.3": 1144, "0.5": 1004} {
		if got := len(want.Pruned[name].Keep); got != kept {
			t.Errorf("fixture keeps %d rows at %s, want %d", got, name, kept)
		}
	}
}

func TestPaperSets(t *testing.T) {
	folder := os.Getenv("FACET_DATA")
	if folder == "" {
		t.Skip("FACET_DATA is not set: it names the folder of the data sets, with ../fixtures beside it")
	}
	files := map[string]string{
		"australian": "australian",
		"cancer":     "breast-cancer",
		"diabetes":   "diabetes",
		"fourclass":  "fourclass",
	}
	for name, file := range files {
		t.Run(name, func(t *testing.T) {
			sets, err := dataset.Load(0, dataset.Source{Path: filepath.Join(folder, file)})
			if err != nil {
				t.Fatal(err)
			}
			checkPaper(t, sets[0], readPaperCase(t, filepath.Join(folder, "..", "fixtures", "splits", name+".json")))
		})
	}
}
