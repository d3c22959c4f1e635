package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1a7dc1f9/facet/examples/internal/results"
	"github.com/seed-1a7dc1f9/facet/internal/testing/python"
)

// wordy is a model of LightGBM that was trained on a data frame. Up to an age of 40 label 1 is that
// of Oslo, then that of members.
const wordy = `tree
version=v4
num_class=1
num_tree_per_iteration=1
max_feature_idx=2
objective=binary sigmoid:1
feature_names=age city member
feature_infos=[18:80] 0:1:2 0:1
tree_sizes=300

Tree=0
num_leaves=4
num_cat=2
split_feature=0 1 2
threshold=40 0 1
decision_type=2 1 1
left_child=1 -1 -3
right_child=2 -2 -4
leaf_value=1 -1 1 -1
cat_boundaries=0 1 2
cat_threshold=1 2
is_linear=0
shrinkage=1


end of trees

parameters:
[categorical_feature: 1,2]
end of parameters

pandas_categorical:[["Oslo", "New York, NY", "Bergen"], [false, true]]
`

const people = `age,city,member,label
30,Oslo,False,1
30,"New York, NY",true,0
50,Bergen,True,1
50,Bergen,FALSE,0
30,Bergen,True,1
`

// newWordy has the model and rows in words.
func newWordy(t *testing.T) folder {
	f := folder{t, t.TempDir()}
	f.write("model.txt", wordy)
	f.write("people.csv", people)
	return f
}

// asking runs a command about the rows.
func (f folder) asking(command string, flags ...string) (stdout, stderr string) {
	f.t.Helper()
	args := append([]string{command, "--model", f.file("model.txt"), "--test",
		f.file("people.csv")}, flags...)
	status, stdout, stderr := callFacet(f.t, args...)
	if status != 0 {
		f.t.Fatalf("facet %q = %d: %s", args, status, stderr)
	}
	return stdout, stderr
}

// TestWordsOfCategories: each command takes rows in the words of the model's categories, and
// answers in them.
func TestWordsOfCategories(t *testing.T) {
	f := newWordy(t)
	stdout, stderr := f.asking("predict")
	if got := strings.Count(stdout, `"predicted":1`); got != 2 || strings.Contains(stderr, "note") {
		t.Errorf("%s%s", stdout, stderr)
	}

	f.asking("attack", "--out", f.file("out"), "--csv", f.file("rows.csv"))
	_, lines, err := results.Read[results.Line](f.file("out"))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{
		`[30,"New York, NY","False"]`, `[30,"Oslo","True"]`, `[50,"Bergen","False"]`,
		`[50,"Bergen","True"]`, "null",
	} {
		if got, _ := json.Marshal(lines[i].Adversarial); string(got) != want {
			t.Errorf("row %d: %s, want %s", i, got, want)
		}
	}

	stdout, _ = f.asking("attack", "--counterfactuals", "2", "--out", f.file("several"))
	for _, want := range []string{"city     Oslo  New York, NY", "member   False  True"} {
		if !strings.Contains(stdout, want) {
			t.Errorf("no %q in\n%s", want, stdout)
		}
	}
	_, lines, err = results.Read[results.Line](f.file("several"))
	if err != nil || lines[0].Counterfactuals[0].Changes[0].To != "New York, NY" {
		t.Errorf("%+v, %v", lines, err)
	}
	mustReport(t, f.file("several"), "--out", f.file("page.html"))
	for _, want := range []string{
		"0 city Oslo → New York, NY 1 proven", "city: Oslo → New York, NY", "member: False → True",
		"member 50.0 % (2 of 4) 2 False → True 1, True → False 1 –",
	} {
		if page := f.page("page.html"); !strings.Contains(page, want) {
			t.Errorf("the page lacks %q:\n%s", want, page)
		}
	}

	stdout, _ = f.asking("certify", "--radius", "0.5,1")
	if !strings.Contains(stdout, "0.5     0.8") {
		t.Error(stdout)
	}
	stdout, _ = f.asking("explain", "--box")
	for _, want := range []string{
		`"reason":["age","city"]`, `"change":{"city":"New York, NY"}`,
		`"change":{"member":"False"}`, `"fixed":["city"]`,
	} {
		if !strings.Contains(stdout, want) {
			t.Errorf("no %s in\n%s", want, stdout)
		}
	}
	stdout, _ = f.asking("explain", "--target", "probability:1:0.5")
	if want := `"change":{"city":"New York, NY"}`; !strings.Contains(stdout, want) {
		t.Errorf("no %s in\n%s", want, stdout)
	}
	status, stdout, _ := callFacet(t, "info", f.file("model.txt"))
	if want := "2: city (Oslo, New York, NY, Bergen), member (False, True)"; status != 0 ||
		!strings.Contains(stdout, want) {
		t.Errorf("no %q in\n%s", want, stdout)
	}
}

