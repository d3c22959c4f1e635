//go:build unix

package main

import (
	"strings"
	"testing"
)

// TestPrune: rows of different labels at distance ≤ 2R conflict, in the units of the file or in
// scaled ones.
func TestPrune(t *testing.T) {
	f := newFolder(t)
	pair := f.write("pair.csv", "x,y,label\n0,0,b\n0,1,b\n8,8,b\n0.5,0,a\n4,0,a\n")
	tests := []struct {
		name string
		args []string
		keep string // numbers of rows
		want map[string]string
	}{
		{"nothing conflicts", []string{"--prune", "0.24"}, "0 1 2 3 4", map[string]string{
			"kept":    "5",
			"label a": "2 of 2",
			"label b": "3 of 3",
		}},
		{"at exactly 2R", []string{"--prune", "0.25"}, "1 2 3 4", map[string]string{
			"conflict":      "rows of different labels at distance ≤ 2R = 0.5, ℓ∞",
			"training rows": "5",
			"kept":          "4",
		}},
		{"the fewest removed", []string{"--prune", "0.5"}, "0 1 2 4", map[string]string{
			"label a": "1 of 2",
			"label b": "3 of 3",
		}},
		{"another norm", []string{"--prune", "0.5", "--norm", "2"}, "1 2 3 4", map[string]string{
			"conflict": "rows of different labels at distance ≤ 2R = 1, ℓ2",
		}},
		{"scaled", []string{"--prune", "0.03125", "--scale", "minmax"}, "1 2 3 4",
			map[string]string{"conflict": "rows of different labels at distance ≤ 2R = 0.0625, " +
				"ℓ∞, features scaled to [0,1]"}},
		{"local radii", []string{"--prune", "0.5", "--prune-local", "0.5"}, "1 2 3 4",
			map[string]string{
				"conflict": "rows of different labels at distance ≤ the sum of their radii, " +
					"≤ 2R = 1, ℓ∞",
			}},
		{"duplicates only", []string{"--prune", "0"}, "0 1 2 3 4", map[string]string{
			"kept": "5",
			"":     "no more can be kept: proven",
		}},
	}
	for _, tt := range tests {
		table := mustProcess(t,
			append([]string{"prune", "--train", pair, "--out", f.file("keep")}, tt.args...)...)
		checkTable(t, table, tt.want)
		if got := strings.Join(strings.Fields(f.read("keep")), " "); got != tt.keep {
			t.Errorf("%s: kept %s, want %s", tt.name, got, tt.keep)
		}
	}
}

// TestPruneAsTraining: facet train --prune trains on the rows that facet prune keeps.
func TestPruneAsTraining(t *testing.T) {
	f := newFolder(t)
	f.write("train", clusters(120, 3).libsvm(1))
	mustProcess(t, "prune", "--train", f.file("train"), "--prune", "0.1", "--out", f.file("keep"))
	kept := strings.Count(f.read("keep"), "\n")
	mustProcess(t, "train", "--train", f.file("train"), "--prune", "0.1", "--save", f.file("model"))
	if kept == 0 || kept == 120 || strings.Count(f.read("model"), "[")-3 != kept {
		t.Errorf("%d rows kept, and the model begins with %.300s", kept, f.read("model"))
	}
}

// TestPruneDropped: rows that were dropped are no training rows, and the others keep their numbers.
func TestPruneDropped(t *testing.T) {
	f := newFolder(t)
	train := f.write("holes.csv", "x,y,label\n0,,a\n0,0,a\n0.5,0,b\n")
	status, table, stderr := callProcess(t, "prune",
		"--train", train, "--missing", "drop", "--prune", "0.1", "--out", f.file("keep"))
	checkTable(t, table, map[string]string{"training rows": "2", "kept": "2"})
	if status != 0 || !strings.HasPrefix(stderr, "note: ") || f.read("keep") != "1\n2\n" {
		t.Errorf("status %d, %s, kept %q", status, stderr, f.read("keep"))
	}
}

// TestPruneManyLabels: three labels or more come with a bound.
func TestPruneManyLabels(t *testing.T) {
	f := newFolder(t)
	train := f.write("ring.csv", "x,label\n0,a\n1,b\n2,c\n3,a\n9,c\n")
	table := mustProcess(t, "prune", "--train", train, "--prune", "0.5")
	checkTable(t, table, map[string]string{
		"kept":    "3",
		"":        "no more can be kept: proven",
		"label c": "2 of 2",
	})
}
