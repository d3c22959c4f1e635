package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// loans is a table of applicants: who has 1800 left after 300 for each loan is granted one, and
// with a home 1300 will do.
func loans() string {
	var b strings.Builder
	b.WriteString("age,income,loans,purpose_car,purpose_home,purpose_tv,outcome\n")
	for income := 1000; income <= 3000; income += 200 {
		for count := range 4 {
			for p, purpose := range []string{"1,0,0", "0,1,0", "0,0,1"} {
				left, outcome := income-300*count, "refused"
				if left >= 1800 || p == 1 && left >= 1300 {
					outcome = "granted"
				}
				fmt.Fprintf(&b, "%d,%d,%d,%s,%s\n",
					25+(income/100+count)%40, income, count, purpose, outcome)
			}
		}
	}
	return b.String()
}

const (
	applicants = `age,income,loans,purpose_car,purpose_home,purpose_tv,outcome
31,1650,2,1,0,0,refused
44,1450,0,0,0,1,refused
52,1050,3,1,0,0,refused
`
	loanCosts = `{"//": "what an applicant can do",
 "features": {"age":    {"frozen": true},
              "income": {"up": 0.002, "down": "inf", "max_increase": "50%"},
              "loans":  {"integer": true, "up": "inf", "down": 0.5, "min": 0}},
 "groups":   [{"members": ["purpose_car", "purpose_home", "purpose_tv"], "cost": 0.75}]}`
)

// withLoans has the tables and the rules, and returns the flags that ask for the nearest grant by a
// tree.
func withLoans(t *testing.T) (f folder, base []string) {
	f = folder{t, t.TempDir()}
	f.write("train.csv", loans())
	f.write("test.csv", applicants)
	f.write("costs.json", loanCosts)
	return f, []string{
		"attack", "--train", f.file("train.csv"), "--test", f.file("test.csv"), "--model", "forest",
		"--trees", "15", "--depth", "0", "--target", "granted",
		"--norm", "1", "--costs", f.file("costs.json"), "--include-misclassified", "--out",
		f.file("out"),
	}
}

// mustCall runs facet, which succeeds without a complaint.
func mustCall(t *testing.T, args ...string) (stdout string) {
	t.Helper()
	status, stdout, stderr := callFacet(t, args...)
	if status != 0 || withoutNotes(stderr) != "" {
		t.Fatalf("facet %v = %d, %s", args, status, stderr)
	}
	return stdout
}

// move is the change of an applicant to an example.
func move(l map[string]any, row int) (z []float64, cost float64) {
	x := [][]float64{{31, 1650, 2, 1, 0, 0}, {44, 1450, 0, 0, 0, 1}, {52, 1050, 3, 1, 0, 0}}[row]
	for _, v := range l["adversarial"].([]any) {
		z = append(z, v.(float64))
	}
	cost = 0.002*(z[1]-x[1]) + 0.5*(x[2]-z[2])
	if !reflect.DeepEqual(z[3:], x[3:]) {
		cost += 0.75
	}
	return z, cost
}

// TestCosts: examples follow the rules, and distances are their costs. With scaled features the
// rules stay those of the file, to the letter.
func TestCosts(t *testing.T) {
	f, base := withLoans(t)
	for _, scale := range []string{"none", "minmax"} {
		mustCall(t, append(base, "--scale", scale)...)
		for row, l := range f.objects("out") {
			if l["status"] != "optimal" || l["adversarial_label"] != "granted" {
				t.Fatalf("--scale %s, row %d: %v", scale, row, l)
			}
			z, cost := move(l, row)
			if z[0] != []float64{31, 44, 52}[row] || z[1] < []float64{
				1650, 1450, 1050,
			}[row] || z[2] != math.Trunc(z[2]) || z[3]+z[4]+z[5] != 1 {
				t.Errorf("--scale %s, row %d: %v breaks a rule", scale, row, z)
			}
			if d := l["distance"].(float64); scale == "none" && math.Abs(d-cost) > 1e-9 {
				t.Errorf("row %d: distance %v, want %v", row, d, cost)
			}
		}
		if m := f.meta("out"); (m["scaling"] == nil) != (scale == "none") {
			t.Errorf("--scale %s: scaling %v", scale, m["scaling"])
		}
	}
}

