package main

import (
	"strings"
	"testing"
)

// untidy is a table as people export them: decimal commas, Yes and No, a missing value.
const untidy = "size;smokes;city;y\n1,5;Yes;3;0\n2,25;No;3;1\n1.234,5;Yes;3;0\n2,25;No;3;0\n"

// TestDecimalCommas: numbers with decimal commas, and points between thousands, are read with
// --decimal , and Yes and No count as 1 and 0.
func TestDecimalCommas(t *testing.T) {
	f := newFolder(t)
	f.write("untidy.csv", untidy)
	f.write("tidy.csv", "size,smokes,city,y\n1.5,1,3,0\n2.25,0,3,1\n1234.5,1,3,0\n2.25,0,3,0\n")
	f.mustRun("--train", f.file("tidy.csv"), "--test", f.file("tidy.csv"), "--untimed",
		"--out", f.file("tidy"))
	f.mustRun("--train", f.file("untidy.csv"), "--test", f.file("untidy.csv"), "--untimed",
		"--decimal", ",", "--out", f.file("untidy"))
	if f.read("tidy") != f.read("untidy") {
		t.Errorf("the answers differ:\n%s\n%s", f.read("tidy"), f.read("untidy"))
	}
	attackRefused(t, "or say --decimal ,",
		"--train", f.file("untidy.csv"), "--test", f.file("untidy.csv"), "--sep", ";")
}

// TestInfoOfTable: facet info says how a run would read a table.
func TestInfoOfTable(t *testing.T) {
	f := newFolder(t)
	f.write("rows.csv", "age,smokes,city,weight,y\n30,Yes,3,1.5,a\n30,Yes,3,1.5,b\n40,No,3,,a\n")
	checkTable(t, mustCall(t, "info", f.file("rows.csv")), map[string]string{
		"kind": "a table of rows, for --train and --test", "rows": "3",
		"features": "4: age, smokes, city, weight", "whole numbers": "1: age",
		"True or False": "1: smokes, as 1 and 0", "constant": "2: city, weight",
		"missing":       "1 values in 1: weight",
		"labels":        `column "y", 2 of them; --label names another`,
		"repeated rows": "2, of them 2 with several labels",
	})
	f.write("broken.csv", "a,y\n1,p\nx,q\n2,p\n")
	status, stdout, stderr := callFacet(t, "info", f.file("broken.csv"))
	checkComplaint(t, status, 2, stdout, stderr, "broken.csv", "line 3")
}

// TestNotesOfRows: unscaled features of very different ranges, and test rows that were trained on,
// are noted where that matters.
func TestNotesOfRows(t *testing.T) {
	f := newFolder(t)
	f.write("rows.csv", "age,income,y\n1,1000,a\n2,9000,b\n")
	f.write("other.csv", "age,income,y\n1,1000,a\n2,5000,b\n")
	ask := func(more ...string) string {
		_, _, stderr := call(t, append([]string{"--train", f.file("rows.csv"), "--test",
			f.file("other.csv")}, more...)...)
		return stderr
	}
	const ranges = `feature "income" ranges over 8000, feature "age" over 1`
	if said := ask(); !strings.Contains(said, ranges) ||
		!strings.Contains(said, "1 of the 2 test rows are training rows") {
		t.Errorf("%q, want both notes", said)
	}
	for _, other := range [][]string{{"--scale", "minmax"}, {"--model", "tree"}} {
		if said := ask(other...); strings.Contains(said, ranges) {
			t.Errorf("%v: %q, want no note about ranges", other, said)
		}
	}
}
