//go:build unix

package main

import (
	"maps"
	"math"
	"reflect"
	"strings"
	"testing"
)

// predicted is a line of facet predict whose labels are words.
type predicted struct {
	Row       int                `json:"row"`
	Label     *string            `json:"label"`
	Predicted string             `json:"predicted"`
	Scores    map[string]float64 `json:"scores"`

	Probabilities map[string]float64 `json:"probabilities"`
}

// animals are training rows with words for labels, and names for features.
const (
	animals = "length,weight,kind\n1,1,mouse\n1,2,mouse\n4,30,cat\n5,32,cat\n9,90,dog\n9,70,dog\n"
	unknown = "length,weight\n1,1.5\n8,80\n4,31\n"
)

// TestPredict: labels are words, files may have none, and forests have scores.
func TestPredict(t *testing.T) {
	f := newFolder(t)
	train, test := f.write("animals.csv", animals), f.write("unknown.csv", unknown)
	for _, model := range []string{"knn", "tree", "forest", "oblique"} {
		lines := jsonLines[predicted](t,
			mustProcess(t, "predict", "--train", train, "--test", test, "--model", model))
		if len(lines) != 3 {
			t.Fatalf("%s: %d lines, want 3", model, len(lines))
		}
		for i, want := range []string{"mouse", "dog", "cat"} {
			l, sum, best := lines[i], 0.0, ""
			if l.Row != i || l.Label != nil || l.Predicted != want {
				t.Errorf("%s, row %d: %+v, want %s", model, i, l, want)
			}
			for label, score := range l.Scores {
				sum += score
				if best == "" || score > l.Scores[best] {
					best = label
				}
			}
			if model == "knn" && l.Scores != nil ||
				model != "knn" && (math.Abs(sum-1) > 1e-12 || best != want) ||
				model != "oblique" && !maps.Equal(l.Probabilities, l.Scores) {
				t.Errorf("%s, row %d: scores %v, want those of %s", model, i, l.Scores, want)
			}
		}
	}
}

// TestPredictOut: --out gets the lines, standard output a table.
func TestPredictOut(t *testing.T) {
	f := newFolder(t)
	table := mustProcess(t, "predict",
		"--train", f.file("train"), "--test", f.file("test"), "--out", f.file("out"))
	if !strings.HasPrefix(f.read("out"),
		`{"row":0,"label":-1,"predicted":-1,"scores":null,"probabilities":null}`+"\n") {
		t.Errorf("--out holds %q", f.read("out"))
	}
	checkTable(t, table, map[string]string{
		"test rows":     "5",
		"test accuracy": "0.8",
		"predicted -1":  "2",
		"predicted 1":   "3",
	})
}

// TestPredictForeign: boosted trees score with their sums.
func TestPredictForeign(t *testing.T) {
	f := newFolder(t)
	test := f.write("rows.csv", "0.5,0.5,0\n-2,1,1\n")
	type numbered struct {
		Row       int                `json:"row"`
		Label     float64            `json:"label"`
		Predicted float64            `json:"predicted"`
		Scores    map[string]float64 `json:"scores"`

		Probabilities map[string]float64 `json:"probabilities"`
	}
	lines := jsonLines[numbered](t,
		mustProcess(t, "predict",
			"--test", test, "--model", "../../internal/modelfile/testdata/xgboost/depth3.json"))
	for _, l := range lines {
		if len(l.Scores) != 2 || l.Scores["0"] != 0 || (l.Scores["1"] > 0) != (l.Predicted == 1) {
			t.Errorf("%+v: want a margin of label 1", l)
		}
	}
	if len(lines) != 2 || reflect.DeepEqual(lines[0].Scores, lines[1].Scores) {
		t.Errorf("lines %+v, want two that differ", lines)
	}
}

// TestPredictShares: a probability that is a softmax of three sums has no score for above or below.
func TestPredictShares(t *testing.T) {
	f := newFolder(t)
	test := f.write("rows.csv", "0.5,0.5,0\n-2,1,1\n")
	lines := jsonLines[predicted](t, mustProcess(t, "predict", "--test", test, "--label", "none",
		"--target", "probability:1:0.5",
		"--model", "../../internal/modelfile/testdata/xgboost/softprob3.json"))
	for _, l := range lines {
		if l.Scores != nil || (l.Predicted != "above" && l.Predicted != "below") {
			t.Errorf("%+v: want above or below, and no scores", l)
		}
	}
	if len(lines) != 2 {
		t.Errorf("%d lines, want 2", len(lines))
	}
}