// TestWordsGoOn: words are kept when a run goes on.
func TestWordsGoOn(t *testing.T) {
	f := newWordy(t)
	f.asking("attack", "--out", f.file("whole"), "--untimed")
	whole := f.read("whole")
	half := strings.Join(strings.SplitAfter(whole, "\n")[:2], "")
	f.write("whole", half+`{"row":2,"lab`)
	f.asking("attack", "--out", f.file("whole"), "--untimed", "--resume")
	if f.read("whole") != whole {
		t.Errorf("continued:\n%s\nwant\n%s", f.read("whole"), whole)
	}
	f.asking("attack", "--examples", f.file("x.npy"), "--out", f.file("short"))
	if text := f.read("short"); strings.Contains(text, "Oslo") ||
		!strings.Contains(text, `"adversarial":null`) {
		t.Errorf("examples are in the lines, too:\n%s", text)
	}
}

// TestWordsOfRegressors: facet range, and attack of a regressor, know words, too.
func TestWordsOfRegressors(t *testing.T) {
	f := newWordy(t)
	f.write("model.txt", strings.Replace(wordy, "objective=binary sigmoid:1",
		"objective=regression", 1))
	f.write("people.csv", "age,city,member\n30,Oslo,False\n50,Bergen,True\n")
	stdout, _ := f.asking("range", "--radius", "0.25")
	if !strings.Contains(stdout, `"min_example":[30,"Oslo","False"]`) ||
		!strings.Contains(stdout, `"max_example":[50,"Bergen","True"]`) {
		t.Error(stdout)
	}
	f.asking("attack", "--target", "output:0", "--out", f.file("out"))
	f.asking("attack", "--target", "change:1", "--out", f.file("changes"))
	for _, name := range []string{"out", "changes"} {
		if text := f.read(name); !strings.Contains(text, `[50,"Bergen","False"]`) {
			t.Error(text)
		}
	}
}

// TestVerifyKnowsWords: rows of --near may have words, and the inputs that facet verify finds do.
func TestVerifyKnowsWords(t *testing.T) {
	f := newWordy(t)
	// the same tree, whose other tests are about the age
	text := strings.NewReplacer("split_feature=0 1 2", "split_feature=0 0 0", "threshold=40 0 1",
		"threshold=40 20 60", "decision_type=2 1 1", "decision_type=2 2 2", "num_cat=2",
		"num_cat=0", "cat_boundaries=0 1 2\ncat_threshold=1 2\n", "").Replace(wordy)
	f.write("model.txt", text)
	f.write("near.csv", "age,city,member\n20,Bergen,True\n")
	status, stdout, stderr := callFacet(t, "verify", f.file("model.txt"), "--ignores", "age",
		"--near", f.file("near.csv"), "--out", f.file("out"))
	if status != 1 || !strings.Contains(stdout, "Bergen") ||
		!strings.Contains(f.read("out"), `"Bergen","True"]`) {
		t.Errorf("status %d: %s%s%s", status, stdout, stderr, f.read("out"))
	}
	f.write("near.csv", "age,city,member\n20,Bregen,True\n")
	status, _, stderr = callFacet(t, "verify", f.file("model.txt"), "--ignores", "age", "--near",
		f.file("near.csv"))
	if status != 2 || !strings.Contains(stderr, `"Bregen" is none`) {
		t.Errorf("status %d: %s", status, stderr)
	}
}

// TestUnknownWords: a word that the model does not know is an error of every command.
func TestUnknownWords(t *testing.T) {
	f := newWordy(t)
	f.write("people.csv", strings.Replace(people, "50,Bergen,True", "50,Bregen,True", 1))
	for _, command := range []string{"predict", "attack", "explain"} {
		status, _, stderr := callFacet(t, command, "--model", f.file("model.txt"), "--test",
			f.file("people.csv"), "--out", f.file("out.html"))
		want := `people.csv: line 4, column "city": "Bregen" is none of the categories that the ` +
			`model knows in this column: "Oslo", "New York, NY" and "Bergen". Is "Bergen" meant?`
		if status != 2 || !strings.Contains(stderr, want) {
			t.Errorf("facet %s = %d: %s", command, status, stderr)
		}
	}
}

