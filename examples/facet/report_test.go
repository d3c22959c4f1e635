package main

import (
	"cmp"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// tags are the parts of a page besides its words.
var tags = regexp.MustCompile(`<style>[\s\S]*</style>|<[^>]*>`)

// page reads a page as words alone.
func (f folder) page(name string) string {
	f.t.Helper()
	return strings.Join(strings.Fields(tags.ReplaceAllString(f.read(name), " ")), " ")
}

// mustReport runs facet report.
func mustReport(t *testing.T, args ...string) (stdout string) {
	t.Helper()
	status, stdout, stderr := callFacet(t, append([]string{"report"}, args...)...)
	if status != 0 {
		t.Fatalf("facet report %v = %d, %s", args, status, stderr)
	}
	return stdout
}

// TestReport: the page says the same as the file of results, and how the examples differ. It shows
// radii that were asked about, whose examples have no meaningful distances, and says that an attack
// proves no bound. Rows of a regressor keep their output, not a label.
func TestReport(t *testing.T) {
	for _, test := range []struct {
		ask      []string // "" stands for the files of square and points
		want, no []string
	}{
		{[]string{"attack", ""}, []string{"Robustness of 1-NN trained on train",
			"accuracy 80.0 % (4 of 5)", "in the units of the file", "optimal 4 rows",
			"misclassified 1 row:", "2.5 → ", "4 bounds have a proof"}, nil},
		{[]string{"certify", "--radius", "0.4,1.2", ""},
			[]string{"0.4 80.0 % (4 of 5) 80.0 % (4 of 5) 4 0 0 1 " +
				"1.2 20.0 % (1 of 5) 20.0 % (1 of 5) 1 3 0 1"},
			[]string{"nearest", "mean", "median", "smallest"}},
		{[]string{"attack", "--attack", "direct", ""},
			[]string{"It proves nothing: others may be nearer"},
			[]string{"certified", "bound is proven"}},
		{[]string{"attack", "--target", "change:0.3", "--model", houses, "--test", districts},
			[]string{"Rows that keep their output to within 0.3",
				"The rows nearest to an output that differs by more than 0.3"},
			[]string{"accuracy", "classified"}},
	} {
		f := newFolder(t)
		ask, page := append(test.ask, "--out", f.file("out")), []string{f.file("out"), "--out",
			f.file("page.html")}
		if at := slices.Index(ask, ""); at >= 0 {
			ask = slices.Concat(ask[:at], f.base())
		}
		if len(test.ask) == 2 {
			ask, page = append(ask, "--proofs", f.file("proofs")), append(page, "--proofs",
				f.file("proofs"))
		}
		mustCall(t, ask...)
		if stdout := mustReport(t, page...); !strings.Contains(stdout, " rows, in "+page[2]) {
			t.Errorf("%v: %q, want the file", ask, stdout)
		}
		text := f.page("page.html")
		for _, want := range test.want {
			if !strings.Contains(text, want) {
				t.Errorf("%v: the page lacks %q:\n%s", ask, want, text)
			}
		}
		for _, no := range test.no {
			if strings.Contains(strings.ToLower(text), no) {
				t.Errorf("%v: the page says %q:\n%s", ask, no, text)
			}
		}
	}
}

// three has rows of three labels on a line: the nearer of two others is often not the one of the
// target.
func three(f folder) (args []string) {
	var train, test table
	for i := range 9 {
		train = append(train, []float64{float64(i / 3), float64(i), float64(i % 2)})
		test = append(test, []float64{float64(i / 3), float64(i) + 0.25, 0.5})
	}
	f.write("train", train.libsvm(1))
	f.write("test", test.libsvm(1))
	return f.base("--model", "tree", "--overwrite")
}

// TestReportOfTarget: a distance to one label is no claim about the others.
func TestReportOfTarget(t *testing.T) {
	f := newFolder(t)
	args := append(three(f), "--target", "2")
	f.mustRun(args...)
	mustReport(t, f.file("out"), "--out", f.file("page.html"))
	page := f.page("page.html")
	for _, no := range []string{"certified", "Certified", "keep ", "another label",
		"another prediction"} {
		if strings.Contains(page, no) {
			t.Errorf("the page of --target says %q:\n%s", no, page)
		}
	}
	for _, want := range []string{"How far is each row from label 2", "The rows nearest to label 2",
		"a nearest one with label 2, of all inputs", "no input that is nearer has label 2"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page of --target lacks %q:\n%s", want, page)
		}
	}
	stdout := mustCall(t, append([]string{"attack"}, args...)...)
	if strings.Contains(stdout, "certified") || !strings.Contains(stdout, "mean bound to 2") {
		t.Errorf("the table of --target is\n%s", stdout)
	}
	status, _, stderr := call(t, append(args, "--plot", f.file("p.svg"))...)
	checkComplaint(t, status, 2, "", stderr, "--plot does not go with --target 2: a row may be far")
}

