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

// TestMessyFile: separators, a byte order mark, an index, notes of a doctor, a missing value, other columns in another order.
func TestMessyFile(t *testing.T) {
	f := newFolder(t)
	f.write("train.csv", patients)
	f.write("messy.csv", messy)
	f.write("clean.csv", "size,diagnosis,age\n1000,benign,30\n3500,malignant,30\n")
	base := []string{"--train", f.file("train.csv"), "--label", "diagnosis"}
	status, _, stderr := call(t, append(base, "--test", f.file("messy.csv"), "--missing", "drop", "--out", f.file("messy.jsonl"))...)
	for _, note := range []string{"has no name: it was left out as an index", "\"note\", which", "stand in another order", "1 of 3 rows have missing values and were left out"} {
		if !strings.Contains(stderr, note) {
			t.Errorf("standard error %q, want it to say %q", stderr, note)
		}
	}
	if status != 0 || strings.Count(stderr, "note: ") != 4 || withoutNotes(stderr) != "" {
		t.Fatalf("status %d, %s", status, stderr)
	}
	if status, _, stderr := call(t, append(base, "--test", f.file("clean.csv"), "--out", f.file("clean.jsonl"))...); status != 0 || stderr != "" {
		t.Fatalf("status %d, %s", status, stderr)
	}
	if got, want := alike(f.objects("messy.jsonl")), alike(f.objects("clean.jsonl")); !reflect.DeepEqual(got, want) || len(got) != 2 {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestColumnsOfAModel: a saved model finds its features by name.
func TestColumnsOfAModel(t *testing.T) {
	f := newFolder(t)
	f.write("train.csv", patients)
	f.write("test.csv", "diagnosis,age,size\nbenign,30,1000\nmalignant,30,3500\n")
	if status, _, stderr := callFacet(t, "train", "--train", f.file("train.csv"), "--label", "diagnosis", "--save", f.file("model.json")); status != 0 {
		t.Fatalf("status %d, %s", status, stderr)
	}
	test := []string{"--test", f.file("test.csv"), "--label", "diagnosis"}
	for _, c := range []struct {
		out  string
		from []string
		note string
	}{
		{"trained", []string{"--train", f.file("train.csv")}, "train.csv: they are matched by name"},
		{"read", []string{"--model", f.file("model.json")}, "the model: they are matched by name"},
	} {
		status, _, stderr := call(t, append(append(test, "--out", f.file(c.out)), c.from...)...)
		if status != 0 || !strings.Contains(stderr, c.note) {
			t.Fatalf("%s: status %d, %s", c.out, status, stderr)
		}
	}
	if got, want := alike(f.objects("read")), alike(f.objects("trained")); !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	status, stdout, stderr := call(t, "--model", f.file("model.json"), "--label", "diagnosis", "--test", f.write("narrow.csv", "diagnosis,age,sise\nbenign,30,1000\n"))
	checkComplaint(t, status, 2, stdout, stderr, `narrow.csv: the file lacks column "size" of the model. Is "sise" meant?`)
}

// alike leaves out what differs from run to run.
func alike(lines []map[string]any) []map[string]any {
	for _, l := range lines {
		delete(l, "seconds")
	}
	return lines
}
