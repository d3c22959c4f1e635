package main

import (
	"reflect"
	"strings"
	"testing"
)

// messy are the points of TestWords in a file of its own kind, with more than is needed.
const messy = "\ufeff;age;size;note;diagnosis\r\n" +
	"17;30;1000;\"a; b\";benign\r\n" +
	"3;?;3500;;malignant\r\n" +
	"8;30;3500;c;malignant\r\n"

// TestMessyFile: separators, a byte order mark, an index, notes of a doctor, a missing value, other
// columns in another order.
func TestMessyFile(t *testing.T) {
	f := newFolder(t)
	f.write("train.csv", patients)
	f.write("messy.csv", messy)
	f.write("clean.csv", "size,diagnosis,age\n1000,benign,30\n3500,malignant,30\n")
	base := []string{"--train", f.file("train.csv"), "--label", "diagnosis"}
	status, _, stderr := call(t,
		append(base, "--test",
			f.file("messy.csv"), "--missing", "drop", "--out", f.file("messy.jsonl"))...)
	for _, note := range []string{
		"has no name: it was left out as an index", "\"note\", which", "stand in another order",
		"1 of 3 rows have missing values and were left out",
		`feature "size" ranges over 4000, feature "age" over`,
	} {
		if !strings.Contains(stderr, note) {
			t.Errorf("standard error %q, want it to say %q", stderr, note)
		}
	}
	if status != 0 || strings.Count(stderr, "note: ") != 5 || withoutNotes(stderr) != "" {
		t.Fatalf("status %d, %s", status, stderr)
	}
	if status, _, stderr := call(
		t, append(base, "--test", f.file("clean.csv"), "--out", f.file("clean.jsonl"))...,
	); status != 0 || withoutNotes(stderr) != "" {
		t.Fatalf("status %d, %s", status, stderr)
	}
	if got, want := alike(f.objects("messy.jsonl")), alike(
		f.objects("clean.jsonl"),
	); !reflect.DeepEqual(got, want) || len(got) != 2 {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestColumnsOfAModel: a saved model finds its features by name.
func TestColumnsOfAModel(t *testing.T) {
	f := newFolder(t)
	f.write("train.csv", patients)
	f.write("test.csv", "diagnosis,age,size\nbenign,30,1000\nmalignant,30,3500\n")
	if status, _, stderr := callFacet(
		t, "train", "--train", f.file("train.csv"), "--label", "diagnosis", "--save",
		f.file("model.json"),
	); status != 0 {
		t.Fatalf("status %d, %s", status, stderr)
	}
	test := []string{"--test", f.file("test.csv"), "--label", "diagnosis"}
	for _, c := range []struct {
		out  string
		from []string
		note string
	}{
		{"trained", []string{"--train", f.file("train.csv")},
			"train.csv: they are matched by name"},
		{"read", []string{"--model", f.file("model.json")}, "the model: they are matched by name"},
	} {
		status, _, stderr := call(t, append(append(test, "--out", f.file(c.out)), c.from...)...)
		if status != 0 || !strings.Contains(stderr, c.note) {
			t.Fatalf("%s: status %d, %s", c.out, status, stderr)
		}
	}
	if got, want := alike(f.objects("read")), alike(f.objects("trained")); !reflect.DeepEqual(
		got, want,
	) {
		t.Errorf("%v, want %v", got, want)
	}
}

// namedLightGBM is a model of LightGBM, which keeps an underscore for each space in a name.
const namedLightGBM = `tree
version=v4
num_class=1
num_tree_per_iteration=1
label_index=0
max_feature_idx=1
objective=binary sigmoid:1
feature_names=mean_age size_of_it
feature_infos=[0:1] [0:1]

Tree=0
num_leaves=2
num_cat=0
split_feature=0
threshold=0.5
decision_type=2
left_child=-1
right_child=-2
leaf_value=-1 1
is_linear=0

end of trees
`

// TestOwnObjective: --vote says how to read the sums of a model that was trained with an objective
// of one's own, and without it the complaint says so. Proofs are then about the model that is
// written beside them, which has the vote.
func TestOwnObjective(t *testing.T) {
	f := newFolder(t)
	model := f.write("model.txt",
		strings.Replace(namedLightGBM, "objective=binary sigmoid:1\n", "", 1))
	test := []string{"--test", f.write("test.csv", "mean age,size of it,y\n0.25,9,0\n0.75,-9,1\n"),
		"--model", model}
	status, stdout, stderr := callFacet(t, append([]string{"predict"}, test...)...)
	checkComplaint(t, status, 2, stdout, stderr, "unsupported model: objective: none",
		"--vote logistic")
	stdout = mustProcess(t,
		append([]string{"predict", "--vote", "logistic", "--out", f.file("out")}, test...)...)
	checkTable(t, stdout, map[string]string{"test accuracy": "1"})
	mustProcess(t,
		append(
			[]string{"attack", "--vote", "logistic", "--out", f.file("attacked"), "--proofs",
				f.file("proofs")}, test...,
		)...)
	mustProcess(t, "check", "--model", f.file("proofs.model.json"), f.file("proofs"))
	mustProcess(t, "info", model, "--vote", "logistic", "--save", f.file("own.json"))
	stdout = mustProcess(t, "predict", "--model", f.file("own.json"), test[0], test[1], "--out",
		f.file("own.out"))
	checkTable(t, stdout, map[string]string{"test accuracy": "1"})
	for _, tt := range []struct {
		says string
		args []string
	}{
		{"softmax", append([]string{"--vote", "hard"}, test...)},
		{"one sum, in favour of label 1: a logistic vote",
			append([]string{"--vote", "softmax"}, test...)},
		{"--vote is for --model FILE",
			[]string{"--vote", "logistic", "--train", test[1], "--test", test[1]}},
		{"--vote does not go with --target output:0",
			append([]string{"--vote", "logistic", "--target", "output:0"}, test...)},
	} {
		refused(t, tt.says, append([]string{"predict"}, tt.args...)...)
	}
}

// alike leaves out the fields that differ from run to run.
func alike(lines []map[string]any) []map[string]any {
	for _, l := range lines {
		delete(l, "seconds")
		delete(l, "row") // which is its number in a file
	}
	return lines
}
