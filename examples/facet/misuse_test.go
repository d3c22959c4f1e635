package main

import (
	"fmt"
	"strings"
	"testing"
)

// checkMisuses checks that commands end with status 2 and one sentence, which is the command's own
// and holds the first text.
func checkMisuses(t *testing.T, tests [][]string) {
	t.Helper()
	for _, test := range tests {
		status, stdout, stderr := callFacet(t, test[1:]...)
		checkComplaint(t, status, 2, stdout, stderr, "facet "+test[1]+": ", test[0])
	}
}

// TestMisuse: an impossible question is answered by a sentence.
func TestMisuse(t *testing.T) {
	f := newFolder(t)
	train, test, out := f.file("train"), f.file("test"), f.file("none")
	model := f.write("tree.json", exportedTree(2, "[0,1]"))
	words := f.write("words", "income,age,rooms,people,coast,value\n1,2,3,4,5,dear\n")
	f.mustRun(f.base()...)
	results := f.file("out")
	misuses := [][]string{
		{"neither knn, tree, forest, boosted nor oblique", "predict", "--test", test, "--model",
			out},
		{"--test FILE is missing", "predict", "--train", train},
		{"--model knn needs --train", "predict", "--test", test},

		{"--save FILE is missing", "train", "--train", train},
		{"--model knn needs --train", "train", "--save", out},
		{"--save is for --model knn, tree, forest, boosted, oblique, not ", "train", "--train",
			train, "--save", out, "--model", test},
		{"there is no folder", "train", "--train", train, "--save", f.file("none/model")},

		{"--train FILE is missing", "prune", "--prune", "1"},
		{"--prune R is missing: rows of different labels at distance ≤ 2R", "prune", "--train",
			train},
		{"there is no flag --test", "prune", "--train", train, "--prune", "1", "--test", test},
		{"no finite number from 0", "prune", "--train", train, "--prune", "-1"},
		{"--prune R is missing", "prune", "--train", train, "--prune-local", "1"},
		{"no finite number from 0.5 on", "prune", "--train", train, "--prune", "1", "--prune-local",
			"0.4"},
		{"--prune-local does not go with --proofs: certificates know", "prune", "--train", train,
			"--prune", "1", "--prune-local", "1", "--proofs", out},
		{"there is no flag --k", "prune", "--train", train, "--prune", "1", "--k", "3"},

		{"which file?", "info"},
		{"2 files are named, one is wanted", "info", "a", "b"},
		{"none: there is no such file", "info", out},
		{"not the text of LightGBM, and not JSON", "info", train},
		{"the file is empty", "info", f.write("empty", "")},
		{"a pickle of Python: examples/python/facet_robust/", "info",
			f.write("model.pkl", "\x80\x04\x95")},
		{"is a folder, not a model", "info", f.path},
		{"JSON without a format", "info", f.write("other.json", `{"a":1}`)},
		{"torn.json", "info", f.write("torn.json", exportedTree(2, "[0,1]")[:80])},
		{"--max-values raises the limit", "info", model, "--max-values", "1"},
		{"--vote: the file says itself how its trees vote", "info",
			"../../internal/modelfile/testdata/xgboost/depth3.json", "--vote", "logistic"},

		{"--k is for --train", "check", "p", "--model", "m", "--k", "3"},
		{"--train-labels is for --train", "check", "p", "--model", "m", "--train-labels", "y"},
		{"--norm is for --prune", "check", "p", "--train", "t", "--norm", "1"},

		{"--out FILE.html names the page", "report", results},
		{"there is no folder", "report", results, "--out", f.file("none/page.html")},
		{"nothing: there is no such file", "report", f.file("nothing"), "--out", out},
		{"facet report takes results", "report", results, "--norm", "2", "--out", out},
		{"is named twice", "report", results, results, "--out", out},
		{"which results?", "report", "--out", out},
		{"holds no proof", "report", results, "--proofs", f.file("empty"), "--out", out},
	}
	certify := []string{"certify", "--train", train, "--test", test}
	for says, flags := range map[string]string{
		"--radius R is missing":                   "",
		`"-1" is no finite number from 0`:         "--radius 0.1,-1",
		"at 0 there is nothing to ask":            "--radius 0.1,0",
		"only facet attack looks for a label":     "--radius 1 --target 1",
		"curve.gif ends in neither .png nor .svg": "--radius 1 --plot curve.gif",
	} {
		ask := append(append([]string{says}, certify...), strings.Fields(flags)...)
		misuses = append(misuses, ask)
	}
	for _, of := range []struct{ says, ask string }{
		{"facet range and facet attack --target output:T ask about it", "attack"},
		{"two questions", "attack --target output:1 --target change:1"},
		{"is not a number", "attack --target output:high"},
		{"no finite number", "attack --target change:-1"},
		{"no number to compare", "attack --target output:1 --test " + words},
		{"--target change:1 does not go with --target larger", "attack --target change:1 " +
			"--target larger"},
		{"--attack exact", "attack --target change:1 --attack blackbox"},
		{"--classes", "attack --target output:1 --classes a,b"},
		{"--radius R is missing", "range"},
		{"--points does not go with --rows", "range --radius 1 --points 1 --rows " + words},
		{"there is no flag --train", "range --radius 1 --train x"},
		{"flag --norm", "range --radius 1 --norm 0"},
	} {
		ask := strings.Fields(of.ask)
		misuses = append(misuses, append([]string{of.says, ask[0], "--model", houses, "--test",
			districts}, ask[1:]...))
	}
	checkMisuses(t, append(misuses,
		[]string{"--target output:1 is for --model FILE, not knn: it asks the file of a regressor",
			"attack", "--train", train, "--test", test, "--target", "output:1"},
		[]string{"--model FILE is missing", "range", "--test", districts},
		[]string{"--test FILE is missing", "range", "--model", houses, "--radius", "1"}))
	if f.exists("none") {
		t.Error(fmt.Sprint("a file was written: ", f.read("none")))
	}
}
