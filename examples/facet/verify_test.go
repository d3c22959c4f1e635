package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// modelFolder is where the models of the pages are.
var modelFolder = filepath.Join("..", "..", "docs", "use", "models")

// TestVerify: exit statuses, lines, and refusals.
func TestVerify(t *testing.T) {
	f, applications := newFolder(t), filepath.Join(modelFolder, "credit.json")
	rules := filepath.Join(modelFolder, "credit-rules.json")
	f.write("applicants.csv", "amount,months,income,age,sex,savings\n"+
		"3000,24,2400,35,0,2\n900,12,1800,52,1,0\n")
	for _, c := range []struct {
		status int
		says   string // on standard output or, of a mistake, standard error
		args   []string
	}{
		{0, "monotone income:up: holds", []string{"--monotone", "income:up"}},
		{0, "same as", []string{"--same-as", applications}},
		{1, "* sex", []string{"--ignores", "sex", "--costs", rules}},
		{1, "ignores 4: does not hold", []string{"--monotone", "income:up", "--ignores", "4"}},
		{1, "* age", []string{"--ignores", "age", "--apart", "5", "--ordered", "--costs", rules}},
		{1, "* sex", []string{"--ignores", "sex,age", "--apart", "age:5", "--costs", rules}},
		{0, "ignores sex,age: holds", []string{"--ignores", "sex,age", "--apart", "0,age:0"}},
		{2, "--ignores does not name sex", []string{"--ignores", "age", "--apart", "sex:1"}},
		{2, `no feature "agee". Is "age" meant?`,
			[]string{"--ignores", "age", "--apart", "agee:1"}},
		{2, `"age" is neither a finite number`, []string{"--ignores", "age", "--apart", "age"}},
		{2, `"age" has two distances`, []string{"--ignores", "age", "--apart", "age:1,age:2"}},
		{2, "1 and 2 are both without a name", []string{"--ignores", "age", "--apart", "1,2"}},
		{2, "--radius NAME:R goes with --norm inf, not 2", []string{"--ignores", "sex", "--near",
			filepath.Join(modelFolder, "credit.csv"), "--radius", "age:1", "--norm", "2"}},
		{0, "ignores sex: holds", []string{"--ignores", "sex", "--near",
			f.file("applicants.csv"), "--radius", "age:2,income:1000", "--costs", rules}},
		{1, "ignores sex: does not hold", []string{"--ignores", "sex", "--near",
			f.file("applicants.csv"), "--radius", "50,age:2", "--costs", rules}},
		{1, "output at most 0", []string{"--output-at-most", "0", "--output-at-least", "-100"}},
		{2, "no property is named", nil},
		{2, `no feature "sexx"`, []string{"--ignores", "sexx"}},
		{2, "has no direction", []string{"--monotone", "income"}},
		{2, `only the first has a feature "amount", and only the second "`,
			[]string{"--same-as", houses}},
		{2, "--radius needs --near", []string{"--ignores", "sex", "--radius", "1"}},
		{2, "--apart does not go with --monotone: it is about the two values that --ignores " +
			"compares", []string{"--ignores", "age", "--monotone", "age:up", "--apart", "5"}},
		{0, "output at most 0.9999: holds", []string{"--output-at-most", "0.9999",
			"--target", "probability", "--costs", rules}},
		{2, "a regressor has no probabilities", []string{"--output-at-most", "1",
			"--target", "probability"}},
		{2, "--norm needs --near", []string{"--ignores", "sex", "--norm", "1"}},
		{2, "--ordered needs --ignores", []string{"--same-as", applications, "--ordered"}},
		{2, "a regressor has no labels", []string{"--target", "label:1", "--ignores", "sex"}},
		{4, "is open", []string{"--monotone", "age:up", "--timeout", "1ns"}},
		{1, "of any pair at most", []string{"--ignores", "sex,age", "--max-memory", "1"}},
	} {
		model := applications
		if strings.Contains(c.says, "regressor") {
			model = houses
		}
		status, stdout, stderr := callFacet(t, append([]string{"verify", model}, c.args...)...)
		if said := stdout + stderr; status != c.status || !strings.Contains(said, c.says) {
			t.Errorf("%v: status %d, says\n%s", c.args, status, said)
		}
	}
	args := []string{"verify", applications, "--ignores", "sex", "--untimed", "--out",
		f.file("lines")}
	if status, _, stderr := callFacet(t, args...); status != 1 {
		t.Errorf("status %d: %s", status, stderr)
	}
	if text := f.read("lines"); !strings.HasPrefix(text,
		`{"property":"ignores sex","holds":false,"status":"optimal","difference":`) {
		t.Errorf("wrote %s", text)
	}
	if status, stderr := asIs(t, args...); status != 2 || !strings.Contains(stderr,
		"--overwrite") {
		t.Errorf("status %d: %s", status, stderr)
	}
}

