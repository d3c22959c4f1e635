package main

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
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

// TestExplainCounts: with --norm 0 the distance is the number of features that change.
func TestExplainCounts(t *testing.T) {
	f := newFolder(t)
	train := f.write("train.csv", refusals)
	mustCall(t, "explain", "--train", train, "--test", f.write("test.csv", "age,income\n45,1500\n"),
		"--label", "refused", "--model", "tree", "--norm", "0", "--out", f.file("lines"))
	for _, l := range linesOf[explained](t, f, "lines") {
		if l.Distance != 1 || len(l.Change) != 1 || !slices.Equal(l.Reason, []string{"income"}) {
			t.Errorf("%+v, want one change", l)
		}
	}
}

// TestExplainLimits: the lines say which rows a limit leaves open, --untimed writes no times, and
// --domain says which inputs count.
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

// checkSides checks which rows reach each probability of yes; lines go to the file lines.
func (f folder) checkSides(ask []string, sides map[string]string) {
	f.t.Helper()
	for p, want := range sides {
		mustCall(f.t, append(ask, "--target", "probability:yes:"+p)...)
		var got []string
		for _, l := range linesOf[explained](f.t, f, "lines") {
			got = append(got, l.Predicted)
			if l.Status != "optimal" {
				f.t.Errorf("above %s: %+v", p, l)
			}
		}
		if got := strings.Join(got, " "); got != want {
			f.t.Errorf("above %s: %s, want %s", p, got, want)
		}
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
		"refused", "--untimed", "--out", f.file("lines"), "--overwrite"}
	f.checkSides(ask, map[string]string{
		"0.5":  "above below above below above",
		"0":    "above above above above above",
		"1.01": "below below below below below",
	})
	_, _, stderr := callFacet(t, append(ask, "--target", "probability:yes")...)
	if !strings.Contains(stderr, "names no label and probability") {
		t.Errorf("without a probability: %s", stderr)
	}
	_, _, stderr = callFacet(t, append(ask, "--target", "probability:maybe:1")...)
	if !strings.Contains(stderr, "no label") {
		t.Errorf("of another label: %s", stderr)
	}
}

// TestExplainShares: the probability of a label is its share of the neighbours of k-NN, whose
// reasons have no proofs.
func TestExplainShares(t *testing.T) {
	f := newFolder(t)
	train := f.write("train.csv", refusals)
	save := func(name string, more ...string) {
		mustCall(t, append([]string{"train", "--train", train, "--label", "refused", "--model",
			"knn", "--k", "3", "--save", f.file(name)}, more...)...)
	}
	save("model.json")
	save("weighted.json", "--weights", "distance")
	rows := f.write("rows.csv", "age,income\n30,0\n30,4000\n30,2100\n")
	ask := func(model, p string, more ...string) []string {
		return append([]string{"explain", "--model", f.file(model), "--test", rows, "--untimed",
			"--target", "probability:yes:" + p, "--out", f.file("lines"), "--overwrite",
		}, more...)
	}
	// Of the three nearest rows, three, one and one have the label.
	f.checkSides(ask("model.json", "0.5"), map[string]string{
		"0.3":  "above above above",
		"0.34": "above below below",
		"1":    "above below below",
		"1.01": "below below below",
	})
	for _, wrong := range []struct {
		call []string
		says string
	}{
		{ask("weighted.json", "0.7"), "k-NN whose neighbours weigh the same"},
		{ask("model.json", "0.7", "--proofs", f.file("proofs")), "share of the neighbours"},
	} {
		if status, _, stderr := callFacet(t, wrong.call...); status != 2 ||
			!strings.Contains(stderr, wrong.says) {
			t.Errorf("%d, %s, want %q", status, stderr, wrong.says)
		}
	}
}