// TestProofsUnderCosts: prices and limits of a forest are proven, and checked.
func TestProofsUnderCosts(t *testing.T) {
	f, base := withLoans(t)
	f.write("costs.json", `{"features": {"age": {"frozen": true}, "income": {"up": 3, "down": `+
		`"inf", "max_increase": 2000}}}`)
	mustCall(t, append(base, "--proofs", f.file("proofs"))...)
	checkTable(t, mustProcess(t, "check", f.file("proofs"), "--model", f.file("proofs.model.json")),
		map[string]string{"proofs": "3, all true"})
}

// TestProofsWithoutOne: a row that has nowhere to go has an answer, and no proof.
func TestProofsWithoutOne(t *testing.T) {
	f, base := withLoans(t)
	f.write("costs.json", `{"features": {"income": {"min": 1500, "max_increase": 200}}}`)
	stdout := mustCall(t, append(base, "--proofs", f.file("proofs"))...)
	if want := "2 of them; none about 1,"; !strings.Contains(stdout, want) {
		t.Errorf("%s\nwant %q", stdout, want)
	}
	checkTable(t, mustProcess(t, "check", f.file("proofs"), "--model", f.file("proofs.model.json")),
		map[string]string{"proofs": "2, all true"})
}

// TestRowsThatBreakRules: that is said, as it may be meant or not.
func TestRowsThatBreakRules(t *testing.T) {
	f, base := withLoans(t)
	f.write("costs.json", `{"features": {"income": {"integer": true, "step": 100}, "loans": `+
		`{"max": 2}}, "groups": [{"members": ["age", "purpose_car"]}]}`)
	_, _, stderr := callFacet(t, base...)
	const want = `note: by --costs, "age/purpose_car" is not exactly one category in 3 of 3 rows: answers mend that, at the price of the move.
note: by --costs, "income" is not a whole step in 3 of 3 rows: answers mend that, at the price of the move.
note: by --costs, "loans" is beyond min or max in 1 of 3 rows: answers mend that, at the price of the move.
`
	if stderr != want {
		t.Errorf("%s, want\n%s", stderr, want)
	}
}

// TestScaledCosts: with --scale minmax, prices are those of scaled moves.
func TestScaledCosts(t *testing.T) {
	f, base := withLoans(t)
	f.write("costs.json", `{"features": {"income": {"up": 3}, "age": {"frozen": true}, "loans": `+
		`{"frozen": true}}, "groups": [{"members": [3, 4, 5], "frozen": true}]}`)
	mustCall(t, append(base, "--scale", "minmax", "--rows", f.write("rows", "0\n"))...)
	l := f.objects("out")[0]
	z, _ := move(l, 0)
	if d, want := l["distance"].(float64), 3*(z[1]-1650)/2000; z[1] <= 1650 ||
		math.Abs(d-want) > 1e-9 {
		t.Errorf("distance %v of %v, want %v", d, z, want)
	}
	// In norm 0 a price is that of the change, of any size.
	mustCall(t, append(base, "--scale", "minmax", "--rows", f.file("rows"), "--norm", "0")...)
	if d := f.objects("out")[0]["distance"]; d != 3.0 {
		t.Errorf("distance %v in norm 0, want 3", d)
	}
}

// TestCostsOfNeighbours: k-NN follows prices, directions, limits and frozen features, of scaled
// features too.
func TestCostsOfNeighbours(t *testing.T) {
	f, base := withLoans(t)
	frozen := `"age": {"frozen": true}, "purpose_car": {"frozen": true}, "purpose_home": ` +
		`{"frozen": true}, "purpose_tv": {"frozen": true}`
	f.write("costs.json", `{"features": {`+frozen+`, "income": {"up": 2, "down": "inf", `+
		`"max_increase": 1500}, "loans": {"up": "inf", "min": 0, "down": 0.5}}}`)
	for scale, unit := range map[string][2]float64{"none": {1, 1}, "minmax": {1. / 2000, 1. / 3}} {
		mustCall(
			t, append(slices.Delete(slices.Clone(base), 5, 11), "--k", "3", "--scale", scale)...,
		)
		for row, l := range f.objects("out") {
			x := [][]float64{{31, 1650, 2, 1, 0, 0}, {44, 1450, 0, 0, 0, 1},
				{52, 1050, 3, 1, 0, 0}}[row]
			if l["status"] == "reached" {
				continue
			}
			z, _ := move(l, row)
			if z[0] != x[0] || !slices.Equal(z[3:], x[3:]) || z[1] < x[1] || z[1] > x[1]+1500 ||
				z[2] > x[2] || z[2] < 0 {
				t.Errorf("--scale %s, row %d: %v breaks a rule", scale, row, z)
			}
			if d, want := l["distance"].(float64), 2*(z[1]-x[1])*unit[0]+
				0.5*(x[2]-z[2])*unit[1]; math.Abs(d-want) > 1e-9*(1+want) || l["optimal"] != true {
				t.Errorf("--scale %s, row %d: distance %v of %v, want %v", scale, row, d, z, want)
			}
		}
	}
}