// TestInputsAreNamed: every sentence that claims something names the inputs that it is about, on
// the page, in the table, in the summary and in the figure.
func TestInputsAreNamed(t *testing.T) {
	f := newFolder(t)
	base := append(three(f), "--summary", f.file("summary"), "--plot", f.file("p.svg"))
	f.write("box", "0,9\n0,1\n")
	f.write("frozen.json", `{"features": {"1": {"frozen": true}}}`)
	f.write("ruled.json", `{"features": {"0": {"down": "inf"}}, "linear": ["f1 <= 3"]}`)
	f.write("train.csv", "f0,f1,y\n0,0,a\n1,1,a\n5,0,b\n6,1,b\n")
	named := []string{"--train", f.file("train.csv"), "--test", f.file("train.csv")}
	for _, test := range []struct {
		about, all string
		flags      []string
	}{
		{"all inputs", "all inputs", nil},
		{"inputs within [0, 9] in every feature", "", []string{"--domain", "0,9"}},
		{"inputs within [0, 1] in every scaled feature", "",
			[]string{"--domain", "0,1", "--scale", "minmax"}},
		{"inputs within the box of box", "inputs within the box of box: 0 in [0, 9], 1 in [0, 1]",
			[]string{"--domain", f.file("box")}},
		{"inputs that frozen.json allows", "inputs that frozen.json allows: frozen: 1",
			[]string{"--costs", f.file("frozen.json")}},
		{"inputs that ruled.json allows within [0, 9] in every feature",
			"feature: not falling: f0; f1 ",
			append([]string{"--costs", f.file("ruled.json"), "--domain", "0,9"}, named...)},
	} {
		for _, kind := range []string{"attack", "certify"} {
			args := append([]string{kind}, base...)
			if kind == "certify" {
				args = append(args, "--radius", "0.5,1")
			} else {
				args = append(args, "--counterfactuals", "3", "--max-nodes", "3")
			}
			stdout := mustCall(t, append(args, test.flags...)...)
			mustReport(t, f.file("out"), "--out", f.file("page.html"))
			page := f.page("page.html")
			for where, text := range map[string]string{"table": stdout, "page": page,
				"summary": f.read("summary")} {
				if !strings.Contains(text, test.about) || !strings.Contains(text, test.all) {
					t.Errorf("%s %v: the %s does not name %q:\n%s", kind, test.flags, where,
						cmp.Or(test.all, test.about), text)
				}
			}
			if !strings.Contains(f.read("p.svg"), "about "+test.about) {
				t.Errorf("%s %v: the figure does not name %q", kind, test.flags, test.about)
			}
			checkClaims(t, f.read("page.html"), test.about)
		}
	}
}

// claim matches the words by which a sentence of a page claims a fact.
var claim = regexp.MustCompile(`(?i)proven|certified|nothing is undecided|nearest one|no input`)

// checkClaims checks that each paragraph, cell or caption that claims something names the inputs.
func checkClaims(t *testing.T, html, about string) {
	t.Helper()
	rest := strings.TrimPrefix(about, "all ")
	for _, part := range regexp.MustCompile(`</(p|td|figcaption|h2)>`).Split(html, -1) {
		text := strings.Join(strings.Fields(tags.ReplaceAllString(part, " ")), " ")
		if _, after, found := strings.Cut(text, "possible yes no undecided"); found {
			text = after // the head of a table, whose paragraph stands before it
		}
		// The bound of a row, and heads of columns, are explained in a paragraph.
		if !claim.MatchString(text) || len(strings.Fields(text)) < 6 ||
			strings.Contains(text, rest) {
			continue
		}
		t.Errorf("this claims something and does not name %q: %s", about, text)
	}
}

