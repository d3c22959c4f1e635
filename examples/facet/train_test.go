//go:build unix

package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestTrain: a saved classifier predicts as it did when it was trained, and keeps the labels of its
// classes and the names of its features.
func TestTrain(t *testing.T) {
	f := newFolder(t)
	train, test, saved := f.write("animals.csv", animals), f.write("unknown.csv",
		unknown), f.file("model.json")
	models := map[string][]string{
		"knn":     {"--model", "knn", "--k", "3"},
		"tree":    {"--model", "tree"},
		"forest":  {"--model", "forest", "--trees", "7", "--depth", "2"},
		"boosted": {"--model", "boosted", "--trees", "5"},
		"oblique": {"--model", "oblique", "--trees", "3"},
	}
	for name, model := range models {
		table := mustProcess(t,
			append([]string{"train", "--train", train, "--save", saved}, model...)...)
		checkTable(t, table, map[string]string{"training rows": "6", "saved to": saved})
		want := mustProcess(t,
			append([]string{"predict", "--train", train, "--test", test}, model...)...)
		if got := mustProcess(t, "predict", "--model", saved, "--test", test); got != want {
			t.Errorf("%s: the saved classifier predicts %s, want %s", name, got, want)
		}
		checkTable(t, mustProcess(t, "info", saved), map[string]string{
			"format": "facet's own", "features": "2: length, weight", "classes": "3: cat, dog, " +
				"mouse",
		})
	}
}

// TestTrainTunedTrees: held-out rows decide how many rows a leaf of robust trees has, and whether
// they are changed as a whole, which flags say as well.
func TestTrainTunedTrees(t *testing.T) {
	f := newFolder(t)
	rng := rand.New(rand.NewPCG(3, 4))
	var rows strings.Builder
	for range 120 {
		x := rng.Float64()
		label := 0
		if x > 0.5 && rng.IntN(5) > 0 {
			label = 1
		}
		fmt.Fprintf(&rows, "%d 1:%v 2:%v 3:%v\n", label, x, rng.Float64(), rng.Float64())
	}
	train := f.write("rows", rows.String())
	for model, flags := range map[string][]string{
		"tree": {}, "forest": {"--trees", "5"},
	} {
		robust := append([]string{"train", "--model", model, "--robust", "0.1", "--train", train},
			flags...)
		table := mustProcess(t, append(robust, "--tune", "--save", f.file(model))...)
		var chosen []string
		for line := range strings.Lines(table) {
			if strings.Contains(line, ", chosen") {
				chosen = strings.Fields(line)
			}
		}
		if n := strings.Count(table, " rows held out"); n != 4 || len(chosen) < 3 {
			t.Fatalf("%s: %d settings were tried, and chosen is %q:\n%s", model, n, chosen, table)
		}
		same := append(robust, "--min-leaf", strings.TrimSuffix(chosen[1], ","),
			"--save", f.file("same"))
		if chosen[2] == "whole-tree" {
			same = append(same, "--whole-tree")
		}
		mustProcess(t, same...)
		if f.read(model) != f.read("same") {
			t.Errorf("%s: other flags than %q make the chosen model", model, same)
		}
	}
}

// TestTrainTuned: held-out rows decide how many neighbours vote and how rows are pruned, or how
// boosted trees are trained, of which both files have the same.
func TestTrainTuned(t *testing.T) {
	f := newFolder(t)
	var rows strings.Builder
	for i := range 40 {
		fmt.Fprintf(&rows, "%d 1:%v\n", i%2, float64(i%2)+float64(i)/200)
	}
	train := f.write("rows", rows.String())
	saved, forXGBoost := f.file("model.json"), f.file("xgboost.json")
	tune := []string{"train", "--robust", "0.2", "--tune", "--train", train, "--save", saved}
	const chosen = "1.0000 certified, 1.0000 accurate, of 1504 rows held out, chosen"
	checkTable(t, mustProcess(t, tune...), map[string]string{
		"model":          "1-nearest neighbours",
		"training rows":  "40, pruned with radius 0.2",
		"k 1, prune 0.2": chosen,
	})
	checkTable(t, mustProcess(t, append(tune, "--model", "boosted", "--trees", "10", "--save",
		"xgboost:"+forXGBoost)...), map[string]string{
		"min-leaf 5": chosen, "training accuracy": "1, of 40 rows",
	})
	for _, model := range []string{saved, forXGBoost} {
		checkTable(t, mustProcess(t, "certify", "--model", model, "--test", train, "--radius",
			"0.2"), map[string]string{"accuracy": "1, of 40 rows"})
	}
}

// TestTrainNumbers: labels that are numbers stay numbers, and rows may be pruned, scaled and tried
// on a test set.
func TestTrainNumbers(t *testing.T) {
	f := newFolder(t)
	saved := f.file("model.json")
	table := mustProcess(t, "train",
		"--train", f.file("train"), "--test", f.file("test"), "--save", saved, "--prune", "1")
	checkTable(t, table, map[string]string{
		"training rows": "4, pruned with radius 1", "training accuracy": "1, of 4 rows",
		"test accuracy": "0.8, of 5 rows",
	})
	if text := f.read("model.json"); !strings.Contains(text, `"classes":[-1,1]`) ||
		strings.Contains(text, "class_names") {
		t.Errorf("the labels of %s", text)
	}
	lines := mustProcess(t, "attack", "--model", saved, "--test", f.file("test"))
	checkTable(t, lines, map[string]string{"test accuracy": "0.8, of 5 rows"})

	table = mustProcess(t, "train",
		"--train", f.file("train"), "--save", saved, "--scale", "minmax")
	if want := "it takes scaled rows: give --train " + f.file("train") +
		" --scale minmax with it"; !strings.Contains(table, want) {
		t.Errorf("%s does not say %q", table, want)
	}
}

// TestTrainInAnyOrder: labels that are numbers in no ascending order keep their order.
func TestTrainInAnyOrder(t *testing.T) {
	f := newFolder(t)
	saved := f.file("model.json")
	mustProcess(t, "train", "--train", f.file("train"), "--save", saved, "--classes", "1,-1")
	checkTable(t, mustProcess(t, "info", saved), map[string]string{"classes": "2: 1, -1"})
	checkTable(t, mustProcess(t, "attack", "--model", saved, "--test", f.file("test")),
		map[string]string{"test accuracy": "0.8, of 5 rows"})
}