// TestCertifyCosts: radii are costs.
func TestCertifyCosts(t *testing.T) {
	f, base := withLoans(t)
	mustCall(t, base...)
	want := f.objects("out")
	args := []string{"certify", "--radius", "0.3,1,5"}
	for i := 1; i < len(base); i++ {
		switch base[i] {
		case "--target":
			i++
		case "--include-misclassified":
		default:
			args = append(args, base[i])
		}
	}
	if stdout := mustCall(t, args...); !strings.Contains(stdout, "costs") {
		t.Errorf("%s, want the costs named", stdout)
	}
	for row, l := range f.objects("out") {
		for i, r := range []float64{0.3, 1, 5} {
			robust := "no"
			if want[row]["distance"].(float64) > r {
				robust = "yes"
			}
			if got := l["robust"].([]any)[i]; got != robust {
				t.Errorf("row %d, radius %v: %v, want %v", row, r, got, robust)
			}
		}
	}
}

// TestCostsAreRecorded: a run goes on only by the same rules.
func TestCostsAreRecorded(t *testing.T) {
	f, base := withLoans(t)
	mustCall(t, base...)
	inputs := f.meta("out")["inputs"].(map[string]any)
	if sum, ok := inputs["costs"].(map[string]any); !ok || len(sum["sha256"].(string)) != 64 {
		t.Errorf("inputs %v, want the costs and their checksum", inputs)
	}
	mustCall(t, append(base, "--resume")...)
	f.write("costs.json", strings.Replace(loanCosts, "0.5", "0.25", 1))
	refused(t, "it was made from another file than --costs", append(base, "--resume")...)
}

// TestWrongCosts: an error in the rules is one sentence that names their file.
func TestWrongCosts(t *testing.T) {
	f, base := withLoans(t)
	before := f.write("out", "kept")
	for _, tt := range []struct {
		costs string
		flags []string
		says  string
	}{
		{`{"features": {"incme": {}}}`, nil,
			`costs.json: feature "incme": there is no such feature. Is "income" meant?`},
		{`{"features": {"income": {"upp": 1}}}`, nil, `feature "income": there is no key "upp"`},
		{`{`, nil, "costs.json: line 1: not JSON"},
		{`{}`, []string{"--costs", f.file("nowhere")}, "--costs: "},
		{`{}`, []string{"--attack", "direct"}, "--costs is for --attack exact, not direct"},
		{`{}`, []string{"--adversarial-training", "1"},
			"--adversarial-training does not go with --costs"},
		{`{}`, []string{"--norm", "0", "--prune", "1"}, "--prune does not go with --norm 0"},
		{`{}`, []string{"--norm", "0", "--attack", "papernot", "--costs", ""},
			"--norm 0 is for --attack exact, not papernot"},
		{`{"features": {"income": {"min": 5000}}}`,
			[]string{"--domain", f.write("domain", "income,0,4000\n")},
			`costs.json: feature "income": no value lies between its min and max and in --domain`},
		{`{"features": {"income": {"min": 0}}}`, []string{"--scale", "minmax", "--domain", "0,1"},
			"--domain LO,HI is about scaled features"},
		{`{"features": {"loans": {"integer": true}}}`, []string{"--model", "knn"},
			`--costs: 1-nearest neighbours: feature "loans" may take multiples of 1 only, which ` +
				`is for trees`},
		{`{}`, []string{"--model", "knn", "--norm", "0", "--costs", ""},
			"--norm 0: 1-nearest neighbours"},
		{`{}`, []string{"--counterfactuals", "2", "--proofs", f.file("proofs")},
			"--proofs does not go with --counterfactuals"},
		{`{}`, []string{"--costs", "", "--norm", "0", "--proofs", f.file("proofs")},
			"--proofs does not go with --norm 0"},
		{`{"features": {"loans": {"integer": true}}}`, []string{"--proofs", f.file("proofs")},
			`--proofs: by --costs, feature "loans" may take multiples of 1 only, and proofs know`},
		{`{"features": {"loans": {"categorical": true}}}`, []string{"--proofs", f.file("proofs")},
			`feature "loans" is a category`},
		{`{"groups": [{"members": ["purpose_car", "purpose_home", "purpose_tv"]}]}`,
			[]string{"--proofs", f.file("proofs")},
			`feature "purpose_car" belongs to the group "purpose"`},
		{`{"features": {"income": {"up": 2, "down": "inf"}}}`,
			[]string{"--model", "knn", "--proofs", f.file("proofs")},
			`feature "income" has a price`},
		{`{}`, []string{"--counterfactuals", "2", "--attack", "blackbox", "--costs", ""},
			"--counterfactuals is for --attack exact"},
	} {
		f.write("costs.json", tt.costs)
		flags := base
		if slices.Contains(tt.flags, "knn") { // which has no trees and no depth
			flags = slices.Delete(slices.Clone(base), 5, 11)
		}
		refused(t, tt.says, append(flags, tt.flags...)...)
	}
	if text, err := os.ReadFile(before); err != nil || string(text) != "kept" {
		t.Errorf("%s: %q, %v", filepath.Base(before), text, err)
	}
}

