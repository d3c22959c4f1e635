package main

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// tags are what a page is made of besides its words.
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

// TestReport: the page says what the file of results says, and what the examples change.
func TestReport(t *testing.T) {
	f := newFolder(t)
	f.mustRun(f.base("--proofs", f.file("proofs"))...)
	stdout := mustReport(t, f.file("out"), "--out", f.file("page.html"), "--proofs",
		f.file("proofs"))
	if want := "5 rows, in " + f.file("page.html"); !strings.HasPrefix(stdout, want) {
		t.Errorf("%q, want %q", stdout, want)
	}
	page := f.page("page.html")
	for _, want := range []string{
		"Robustness of 1-NN trained on train", "accuracy 80.0 % (4 of 5)",
		"in the units of the file",
		"optimal 4 rows", "misclassified 1 row:", "2.5 → ", "4 bounds have a proof",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q:\n%s", want, page)
		}
	}
}

// TestReportAtOnce: with the flags of an attack the page is the same as from its results.
func TestReportAtOnce(t *testing.T) {
	f := newFolder(t)
	f.mustRun(f.base("--norm", "2")...)
	mustReport(t, f.file("out"), "--out", f.file("one.html"))
	mustReport(t, "--train",
		f.file("train"), "--test", f.file("test"), "--norm", "2", "--out", f.file("two.html"))
	if one, two := f.read("one.html"), f.read("two.html"); one != two {
		t.Errorf("two pages of the same rows differ:\n%s\n%s",
			f.page("one.html"), f.page("two.html"))
	}
}

// TestReportOfCertify: radii that were asked about are what is shown.
func TestReportOfCertify(t *testing.T) {
	f := newFolder(t)
	f.certify("--radius", "0.4,1.2")
	mustReport(t, f.file("out"), "--out", f.file("page.html"))
	if page := f.page("page.html"); !strings.Contains(
		page, "0.4 80.0 % (4 of 5) 1.2 20.0 % (1 of 5)",
	) {
		t.Errorf("the shares at 0.4 and 1.2 are not there:\n%s", page)
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

// TestReportMisuse: what cannot be a page is told in a sentence.
func TestReportMisuse(t *testing.T) {
	f := newFolder(t)
	f.mustRun(f.base()...)
	f.write("empty", "")
	for _, test := range []struct {
		args []string
		says string
	}{
		{[]string{f.file("out")}, "--out FILE.html names the page"},
		{[]string{f.file("out"), "--out", f.file("none/page.html")}, "there is no folder"},
		{[]string{f.file("nothing"), "--out", f.file("page.html")},
			"nothing: there is no such file"},
		{[]string{f.file("out"), "--norm", "2", "--out", f.file("page.html")},
			"--norm is for an attack"},
		{[]string{f.file("out"), f.file("out"), "--out", f.file("page.html")}, "2 files are named"},
		{[]string{"--out", f.file("page.html")}, "--test"},
		{[]string{f.file("out"), "--proofs", f.file("empty"), "--out", f.file("page.html")},
			"holds no proof"},
	} {
		status, stdout, stderr := callFacet(t, append([]string{"report"}, test.args...)...)
		checkComplaint(t, status, 2, stdout, stderr, test.says)
	}
	if f.exists("page.html") {
		t.Error("a page was written")
	}
}
