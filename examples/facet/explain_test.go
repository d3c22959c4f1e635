package main

import (
	"slices"
	"strings"
	"testing"
)

// explained is a line of facet explain.
type explained struct {
	Row       int
	Predicted string
	Reason    []string
	Reasons   [][]string
	Minimal   bool
	Smallest  bool
	Box       map[string][2]*float64
	Status    string
	Change    map[string]float64
	Distance  float64
	Seconds   float64
}

const refusals = "age,income,refused\n30,1000,yes\n" +
	"35,3000,no\n50,1000,yes\n60,3000,no\n20,2000,yes\n"

// TestExplain: of a tree that tests the income, that is the reason of every row, in the words and
// units of the file, and rows need no labels.
func TestExplain(t *testing.T) {
	f := newFolder(t)
	train := f.write("train.csv", refusals)
	test := f.write("test.csv", "age,income\n45,1500\n45,2600\n")
	for _, scale := range []string{"none", "minmax"} {
		table := mustCall(t, "explain", "--train", train, "--test", test, "--label", "refused",
			"--model", "tree", "--box", "--smallest", "--reasons", "2", "--scale", scale,
			"--out", f.file("lines"), "--overwrite")
		if !strings.Contains(table, "2, of them 2 with a reason that is minimal") ||
			!strings.Contains(table, "2 proven") {
			t.Errorf("the table says\n%s", table)
		}
		lines := linesOf[explained](t, f, "lines")
		if len(lines) != 2 {
			t.Fatalf("%+v", lines)
		}
		for i, l := range lines {
			end := l.Box["income"][1-i]
			if l.Row != i || l.Predicted != []string{"yes", "no"}[i] || l.Status != "optimal" ||
				!slices.Equal(l.Reason, []string{"income"}) || len(l.Reasons) != 1 ||
				!l.Minimal || !l.Smallest || len(l.Box) != 1 || l.Box["income"][i] != nil ||
				end == nil || *end < 2499 || *end > 2501 || len(l.Change) != 1 {
				t.Errorf("--scale %s: %+v", scale, l)
			}
		}
	}
}

// TestExplainLimits: what a limit leaves open is said, --untimed writes no times, and --domain says
// which inputs count.
func TestExplainLimits(t *testing.T) {
	f := newFolder(t)
	train := f.write("train.csv", refusals)
	text := mustCall(t, "explain", "--train", train, "--test", train, "--points", "2", "--untimed",
		"--timeout", "1ns")
	if strings.Count(text, `"status":"limit"`) != 2 || strings.Count(text, `"seconds":0}`) != 2 {
		t.Errorf("%s", text)
	}
	text = mustCall(t, "explain", "--train", train, "--test", train, "--rows",
		f.write("rows", "3\n"), "--model", "tree", "--box", "--domain",
		f.write("box", "income,2600,4000\nage,0,99\n"))
	if !strings.Contains(text, `"reason":[]`) || !strings.Contains(text, `"change":null`) {
		t.Errorf("%s", text)
	}
}