// TestCounterfactuals: answers differ in the features that they change, and are printed as people
// would say them.
func TestCounterfactuals(t *testing.T) {
	f, base := withLoans(t)
	stdout := mustCall(t,
		append(base, "--counterfactuals", "4", "--rows", f.write("rows", "0\n1\n"))...)
	for row, l := range f.objects("out") {
		list := l["counterfactuals"].([]any)
		first := list[0].(map[string]any)
		if first["distance"] != l["distance"] ||
			!reflect.DeepEqual(first["example"], l["adversarial"]) || l["others"] != "none" {
			t.Errorf("row %d: %v", row, l)
		}
		before, least := map[string]bool{}, 0.0
		for _, c := range list {
			c := c.(map[string]any)
			var names []string
			cost := 0.0
			for _, change := range c["changes"].([]any) {
				change := change.(map[string]any)
				names = append(names, change["feature"].(string))
				cost += change["cost"].(float64)
			}
			all := strings.Join(names, " ")
			d := c["distance"].(float64)
			if before[all] || d < least || math.Abs(cost-d) > 1e-9 || c["optimal"] != true {
				t.Errorf("row %d: %v after %v", row, c, before)
			}
			before[all], least = true, d
		}
		if len(list) < 2 {
			t.Errorf("row %d: one way only", row)
		}
	}
	const want = `
row 1 is predicted refused; it would be predicted
1) granted, at a distance of 0.5, the nearest there is:
   feature  from  to      cost
   income   1450  1700.1  0.5
2) granted, at a distance of 0.75, the nearest of other features:
   feature  from  to    cost
   purpose  tv    home  0.75
No other features would do.
`
	if !strings.HasSuffix(stdout, want) {
		t.Errorf("%s\nwant it to end\n%s", stdout, want)
	}
	// The table says which applicant has no way; and rows that were done before are printed again.
	f.write("costs.json", strings.Replace(loanCosts, `"50%"`, `"1%"`, 1))
	f.write("test.csv",
		strings.Join(strings.SplitAfter(applicants, "\n")[:1], "")+"30,1000,3,1,0,0,refused\n")
	args := append(base, "--counterfactuals", "2")
	for _, resume := range []string{"--resume=false", "--resume"} {
		if stdout := mustCall(
			t, append(args, resume)...,
		); !strings.HasSuffix(stdout,
			"row 0 is predicted refused; none of the inputs that costs.json allows "+
				"has label granted\n") {
			t.Errorf("%s: %s", resume, stdout)
		}
	}
}