// threeClasses writes a model of three classes whose class 0 gets the same on both sides of its
// only test; something is added to the leaves of class 2.
func threeClasses(t *testing.T, f folder, name string, more float64) string {
	t.Helper()
	f.write(name, fmt.Sprintf(`{"format":"facet-model","version":1,"kind":"ensemble",
		"n_features":2,"comparison":"x < t","vote":"softmax",
		"class_names":["red","green","blue"],"trees":[
		{"feature":[0,-1,-1],"threshold":[1,0,0],"left":[1,-1,-1],"right":[2,-1,-1],
		"value":[[0,0,0],[1,2,%v],[1,0,%v]]}]}`, more, 2+more))
	return f.file(name)
}

// TestVerifyLabelsOfThreeClasses: that the outputs of one class are the same does not make the
// labels the same, and the sentence names the proven fact.
func TestVerifyLabelsOfThreeClasses(t *testing.T) {
	f := newFolder(t)
	model, other := threeClasses(t, f, "model", 0), threeClasses(t, f, "other", 4)
	for _, c := range []struct {
		status int
		says   string
		args   []string
	}{
		{1, "ignores 0: does not hold", []string{"--ignores", "0"}},
		{1, "ignores 0: does not hold", []string{"--ignores", "0", "--target", "red"}},
		{1, "with two labels: ", []string{"--ignores", "0", "--target", "red"}},
		{0, "ignores 0: holds", []string{"--ignores", "0", "--by", "2"}},
		{0, "ignores 1: holds", []string{"--ignores", "1"}},
		{1, "same as", []string{"--same-as", other}},
		{1, "same as", []string{"--same-as", other, "--target", "red", "--by", "1"}},
		{0, "same as", []string{"--same-as", model}},
		{1, "outputs of label       blue", []string{"--monotone", "0:down"}},
		{0, "outputs of label       red", []string{"--monotone", "0:down", "--target", "red"}},
		{1, "outputs of label     green", []string{"--output-at-most", "1"}},
		{0, "outputs of label     red", []string{"--output-at-most", "1", "--target", "red"}},
		{2, "--ordered needs --target", []string{"--ignores", "0", "--ordered"}},
		{0, "holds", []string{"--ignores", "0", "--ordered", "--target", "blue"}},
		{1, "does not hold", []string{"--ignores", "0", "--ordered", "--target", "green"}},
	} {
		proofs := f.file("proofs")
		status, stdout, stderr := callFacet(t, append([]string{"verify", model, "--proofs", proofs,
			"--overwrite"}, c.args...)...)
		if status != c.status || !strings.Contains(stdout+stderr, c.says) {
			t.Errorf("%v: status %d, says\n%s", c.args, status, stdout+stderr)
		}
		if !strings.Contains(stdout, "facet check "+proofs) {
			continue
		}
		args := []string{proofs, "--model", model}
		if c.args[0] == "--same-as" {
			args = append(args, "--model", c.args[1])
		}
		checked, list, stderr := f.checked(args...)
		if checked != 0 {
			t.Errorf("%v: status %d, says\n%s", c.args, checked, list+stderr)
		}
		about := strings.Contains(list, "the same label")
		if c.args[0] == "--ignores" && status == 0 && len(c.args) == 2 && !about {
			t.Errorf("%v: holds, and proven is\n%s", c.args, list)
		}
	}
}