// TestCodesOfCategories: rows may have codes where the words are no numbers, and a note says so; a
// missing value stays one, and a model that takes none says it.
func TestCodesOfCategories(t *testing.T) {
	f := newWordy(t)
	f.write("people.csv", "age,city,member,label\n30,0,0,1\n30,1,1,0\n50,2,1,1\n,,,0\n")
	stdout, stderr := f.asking("predict", "--missing", "keep")
	if !strings.Contains(stderr, `Column "city" of `) || strings.Contains(stderr, "member") ||
		strings.Count(stdout, `"predicted":1`) != 2 {
		t.Errorf("%s%s", stdout, stderr)
	}
	f.asking("attack", "--missing", "keep", "--out", f.file("out"))
	if text := f.read("out"); !strings.Contains(text, `[30,"New York, NY","False"]`) {
		t.Error(text)
	}
	f.write("people.csv", "age,city,member,label\n30,Oslo,NaN,1\n")
	status, _, stderr := callFacet(t, "predict", "--model", f.file("model.txt"), "--test",
		f.file("people.csv"))
	if status != 2 || !strings.Contains(stderr, "missing values") {
		t.Errorf("status %d: %s", status, stderr)
	}
}

// TestTruthsAreNoted: a feature that is True or False may be changed to a number between, which a
// note says, unless rules keep it whole.
func TestTruthsAreNoted(t *testing.T) {
	f := newWordy(t)
	f.write("people.csv", "age,city,member,label\nTrue,Oslo,False,1\nFalse,Bergen,True,0\n")
	const want = `counts as 1 or 0 ("age"), and examples may lie between: {"features": {"age": ` +
		`{"integer": true, "min": 0, "max": 1}}} in a file of --costs`
	if _, stderr := f.asking("attack"); !strings.Contains(stderr, want) {
		t.Error(stderr)
	}
	f.write("costs.json", `{"features": {"age": {"integer": true, "min": 0, "max": 1}}}`)
	if _, stderr := f.asking("attack", "--costs", f.file("costs.json")); strings.Contains(
		stderr, "True or False",
	) {
		t.Error(stderr)
	}
	f.write("people.csv", "age,city,member,label\nTrue,Oslo,False,1\n2,Bergen,True,0\n")
	if _, stderr := f.asking("attack"); strings.Contains(stderr, "True or False") {
		t.Error(stderr)
	}
}

// TestLibrariesConfirmWords: models that libraries trained on data frames of words, numbers, truths
// and missing values get the labels that the library gives the same rows, and so do the examples,
// in the words that facet writes.
func TestLibrariesConfirmWords(t *testing.T) {
	t.Parallel() // it waits for a process
	const script = "../../tools/libraries/make_words.py"
	folder := folder{t, t.TempDir()}
	python.Run(t, script, nil, "make", folder.path, "3")
	models, err := filepath.Glob(folder.file("*.model"))
	if err != nil || len(models) < 4 {
		t.Fatalf("models %q, %v", models, err)
	}
	type asked struct{ Rows, Labels []any }
	questions := make(map[string]asked)
	for _, model := range models {
		name := strings.TrimSuffix(filepath.Base(model), ".model")
		status, stdout, stderr := callFacet(t, "attack", "--model", model, "--test",
			folder.file(name+".csv"), "--missing", "keep", "--include-misclassified", "--out",
			folder.file(name+".out"))
		if status != 0 {
			t.Fatalf("%s: %s%s", name, stdout, stderr)
		}
		_, lines, err := results.Read[results.Line](folder.file(name + ".out"))
		if err != nil {
			t.Fatal(err)
		}
		var q asked
		words := 0
		for _, l := range lines {
			if *l.Label != l.Predicted { // the label of the file is that of the library
				t.Errorf("%s: row %d has label %v, and %v as the library has it",
					name, l.Row, l.Predicted, l.Label)
			}
			if l.Adversarial != nil {
				q.Rows = append(q.Rows, l.Adversarial)
				q.Labels = append(q.Labels, l.AdversarialLabel)
			}
			for _, v := range l.Adversarial {
				if _, word := v.Word(); word {
					words++
				}
			}
		}
		if words < 50 || len(q.Rows) < 30 {
			t.Errorf("%s: %d examples with %d words", name, len(q.Rows), words)
		}
		questions[name] = q
	}
	text, err := json.Marshal(questions)
	if err != nil {
		t.Fatal(err)
	}
	wrong := python.Run(t, script, text, "ask", folder.path)
	if text := strings.TrimSpace(string(wrong)); text != "" {
		t.Error(text)
	}
	if _, err := os.Stat(folder.file("xgboost.csv")); err != nil || !slices.Contains(
		models, folder.file("xgboost.model"),
	) {
		t.Errorf("no model of XGBoost: %q, %v", models, err)
	}
}
