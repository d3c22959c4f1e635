package main

import (
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/dataset"
	"github.com/seed-1a7dc1f9/facet/internal/dataset/protocol"
	"github.com/seed-1a7dc1f9/facet/internal/numpyrand"
	"github.com/seed-1a7dc1f9/facet/internal/testing/fixture"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
)

// printed are the exact mean radii of 1-NN in the paper's Table 1.
var printed = map[string]float64{
	"australian": 0.151,
	"cancer":     0.137,
	"diabetes":   0.035,
	"fourclass":  0.090,
	"halfmoon":   0.058,
}

// writeSplit writes the unscaled rows of a set of the paper as its experiments split them.
func (f folder) writeSplit(name string) {
	f.t.Helper()
	rng := numpyrand.New(0)
	var set *dataset.Set
	if name == "halfmoon" {
		moons, err := dataset.Moons(2200, 0.25, rng)
		if err != nil {
			f.t.Fatal(err)
		}
		set = moons
	} else {
		paths, err := protocol.Find(name, os.Getenv("FACET_DATA"))
		if err != nil {
			f.t.Fatal(err)
		}
		if set, err = dataset.Load(f.t.Context(), paths[0]); err != nil {
			f.t.Fatal(err)
		}
	}
	train, test, err := dataset.Split(set.Rows, 200, numpyrand.New(0))
	if err != nil {
		f.t.Fatal(err)
	}
	f.write("train", tableOf(set.Select(train)).libsvm(1))
	f.write("test", tableOf(set.Select(test)).libsvm(1))
}

func tableOf(set *dataset.Set) table {
	t := make(table, set.Rows)
	for i := range t {
		t[i] = append([]float64{set.Labels[i]}, set.Row(i)...)
	}
	return t
}

// cell is one classifier of the paper on one set.
type cell struct {
	name      string // in the fixture of radii
	norm      string
	flags     []string
	attacked  []int
	accuracy  float64
	trainRows int
}

func cells(c fixture.Case, s fixture.Split) []cell {
	all := len(c.Set.TrainY)
	pruned := s.Pruned["0.3"]
	cells := []cell{
		{"1nn", "inf", []string{"--k", "1"}, s.Attacked["1nn"], s.Accuracy["1nn"], all},
		{"1nn", "1", []string{"--k", "1"}, s.Attacked["1nn"], s.Accuracy["1nn"], all},
		{"1nn", "2", []string{"--k", "1"}, s.Attacked["1nn"], s.Accuracy["1nn"], all},
		{"dt", "inf", []string{"--model", "tree"}, s.Attacked["dt"], s.Accuracy["dt"], all},
		{"dt_pruned30", "inf", []string{"--model", "tree", "--prune", "0.15"},
			pruned.Attacked["dt"], pruned.Accuracy["dt"], len(pruned.Keep)},
	}
	// Forests take long, minutes under the race detector.
	if few := c.Set.Name != "diabetes" && racetest.Count(0, 1) == 0; few || racetest.Enabled {
		return cells
	}
	return append(cells,
		cell{"rf", "inf", []string{"--model", "forest"}, s.Attacked["rf"], s.Accuracy["rf"], all},
		cell{"rf_pruned30", "inf", []string{"--model", "forest", "--prune", "0.15"},
			pruned.Attacked["rf"], pruned.Accuracy["rf"], len(pruned.Keep)},
	)
}

// TestPaper repeats the exact radii of the paper's sets on files of unscaled rows.
func TestPaper(t *testing.T) {
	fixture.Each(t, func(t *testing.T, c fixture.Case) {
		f := newFolder(t)
		f.writeSplit(c.Set.Name)
		exact := c.Exact(t)
		for _, cell := range cells(c, c.Split(t)) {
			t.Run(cell.name+"_"+cell.norm, func(t *testing.T) {
				want := exact[cell.name+"_"+cell.norm]
				if len(cell.attacked) != 100 || len(want) != 100 {
					t.Fatalf("%d rows and %d radii in the fixtures, want 100",
						len(cell.attacked), len(want))
				}
				f.write("rows",
					strings.Trim(strings.ReplaceAll(fmt.Sprint(cell.attacked), " ", "\n"), "[]"))
				flags := append(cell.flags, "--norm",
					cell.norm, "--scale", "minmax", "--rows", f.file("rows"))
				s := f.summaryOf(f.base(flags...)...)
				if s["accuracy"] != cell.accuracy || s["train_rows"] != float64(cell.trainRows) {
					t.Errorf("accuracy %v with %v training rows, want %v with %d",
						s["accuracy"], s["train_rows"], cell.accuracy, cell.trainRows)
				}
				checkRadii(t, f.attacked("out"), cell.attacked, want)
				if cell.name == "1nn" && cell.norm == "inf" {
					checkTable1(t, c.Set.Name, s)
				}
			})
		}
	})
}

func checkRadii(t *testing.T, lines []line, rows []int, want []float64) {
	t.Helper()
	of := make(map[int]line)
	for _, l := range lines {
		of[l.Row] = l
	}
	for i, row := range rows {
		l := of[row]
		if l.Status != "optimal" || math.Abs(*l.Distance-want[i]) > 1e-7 ||
			math.Abs(*l.Bound-want[i]) > 1e-7 {
			t.Errorf("row %d: %+v, want %v", row, l, want[i])
		}
	}
}

// checkTable1 compares a summary with the printed mean, and the work with the expected work.
func checkTable1(t *testing.T, name string, s map[string]any) {
	t.Helper()
	mean, _ := s["empirical_robustness"].(float64)
	bound, _ := s["mean_bound"].(float64)
	if want := printed[name]; math.Abs(mean-want) > 0.0015 || math.Abs(bound-want) > 0.0015 {
		t.Errorf("mean distance %v, mean bound %v, want %v", mean, bound, want)
	}
	solves, _ := s["solves"].(float64)
	if (name == "australian" || name == "diabetes" || name == "halfmoon") && solves > 800 {
		t.Errorf("%v programs for 100 points, want at most 800", solves)
	}
}
