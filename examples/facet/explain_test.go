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

// TestExplainProbability: which probabilities are reached is explained of a file of trees, whose
// rows keep no labels then.
func TestExplainProbability(t *testing.T) {
	f := newFolder(t)
	train := f.write("train.csv", refusals)
	mustCall(t, "train", "--train", train, "--label", "refused", "--model", "forest", "--trees",
		"9", "--save", f.file("model.json"))
	ask := []string{"explain", "--model", f.file("model.json"), "--test", train, "--label",
		"refused", "--untimed", "--probability-of", "yes", "--above"}
	reached := func(p string) string {
		var sides []string
		text := mustCall(t, append(ask, p, "--out", f.file("lines"), "--overwrite")...)
		for _, l := range linesOf[explained](t, f, "lines") {
			sides = append(sides, l.Predicted)
			if l.Status != "optimal" {
				t.Errorf("above %s: %+v\n%s", p, l, text)
			}
		}
		return strings.Join(sides, " ")
	}
	for p, want := range map[string]string{
		"0.5":  "above below above below above",
		"0":    "above above above above above",
		"1.01": "below below below below below",
	} {
		if got := reached(p); got != want {
			t.Errorf("above %s: %s, want %s", p, got, want)
		}
	}
	ask = ask[:len(ask)-1]
	if _, _, stderr := callFacet(t, ask...); !strings.Contains(stderr, "needs --above") {
		t.Errorf("without --above: %s", stderr)
	}
	ask[len(ask)-1] = "maybe"
	_, _, stderr := callFacet(t, append(ask, "--above", "1")...)
	if !strings.Contains(stderr, "no label") {
		t.Errorf("of another label: %s", stderr)
	}
}

// TestExplainProofs: reasons by rules of moves have proofs that are checked, and shards are parts
// of the whole.
func TestExplainProofs(t *testing.T) {
	f := newFolder(t)
	train := f.write("train.csv", refusals)
	model := f.file("model.json")
	mustCall(t, "train", "--train", train, "--label", "refused", "--model", "tree", "--save", model)
	rules := f.write("costs.json", `{"features": {"income": {"frozen": true}}}`)
	ask := []string{"explain", "--model", model, "--test", train, "--label", "refused", "--untimed"}
	table := mustCall(t, append(ask, "--proofs", f.file("proofs.gz"), "--out", f.file("all"))...)
	if !strings.Contains(table, "proofs                5, written to") {
		t.Errorf("the table says\n%s", table)
	}
	checked := mustCall(t, "check", f.file("proofs.gz"), "--model", model)
	if !strings.Contains(checked, "5") {
		t.Errorf("facet check says\n%s", checked)
	}
	whole := f.read("all")
	if parts := mustCall(t, append(ask, "--shard", "1/2")...) +
		mustCall(t, append(ask, "--shard", "2/2")...); len(parts) != len(whole) {
		t.Errorf("the shards are\n%s\nand the whole is\n%s", parts, whole)
	}
	frozen := mustCall(t, append(ask, "--costs", rules)...)
	if strings.Count(frozen, `"reason":[]`) != 5 || strings.Count(frozen, `"change":null`) != 5 {
		t.Errorf("where the income is frozen: %s", frozen)
	}
}