// TestVerifyMarginBesideMean: a margin and a mean are the same number everywhere, and stand for two
// labels where x is small: labels alone are compared.
func TestVerifyMarginBesideMean(t *testing.T) {
	f := newFolder(t)
	for vote, leaves := range map[string]string{
		"sum": "[0,0.25],[0,0.75]", "soft": "[0.75,0.25],[0.25,0.75]",
	} {
		f.write(vote, fmt.Sprintf(`{"format":"facet-model","version":1,"kind":"ensemble",
			"n_features":1,"comparison":"x < t","vote":%q,"class_names":["no","yes"],"trees":[
			{"feature":[0,-1,-1],"threshold":[1,0,0],"left":[1,-1,-1],"right":[2,-1,-1],
			"value":[[0.5,0.5],%s]}]}`, vote, leaves))
	}
	for _, files := range [][2]string{{"sum", "soft"}, {"soft", "sum"}} {
		args := []string{"verify", f.file(files[0]), "--same-as", f.file(files[1])}
		for _, c := range []struct {
			status int
			says   string
			more   []string
		}{
			{1, "does not hold", nil},
			{1, "with two labels: ", []string{"--target", "yes"}},
			{0, "holds", []string{"--domain", "2,3"}},
			{2, "only labels can be compared", []string{"--by", "1"}},
		} {
			status, stdout, stderr := callFacet(t, append(args, c.more...)...)
			if status != c.status || !strings.Contains(stdout+stderr, c.says) ||
				strings.Contains(stdout, "at most") {
				t.Errorf("%v, %v: status %d, says\n%s", files, c.more, status, stdout+stderr)
			}
		}
	}
}

// TestVerifyNamesWhatIsCompared: of a regressor that predicts e^s the sums are compared, of two
// averages the shares of both labels, and one model of two labels has the output of label 1 alone.
func TestVerifyNamesWhatIsCompared(t *testing.T) {
	f := newFolder(t)
	write := func(name, more, left, right string) string {
		f.write(name, fmt.Sprintf(`{"format":"facet-model","version":1,"n_features":1,
			"comparison":"x < t",%s,"trees":[{"feature":[0,-1,-1],"threshold":[1,0,0],
			"left":[1,-1,-1],"right":[2,-1,-1],"value":[[0%[3]s],[%[2]s],[%[4]s]]}]}`, more, left,
			strings.Repeat(",0", strings.Count(left, ",")), right))
		return f.file(name)
	}
	rate := write("rate", `"kind":"regressor","vote":"sum","link":"exp"`, "0", "1")
	soft := `"kind":"ensemble","vote":"soft"`
	one, other := write("one", soft, "1,0", "0,1"), write("other", soft, "0,1", "0,1")
	for _, c := range []struct {
		status int
		says   []string
		args   []string
	}{
		{1, []string{"difference of sums  1, of any pair at most 1", "output              2.71828"},
			[]string{rate, "--ignores", "0"}},
		{1, []string{"outputs of label       0"},
			[]string{one, "--same-as", other}},
		{1, []string{"difference of outputs  1, "},
			[]string{one, "--ignores", "0", "--target", "1"}},
		{2, []string{"--target 0: of two labels the output is that of 1: leave it out and " +
			"turn the question round"}, []string{one, "--ignores", "0", "--target", "0"}},
	} {
		status, stdout, stderr := callFacet(t, append([]string{"verify"}, c.args...)...)
		for _, says := range c.says {
			if status != c.status || !strings.Contains(stdout+stderr, says) {
				t.Errorf("%v: status %d, does not say %q:\n%s", c.args, status, says, stdout+stderr)
			}
		}
	}
}

// TestVerifyBy: of pairs with two labels only those count whose outputs differ by more than they
// may, of which the largest difference is 1.6615 here, and that of any pair 1.749; both pairs are
// shown.
func TestVerifyBy(t *testing.T) {
	f, credit := newFolder(t), filepath.Join(modelFolder, "credit.json")
	for by, holds := range map[string]bool{
		"0": false, "1.5": false, "1.6": false, "1.6615": false, "1.6616": true, "1.7": true,
		"1.75": true,
	} {
		status, stdout, stderr := callFacet(t, "verify", credit, "--ignores", "sex", "--by", by,
			"--out", f.file("line"), "--overwrite")
		if (status == 0) != holds || status > 1 {
			t.Errorf("by %s: status %d, says\n%s", by, status, stdout+stderr)
		}
		var line verifiedLine
		if err := json.Unmarshal([]byte(f.read("line")), &line); err != nil {
			t.Fatal(err)
		}
		if (line.Changing != nil) == holds || line.X != nil && line.Difference < 1.749 {
			t.Errorf("by %s: %s", by, f.read("line"))
		}
	}
}

