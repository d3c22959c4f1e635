package main

import (
	"encoding/json"
	"encoding/xml"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var policies = flag.Int("policies", 12, "random policies that are compared")

// gateReport is the file of facet gate --out.
type gateReport struct {
	Status string
	Rows   int
	Checks []struct {
		Name, Wants, Found, Status, Worst, Command, Proofs string
		Low, High                                          *float64
	}
	Baseline *struct {
		Accuracy       []float64
		RowsThatDiffer *int    `json:"rows_that_differ"`
		SameEverywhere string  `json:"same_everywhere"`
		Example        *string `json:"example"`
	}
}

func (f folder) gate(args ...string) (int, gateReport, string) {
	f.t.Helper()
	status, stdout, stderr := callFacet(f.t, append([]string{"gate"}, append(args, "--out",
		f.file("gate.json"), "--overwrite")...)...)
	var r gateReport
	if status != 2 {
		if err := json.Unmarshal([]byte(f.read("gate.json")), &r); err != nil {
			f.t.Fatalf("%v: status %d, %v: %s", args, status, err, stderr)
		}
	}
	return status, r, stdout + stderr
}

// applicants writes rows of credit.json with labels that are right for most.
func (f folder) applicants(rows int, rng *rand.Rand) string {
	var b strings.Builder
	b.WriteString("amount,months,income,age,sex,savings,granted\n")
	for range rows {
		granted := rng.IntN(2)
		fmt.Fprintf(&b, "%d,%d,%d,%d,%d,%d,%d\n", 250+10*rng.IntN(1000), 6*(1+rng.IntN(12)),
			500+2000*granted+rng.IntN(4000), 18+rng.IntN(57), rng.IntN(2), rng.IntN(5), granted)
	}
	return f.write("applicants.csv", b.String())
}

// TestGatePolicies: each figure of a random policy is that of the single command, and decides its
// check as the policy says.
func TestGatePolicies(t *testing.T) {
	rng := rand.New(rand.NewPCG(41, 7))
	f, credit := newFolder(t), filepath.Join(modelFolder, "credit.json")
	rows := f.applicants(40, rng)
	for range *policies {
		policy := f.write("policy.yaml", randomPolicy(rng))
		status, report, said := f.gate(policy, "--model", credit, "--test", rows)
		counts := map[string]int{}
		for _, c := range report.Checks {
			counts[c.Status]++
			args := strings.Fields(c.Command)[1:]
			switch args[0] {
			case "certify":
				f.compareCertified(args, c.Low, c.High)
			case "verify":
				want := map[int]string{0: "pass", 1: "fail", 4: "open"}
				if alone, _, stderr := callFacet(t, args...); want[alone] != c.Status {
					t.Errorf("%s is %s, alone status %d: %s", c.Name, c.Status, alone, stderr)
				}
			case "predict":
				if share := f.shareOf(c.Name, args); c.Low == nil || share != *c.Low {
					t.Errorf("%s: %s, alone %v", c.Name, c.Found, share)
				}
			}
			var least float64
			if n, _ := fmt.Sscanf(c.Wants, "at least %g", &least); n == 1 && args[0] != "verify" {
				if want := decided(least, *c.Low, *c.High); want != c.Status {
					t.Errorf("%s: [%v, %v], %s: %s", c.Name, *c.Low, *c.High, c.Wants, c.Status)
				}
			}
		}
		want := 0
		if counts["fail"] > 0 {
			want = 1
		} else if counts["open"] > 0 {
			want = 4
		}
		if status != want || len(report.Checks) == 0 {
			t.Errorf("status %d of %v:\n%s", status, counts, said)
		}
	}
}

// randomPolicy asks for some things of credit.json.
func randomPolicy(rng *rand.Rand) string {
	names := []string{"amount", "months", "income", "age", "sex", "savings"}
	var b strings.Builder
	some := func() bool { return rng.IntN(2) == 0 }
	fmt.Fprintf(&b, "accuracy: {at_least: %.2f}\n", rng.Float64())
	if some() {
		fmt.Fprintf(&b, "classes: {1: {recall: {at_least: %.2f}, precision: {at_least: %.2f}}}\n",
			rng.Float64(), rng.Float64())
	}
	if some() {
		fmt.Fprintf(&b, "certified:\n- {radius: %d, at_least: %.2f}\n"+
			"- {radius: %d, at_least: %.2f}\n- {radius: %d%%, norm: %d, at_least: %.2f}\n",
			1+rng.IntN(50), rng.Float64(), 1+rng.IntN(500), rng.Float64(), 1+rng.IntN(9),
			1+rng.IntN(2), rng.Float64())
	}
	if some() {
		fmt.Fprintf(&b, "ignores: [%s, [%s, sex]]\n", names[rng.IntN(6)], names[rng.IntN(4)])
	}
	if some() {
		fmt.Fprintf(&b, "monotone: {%s: %s}\n", names[rng.IntN(6)],
			[]string{"up", "down"}[rng.IntN(2)])
	}
	if some() {
		fmt.Fprintf(&b, "output: {at_least: %d, at_most: %d}\n", -rng.IntN(9)-1, rng.IntN(9))
	}
	return b.String()
}

// decided compares a bracket with its least.
func decided(least, low, high float64) string {
	switch {
	case high < least:
		return "fail"
	case low < least:
		return "open"
	}
	return "pass"
}

// compareCertified compares a bracket with the summary of facet certify.
func (f folder) compareCertified(args []string, low, high *float64) {
	f.t.Helper()
	if status, _, stderr := callFacet(f.t, append(args, "--summary", f.file("summary"),
		"--overwrite")...); status != 0 {
		f.t.Fatalf("%v: %d, %s", args, status, stderr)
	}
	var s struct {
		Radii []struct {
			Certified float64 `json:"certified_accuracy"`
			Possible  float64 `json:"possible_accuracy"`
		}
	}
	if err := json.Unmarshal([]byte(f.read("summary")), &s); err != nil {
		f.t.Fatal(err)
	}
	if r := s.Radii[0]; low == nil || *low != r.Certified || *high != r.Possible {
		f.t.Errorf("%v: [%v, %v], alone [%v, %v]", args, *low, *high, r.Certified, r.Possible)
	}
}

// shareOf computes the accuracy, or the recall or precision of label 1, of the rows of facet
// predict.
func (f folder) shareOf(name string, args []string) float64 {
	f.t.Helper()
	status, _, stderr := callFacet(f.t, append(args, "--out", f.file("labels"), "--overwrite")...)
	if status != 0 {
		f.t.Fatalf("%v: %d, %s", args, status, stderr)
	}
	right, of := 0, 0
	for text := range strings.Lines(f.read("labels")) {
		var l struct{ Label, Predicted int }
		if err := json.Unmarshal([]byte(text), &l); err != nil {
			f.t.Fatal(err)
		}
		if strings.HasPrefix(name, "recall") && l.Label != 1 ||
			strings.HasPrefix(name, "precision") && l.Predicted != 1 {
			continue
		}
		if of++; l.Label == l.Predicted {
			right++
		}
	}
	return float64(right) / float64(of)
}

// TestGateStatuses: limits pass, fail and stay open, with their sentences, and wrong ones are
// refused.
func TestGateStatuses(t *testing.T) {
	f, credit := newFolder(t), filepath.Join(modelFolder, "credit.json")
	rows := f.applicants(20, rand.New(rand.NewPCG(3, 4)))
	for name, from := range map[string]string{"rules.json": "credit-rules.json",
		"same.json": "credit.json"} {
		text, err := os.ReadFile(filepath.Join(modelFolder, from))
		if err != nil {
			t.Fatal(err)
		}
		f.write(name, string(text))
	}
	for _, c := range []struct {
		status int
		policy string
		says   string
		args   []string
	}{
		{0, "monotone: {income: up}", "pass  monotone income up  holds", nil},
		{0, `{"output": {"at_least": -100}}`, "passes: of 1 checks 1 pass", nil},
		{1, "ignores: [sex]", "Two inputs that differ in sex alone get different labels: ", nil},
		{1, "ignores: [sex]", "alone: facet verify " + credit + " --ignores=sex", nil},
		{1, "output: {at_most: 0}", "An input has the output ", nil},
		{1, "monotone: {income: down}", "As income rises from ", nil},
		{1, "certified: {radius: 5000, at_least: 0.9}", "becomes ", nil},
		{4, "ignores: [sex, age]\ncosts: rules.json", "is open", []string{"--timeout", "1ns"}},
		{0, "same_as: {model: same.json, differs_at_most: 0, everywhere: true}",
			"same as same.json everywhere          holds", nil},
		{0, "no_worse_than_baseline: {accuracy: 0, certified: 0}\n" +
			"certified: {radius: 5, at_least: 0}", "0 of 20 rows get another label",
			[]string{"--baseline", credit}},
		{2, "accurracy: {at_least: 1}", `line 1: a policy has no key "accurracy". Is "accuracy" ` +
			`meant? The keys are accuracy, certified, `, nil},
		{2, "accuracy: {at_least: 1.5}", `accuracy: at_least is "1.5", want a number from 0 to 1`,
			nil},
		{2, "accuracy: 0.9", `accuracy is "0.9", want limits`, nil},
		{2, "zebra: 1", `a policy has no key "zebra". The keys are accuracy, `, nil},
		{2, "accuracy: {at_least: 0}\ncosts: rules.json", "no check is about all", nil},
		{2, "accuracy: {at_least: 0.9}\naccuracy: {at_least: 0.9}", "twice", nil},
		{2, "certified: [{radius: 0.1}]", "certified needs radius and at_least", nil},
		{2, "certified: {radius: x, at_least: 0}", "line 1: certified: radius is", nil},
		{1, "ignores: [{sex: any, age: 5}]", "Two inputs that differ in sex, age by at most 5 " +
			"alone get different labels: ", nil},
		{1, "ignores: [{sex: any, age: 5}]",
			"alone: facet verify " + credit + " --ignores=sex,age --apart=age:5", nil},
		{0, "ignores: [{income: 0.5}]\ncosts: rules.json", "holds", nil},
		{2, "ignores: [{sex: some}]", "ignores: sex: any, or by how much it may differ, is", nil},
		{2, "ignores: [{sexx: 1}]", `no feature "sexx"`, nil},
		{2, "ignores: []", "ignores is a list of features", nil},
		{2, "ignores: [sexx]", `no feature "sexx"`, nil},
		{2, "monotone: {income: sideways}", `monotone: income is "sideways", want up or down`, nil},
		{2, "same_as: {model: gone.json, everywhere: true}", "gone.json", nil},
		{2, "same_as: {everywhere: true}", "same_as needs the file of a model", nil},
		{2, "no_worse_than_baseline: {accuracy: 0}", "needs --baseline", nil},
		{2, "classes: {maybe: {recall: {at_least: 0}}}", `no row has the label "maybe"`, nil},
		{2, "", "the policy is empty", nil},
		{2, "{}", "the policy has no check", nil},
		{2, ": :", "no YAML", nil},
		{2, "accuracy: {at_least: 1}", "the rows have no labels", []string{"--label", "none"}},
	} {
		args := append([]string{f.write("policy.yaml", c.policy), "--model", credit, "--test",
			rows}, c.args...)
		if strings.Contains(strings.Join(c.args, " "), "none") {
			args[4] = f.write("unlabelled.csv",
				"amount,months,income,age,sex,savings\n1,2,3,4,0,1\n")
		}
		status, _, said := f.gate(args...)
		if status != c.status || !strings.Contains(said, c.says) {
			t.Errorf("%s %v: status %d, does not say %q:\n%s", c.policy, c.args, status, c.says,
				said)
		}
	}
}

// TestGatePage: the checks stand on top of the page of the rows, and in a page that is made of
// several files, with properties and reasons.
func TestGatePage(t *testing.T) {
	f, credit := newFolder(t), filepath.Join(modelFolder, "credit.json")
	rows := f.applicants(20, rand.New(rand.NewPCG(5, 6)))
	policy := f.write("policy.yaml", "certified: {radius: 5, at_least: 0.9}\nignores: [sex]\n")
	if status, _, said := f.gate(policy, "--model", credit, "--test", rows, "--out",
		f.file("gate.html")); status != 1 {
		t.Fatalf("status %d: %s", status, said)
	}
	page := f.read("gate.html")
	top, rest := strings.Index(page, "The gate fails"), strings.Index(page, "What was asked")
	if top < 0 || rest < top || !strings.Contains(page, "differ in sex alone") {
		t.Errorf("the gate stands at %d, what was asked at %d", top, rest)
	}
	mustCall(t, "certify", "--model", credit, "--test", rows, "--radius", "5", "--out",
		f.file("rows.jsonl"))
	mustCall(t, "explain", "--model", credit, "--test", rows, "--out", f.file("reasons.jsonl"))
	if status, _, stderr := callFacet(t, "verify", credit, "--ignores", "sex", "--monotone",
		"income:up", "--out", f.file("verify.jsonl")); status != 1 {
		t.Fatalf("status %d: %s", status, stderr)
	}
	parts := []string{f.file("rows.jsonl"), f.file("reasons.jsonl"), f.file("verify.jsonl"),
		f.file("gate.json")}
	mustCall(t, append([]string{"report", "--out", f.file("all.html")}, parts...)...)
	page = f.read("all.html")
	for _, want := range []string{"The gate fails", "Why rows have their labels",
		"What facet verify was asked", "monotone income:up", "does not hold", "savings"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	for says, args := range map[string][]string{
		"is named twice":          {parts[0], parts[0]},
		"a page begins with rows": {parts[1], parts[2]},
		"which results?":          nil,
	} {
		status, _, stderr := callFacet(t, append([]string{"report", "--out", f.file("no.html")},
			args...)...)
		if status != 2 || !strings.Contains(stderr, says) {
			t.Errorf("%v: status %d, %s", args, status, stderr)
		}
	}
	if status, _, said := f.gate(f.write("inputs.yaml", "ignores: [sex]"), "--model", credit,
		"--out", f.file("other.html")); status != 2 || !strings.Contains(said,
		"no certified check") {
		t.Errorf("status %d: %s", status, said)
	}
}

// TestGateFiles: Markdown, JUnit and proofs are written, and proofs are true.
func TestGateFiles(t *testing.T) {
	f, credit := newFolder(t), filepath.Join(modelFolder, "credit.json")
	policy := f.write("policy.yaml",
		"monotone: {income: up}\nignores: [sex]\noutput: {at_most: 100}\n")
	status, report, said := f.gate(policy, "--model", credit, "--out", f.file("gate.md"),
		"--out", f.file("gate.xml"), "--proofs", f.file("proofs"))
	if status != 1 {
		t.Fatalf("status %d: %s", status, said)
	}
	text := f.read("gate.md")
	if !strings.Contains(text, "| fail | ignores sex | does not hold |") ||
		!strings.Contains(text, "### ignores sex fails") {
		t.Errorf("Markdown:\n%s", text)
	}
	var suites struct {
		Suite struct {
			Tests    int `xml:"tests,attr"`
			Failures int `xml:"failures,attr"`
			Cases    []struct {
				Name string `xml:"name,attr"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal([]byte(f.read("gate.xml")), &suites); err != nil {
		t.Fatal(err)
	}
	if s := suites.Suite; s.Tests != 3 || s.Failures != 1 || len(s.Cases) != 3 {
		t.Errorf("JUnit: %+v", s)
	}
	for _, c := range report.Checks {
		if c.Status != "pass" {
			continue
		}
		if _, err := os.Stat(c.Proofs); err != nil {
			t.Errorf("%s: %v", c.Name, err)
			continue
		}
		status, stdout, stderr := callFacet(t, "check", c.Proofs, "--model", credit)
		if status != 0 {
			t.Errorf("%s: %s%s", c.Name, stdout, stderr)
		}
	}
}