// TestExplainSoftmax: of three classes probabilities are a softmax, whose reasons have no proofs.
func TestExplainSoftmax(t *testing.T) {
	f := newFolder(t)
	var trees []*classifier.Tree
	for class := range 3 {
		leaf := func(v float64) classifier.TreeNode {
			n := classifier.TreeNode{Feature: -1, Left: -1, Right: -1, Value: make([]float64, 3)}
			n.Value[class] = v
			return n
		}
		test := leaf(0)
		test.Feature, test.Threshold, test.Left, test.Right = class, 10*float64(class+1), 1, 2
		tree, err := classifier.NewTree(3, classifier.AtMostFloat64,
			[]classifier.TreeNode{test, leaf(-1), leaf(2)})
		if err != nil {
			t.Fatal(err)
		}
		trees = append(trees, tree)
	}
	softmax := classifier.EnsembleOptions{Vote: classifier.SoftmaxVote}
	e, err := classifier.NewEnsemble(trees, softmax)
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := classifier.Save(&text, e); err != nil {
		t.Fatal(err)
	}
	model := f.write("model.json", text.String())
	rows := f.write("rows.csv", "a,b,c\n15,0,0\n0,0,0\n15,25,35\n")
	ask := []string{"explain", "--model", model, "--test", rows, "--untimed", "--target",
		"probability:0:0.5", "--out", f.file("lines")}
	mustCall(t, ask...)
	for i, want := range []struct {
		predicted       string
		reason, changes int
	}{{"above", 3, 1}, {"below", 1, 1}, {"below", 1, 2}} {
		l := linesOf[explained](t, f, "lines")[i]
		if l.Predicted != want.predicted || len(l.Reason) != want.reason || !l.Minimal ||
			len(l.Change) != want.changes {
			t.Errorf("%+v, want %+v", l, want)
		}
	}
	ask[len(ask)-1] = f.file("named")
	ask[slices.Index(ask, "probability:0:0.5")] = "probability:apple:0.5"
	mustCall(t, append(ask, "--classes", "apple,lemon,orange")...)
	if f.read("named") != f.read("lines") {
		t.Errorf("with names of classes: %s", f.read("named"))
	}
	status, _, stderr := callFacet(t, append(ask, "--classes", "apple,lemon")...)
	if status != 2 || !strings.Contains(stderr, "lists 2 labels, the classifier has 3") {
		t.Errorf("two names of three classes: %d, %s", status, stderr)
	}
	ask = append(ask, "--classes", "apple,lemon,orange")
	status, _, stderr = callFacet(t, append(ask, "--proofs", f.file("proofs"))...)
	if status != 2 || !strings.Contains(stderr, "softmax") {
		t.Errorf("--proofs: %d, %s", status, stderr)
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

// crowd is a table of labelled rows on a grid of sixteenths, which scaling by their ranges maps to
// floats without rounding.
func crowd(rows int) string {
	var b strings.Builder
	b.WriteString("a,b,c,label\n0,0,0,no\n16,32,64,yes\n")
	for i := range rows {
		a, b1, c := i*7%17, i*11%33, i*29%65
		label := "no"
		if 4*a+2*b1+c > 96 {
			label = "yes"
		}
		fmt.Fprintf(&b, "%d,%d,%d,%s\n", a, b1, c, label)
	}
	return b.String()
}

// TestExplainResume: of any rest of a run, lines and their proofs, --resume makes the very file of
// an uninterrupted one.
func TestExplainResume(t *testing.T) {
	f := newFolder(t)
	train := f.write("train.csv", crowd(40))
	args := []string{"explain", "--train", train, "--test", train, "--points", "6", "--model",
		"tree", "--box", "--untimed", "--workers", "1", "--proofs", f.file("proofs"), "--out",
		f.file("out")}
	mustCall(t, args...)
	whole, proofs := f.read("out"), f.read("proofs")
	for cut := 0; cut <= len(whole); cut += max(1, len(whole)/racetest.Scale(60)) {
		f.write("out", whole[:cut])
		done := strings.Count(whole[:cut], "\n")
		at := len(proofs)
		if done < 6 {
			at = strings.Index(proofs, fmt.Sprintf("proof row %d\n", done))
		}
		f.write("proofs", proofs[:at])
		table := mustCall(t, append(args, "--resume")...)
		if f.read("out") != whole || f.read("proofs") != proofs ||
			strings.Contains(table, fmt.Sprintf("(%d lines of it before)", done)) != (done > 0) {
			t.Fatalf("cut at %d of %d bytes:\n%s\n%s", cut, len(whole), table, f.read("out"))
		}
	}
	for _, tt := range []struct{ says, flag string }{
		{"made with --smallest", "--smallest=true"}, {"it was made by facet explain", ""},
	} {
		ask := append(slices.Clone(args), "--resume", tt.flag)
		if tt.flag == "" {
			ask = []string{"attack", "--train", train, "--test", train, "--model", "tree", "--out",
				f.file("out"), "--resume"}
		}
		status, stdout, stderr := callFacet(t, ask...)
		checkComplaint(t, status, 2, stdout, stderr, "--resume: ", tt.says)
	}
	status, _, stderr := callFacet(t, "report", f.file("out"), "--out", f.file("page.html"))
	if status != 2 || !strings.Contains(stderr, "a page begins with rows, of facet attack") {
		t.Errorf("facet report: %d, %s", status, stderr)
	}
}

// TestExplainScaled: --scale explains every classifier as if the files had scaled values, but for
// the numbers that are written in the units of the files.
func TestExplainScaled(t *testing.T) {
	f := newFolder(t)
	train := f.write("train.csv", crowd(30))
	var b strings.Builder
	for i, line := range strings.Split(strings.TrimSpace(crowd(30)), "\n") {
		cells := strings.Split(line, ",")
		for j, by := range []float64{16, 32, 64} {
			if v, err := strconv.ParseFloat(cells[j], 64); i > 0 && err == nil {
				cells[j] = strconv.FormatFloat(v/by, 'g', -1, 64)
			}
		}
		b.WriteString(strings.Join(cells, ",") + "\n")
	}
	scaled := f.write("scaled.csv", b.String())
	for _, model := range []string{"knn", "tree", "forest", "oblique"} {
		ask := []string{"explain", "--model", model, "--points", "2", "--box", "--untimed",
			"--overwrite", "--domain"}
		box := f.write("box", "0,16\n0,32\n0,64\n")
		mustCall(t, append(ask, box, "--train", train, "--test", train, "--scale", "minmax",
			"--out", f.file("raw"))...)
		mustCall(t, append(ask, "0,1", "--train", scaled, "--test", scaled, "--out",
			f.file("lines"))...)
		got, want := linesOf[explained](t, f, "raw"), linesOf[explained](t, f, "lines")
		for i := range want {
			for name, by := range map[string]float64{"a": 16, "b": 32, "c": 64} {
				for end := range 2 {
					if v := want[i].Box[name][end]; v != nil {
						*v *= by
					}
				}
				if v, ok := want[i].Change[name]; ok {
					want[i].Change[name] = v * by
				}
			}
			if !reflect.DeepEqual(got[i], want[i]) {
				t.Errorf("%s, row %d:\n%+v, want\n%+v", model, i, got[i], want[i])
			}
		}
	}
}
