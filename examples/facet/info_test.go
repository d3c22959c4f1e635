//go:build unix

package main

import (
	"os"
	"strings"
	"testing"
)

// TestInfo: the description of models that other libraries trained, or facet did.
func TestInfo(t *testing.T) {
	f := newFolder(t)
	models := "../../internal/modelfile/testdata/"
	tests := []struct {
		file string
		want map[string]string
	}{
		{f.write("tree.json", exportedTree(3, "[-1,1]")), map[string]string{
			"format": "scikit-learn, by export_sklearn.py", "kind": "1 decision tree",
			"features": "3", "classes": "2: -1, 1",
			"nodes": "3, of them 2 leaves", "depth": "1, the longest path", "vote": "soft: the " +
				"class frequencies of the leaves are averaged",
			"goes left": "float32(x) ≤ threshold",
		}},
		{models + "xgboost/depth3.json", map[string]string{
			"format": "XGBoost", "features": "2", "classes": "2: 0, 1", "goes left": "float32(x) " +
				"< threshold",
			"vote":  "logistic: leaf values are added, label 1 wins with a probability above 1/2",
			"depth": "3, the longest path",
		}},
		{houses, map[string]string{
			"format": "XGBoost", "kind": "25 decision trees", "features": "5: income, age, " +
				"rooms, people, coast", "output": "s, a number",
			"sum": "the sum of the trees", "goes left": "float32(x) < threshold",
		}},
		{models + "lightgbm/multiclass.txt", map[string]string{
			"format":    "LightGBM",
			"features":  "2: width, height=of_box",
			"classes":   "3: 0, 1, 2",
			"goes left": "x ≤ threshold",
		}},
		{models + "boosting/three.json", map[string]string{"format": "scikit-learn, by " +
			"export_sklearn.py", "features": "5", "classes": "3: 0, 1, 2"}},
	}
	for _, tt := range tests {
		tt.want["file"] = tt.file
		checkTable(t, mustProcess(t, "info", tt.file), tt.want)
	}
	for model, kind := range map[string]string{
		"--k 3": "3-nearest neighbours of 4 training rows",
		"--weights distance": "1-nearest neighbours of 4 training rows, weighted by " +
			"distance",
		"--model tree":              "decision tree",
		"--model forest --trees 5":  "5 decision trees",
		"--model oblique --trees 2": "2 oblique decision trees",
	} {
		mustProcess(t, append([]string{"train", "--train", f.file("train"), "--save",
			f.file("model")}, strings.Fields(model)...)...)
		checkTable(t, mustProcess(t, "info", f.file("model")), map[string]string{"kind": kind})
	}
}

// TestInfoSaves: a model saved in facet's own format is the same model, and predicts the same.
func TestInfoSaves(t *testing.T) {
	f := newFolder(t)
	models := "../../internal/modelfile/testdata/"
	for _, model := range []string{
		models + "xgboost/depth3.json", models + "lightgbm/multiclass.txt", houses,
	} {
		want := mustProcess(t, "info", model, "--save", f.file("own.json"))
		got := mustProcess(t, "info", f.file("own.json"))
		got = strings.Replace(got, f.file("own.json"), model, 1)
		if got, want := withoutFormat(got), withoutFormat(want); got != want {
			t.Errorf("%s is saved as\n%s\nwant\n%s", model, got, want)
		}
		again := mustProcess(t, "info", f.file("own.json"), "--save", "-")
		if own, err := os.ReadFile(f.file("own.json")); err != nil || again != string(own) {
			t.Errorf("%s is saved twice as different files: %v", model, err)
		}
	}
}

// withoutFormat returns the output of facet info that is the same for a model in any format.
func withoutFormat(table string) (rest string) {
	for line := range strings.Lines(table) {
		if !strings.HasPrefix(line, "format") {
			rest += strings.Join(strings.Fields(line), " ") + "\n"
		}
	}
	return rest
}