// TestVerifyProofs: verified properties have proofs that facet check accepts, about the files that
// are named, and refuses about others.
func TestVerifyProofs(t *testing.T) {
	f, credit := newFolder(t), filepath.Join(modelFolder, "credit.json")
	for i, c := range []struct {
		models []string
		says   string // facet check --out -
		args   []string
	}{
		{[]string{credit}, "monotony of 2, up: ", []string{"--monotone", "income:up"}},
		{[]string{credit}, "feature 4", []string{"--ignores", "sex"}},
		{[]string{credit}, "monotony of 2, up: ", []string{"--monotone", "income:up", "--costs",
			filepath.Join(modelFolder, "credit-rules.json")}},
		{[]string{credit}, "largest output, as a margin: ", []string{"--output-at-most", "0.9999",
			"--target", "probability", "--domain", "0,20000"}},
		{[]string{credit}, "is at most 7.9", []string{"--output-at-least", "-9"}},
		{[]string{credit, credit}, "comparison: ", []string{"--same-as", credit}},
		{[]string{"beside"}, "largest output: ", []string{"--output-at-most", "1000"}},
	} {
		model, proofs := credit, f.file(strings.Repeat("p", i+1)+".gz")
		if c.models[0] == "beside" { // checkers do not read the library's regressors
			model = houses
			c.models[0] = strings.TrimSuffix(proofs, ".gz") + ".model.json"
		}
		status, stdout, stderr := callFacet(t, append([]string{"verify", model, "--proofs",
			proofs, "--timeout", "1m"}, c.args...)...)
		if status > 1 || !strings.Contains(stdout, "facet check "+proofs) {
			t.Errorf("%v: status %d, says\n%s%s", c.args, status, stdout, stderr)
			continue
		}
		args := []string{proofs}
		for _, m := range c.models {
			args = append(args, "--model", m)
		}
		if status, stdout, stderr := f.checked(args...); status != 0 ||
			!strings.Contains(stdout, c.says) {
			t.Errorf("%v: status %d, says\n%s%s", args, status, stdout, stderr)
		}
		args[len(args)-1] = filepath.Join(modelFolder, "credit16.json")
		if status, stdout, stderr := f.checked(args...); status != 2 {
			t.Errorf("%v: status %d, says\n%s%s", args, status, stdout, stderr)
		}
	}
	proofs := f.file("ranges.gz")
	args := []string{"range", "--model", houses, "--proofs", proofs, "--test",
		filepath.Join(modelFolder, "houses.csv"), "--radius", "0.5", "--points", "3"}
	if status, stdout, stderr := callFacet(t, args...); status != 0 ||
		!strings.Contains(stderr, "6 proofs are in "+proofs) {
		t.Errorf("status %d, says\n%s%s", status, stdout, stderr)
	}
	args = []string{proofs, "--model", f.file("ranges.model.json")}
	if status, stdout, stderr := f.checked(args...); status != 0 ||
		!strings.Contains(stdout, "smallest output, near row 2: ") {
		t.Errorf("status %d, says\n%s%s", status, stdout, stderr)
	}
	for _, args := range [][]string{
		{"--same-as", credit, "--ignores", "sex"},
		{"--ignores", "sex", "--target", "probability"},
	} {
		args = append([]string{"verify", credit, "--proofs", f.file("none")}, args...)
		if status, stdout, stderr := callFacet(t, args...); status != 2 ||
			!strings.Contains(stderr, "roofs") {
			t.Errorf("%v: status %d, says\n%s%s", args, status, stdout, stderr)
		}
	}
}

// checked returns the lines that facet check writes of each proof.
func (f folder) checked(args ...string) (status int, list, stderr string) {
	f.t.Helper()
	status, _, stderr = callFacet(f.t, append([]string{"check", "--out", f.file("list"),
		"--overwrite"}, args...)...)
	if status == 0 {
		list = f.read("list")
	}
	return status, list, stderr
}