// TestReportOfChanges: a value to change to is written with all digits that it takes.
func TestReportOfChanges(t *testing.T) {
	f := newFolder(t)
	mustCall(t, append(append([]string{"attack"}, three(f)...), "--counterfactuals", "2")...)
	mustReport(t, f.file("out"), "--out", f.file("page.html"))
	ways := regexp.MustCompile(`<mark>[^:<]*: (\S+) → ([^<]+)</mark>`).
		FindAllStringSubmatch(f.read("page.html"), -1)
	for _, way := range ways {
		if way[1] == way[2] {
			t.Errorf("%s changes nothing", way[0])
		}
	}
	if len(ways) == 0 {
		t.Error("no row has a way")
	}
}

// TestReportOfOtherProofs: proofs about another model, other rows or another question are not
// called those of the rows.
func TestReportOfOtherProofs(t *testing.T) {
	f := newFolder(t)
	f.mustRun(f.base()...)
	for _, other := range [][]string{
		{"--k", "3", "--train", f.write("other", append(square, square...).libsvm(1))},
		{"--norm", "2"}, {"--target", "1"},
	} {
		f.mustRun(append(f.base(other...), "--out", f.file("others"), "--proofs",
			f.file("proofs"))...)
		refused(t, f.file("proofs"),
			"report", f.file("out"), "--out", f.file("page.html"), "--proofs", f.file("proofs"))
	}
}

// TestReportWithoutRows: rows that are gone or others by now are not shown, and the page says so.
func TestReportWithoutRows(t *testing.T) {
	f := newFolder(t)
	f.mustRun(f.base()...)
	f.write("test", square.libsvm(1))
	mustReport(t, f.file("out"), "--out", f.file("page.html"))
	if page := f.page("page.html"); !strings.Contains(page, "is another file now") {
		t.Errorf("another test file is not noticed:\n%s", page)
	}
	if err := os.Remove(f.file("test")); err != nil {
		t.Fatal(err)
	}
	mustReport(t, f.file("out"), "--out", f.file("page.html"))
	if page := f.page("page.html"); !strings.Contains(page, "What examples change is not shown") {
		t.Errorf("a test file that is gone is not noticed:\n%s", page)
	}
}

// TestReportCompares: a page has the certified shares of two models in one picture, the facts known
// of the first, and says of a shard that it is one.
func TestReportCompares(t *testing.T) {
	f := newFolder(t)
	for _, depth := range []string{"1", "3"} {
		mustCall(t, "train", "--train", f.file("train"), "--model", "tree", "--depth", depth,
			"--save", f.file("tree"+depth+".json"))
		mustCall(t, "certify", "--model", f.file("tree"+depth+".json"), "--test", f.file("test"),
			"--radius", "0.4,1.2", "--out", f.file("c"+depth))
	}
	mustReport(t, f.file("c1"), f.file("c3"), "--out", f.file("page.html"), "--about", "two trees")
	page := f.page("page.html")
	for _, want := range []string{"Models beside each other", "A: tree1.json", "B: tree3.json",
		"about two trees", "kind a decision tree of 2 leaves, 1 split deep"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q:\n%s", want, page)
		}
	}
	f.mustRun(f.base("--out", f.file("part"), "--shard", "1/2")...)
	mustReport(t, f.file("part"), "--out", f.file("shard.html"))
	if page := f.page("shard.html"); !strings.Contains(page, "the rows of shard 1/2 alone") {
		t.Errorf("the page of a shard does not say that it is one:\n%s", page)
	}
	status, _, stderr := callFacet(t, "report", f.file("c1"), f.file("part"), "--out",
		f.file("no.html"))
	checkComplaint(t, status, 2, "", stderr, "was asked by facet certify")
}
