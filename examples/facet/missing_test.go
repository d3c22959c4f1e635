package main

import (
	"fmt"
	"slices"
	"testing"
)

// missingModel labels an input 1 where x₀ > 2, which a missing value is not, and x₁ > 3.
const missingModel = `{"format":"facet-model","version":1,"kind":"ensemble","n_features":2,"classes":[0,1],"comparison":"x <= t","vote":"soft",
 "trees":[{"feature":[0,-1,1,-1,-1],"threshold":[2,0,3,0,0],"left":[1,-1,3,-1,-1],"right":[2,-1,4,-1,-1],"missing_left":[true,false,false,false,false],
  "value":[[1,1],[1,0],[1,1],[1,0],[0,1]]}]}`

// TestMissingValues: rows keep missing values; by the rules of moves one may become a number, and a
// number may be missing.
func TestMissingValues(t *testing.T) {
	f := newFolder(t)
	f.write("model.json", missingModel)
	f.write("test.csv", "a,b,y\n?,5,0\n4,5,1\n4,,1\n")
	rule := func(name string) []string {
		file := f.write(name, fmt.Sprintf(`{"features": {"a": {"missing": %q, "up": 0.5}}}`, name))
		return []string{"--costs", file}
	}
	base := []string{"attack", "--model", f.file("model.json"), "--test", f.file("test.csv"),
		"--missing", "keep", "--norm", "1", "--counterfactuals", "1", "--out", f.file("out")}
	for _, tt := range []struct {
		name  string
		costs []string
		want  []string // feature, from, to and cost of the change
	}{
		{"a missing value stays", nil, []string{"", "a 4 2.00 2.00", "a 4 2.00 2.00"}},
		{"it may become a number", rule("fill"),
			[]string{"a missing 2.00 0.50", "a 4 2.00 2.00", "a 4 2.00 2.00"}},
		{"a number may be missing", rule("may"),
			[]string{"a missing 2.00 0.50", "a 4 missing 0.50", "a 4 missing 0.50"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			mustCall(t, append(base, tt.costs...)...)
			var got []string
			for _, l := range f.objects("out") {
				got = append(got, changeOf(l))
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

// changeOf returns the one change of the first counterfactual of a line, "" if it has none.
func changeOf(line map[string]any) string {
	list, _ := line["counterfactuals"].([]any)
	if len(list) == 0 {
		return ""
	}
	c := list[0].(map[string]any)["changes"].([]any)[0].(map[string]any)
	to := c["to"]
	if number, ok := to.(float64); ok {
		to = fmt.Sprintf("%.2f", number)
	}
	return fmt.Sprintf("%v %v %v %.2f", c["feature"], c["from"], to, c["cost"])
}

// TestMissingFaults: a model that takes no missing values is refused before any row is attacked.
func TestMissingFaults(t *testing.T) {
	f := newFolder(t)
	f.write("model.json", missingModel)
	f.write("test.csv", "a,b,y\n?,5,0\n4,5,1\n")
	f.write("train.csv", "a,b,y\n1,5,0\n4,5,1\n")
	f.write("costs.json", `{"features": {"a": {"missing": "fill"}}}`)
	f.write("linear.json", `{"linear": ["a <= b"]}`)
	mustCall(t, "train",
		"--train", f.file("train.csv"), "--model", "knn", "--save", f.file("knn.json"))
	of := func(model string, more ...string) []string {
		return append([]string{"attack", "--model", f.file(model), "--test", f.file("test.csv")},
			more...)
	}
	explain := []string{"explain", "--model", f.file("model.json"), "--test", f.file("test.csv"),
		"--missing", "keep", "--costs", f.file("linear.json")}
	tied := `"a <= b" is about feature "a", which is missing in row 0: rules between features are`
	for text, args := range map[string][]string{
		tied: of("model.json", "--missing", "keep", "--costs", f.file("linear.json")),
		tied + " about numbers; --missing drop leaves such rows out":         explain,
		"or keep them with --missing keep if the file of a model takes them": of("model.json"),
		"--missing keep needs --model": {
			"attack", "--train", f.file("train.csv"), "--test", f.file("test.csv"), "--missing",
			"keep",
		},
		"row 0 of " + f.file("test.csv") +
			" has missing values, and the model": of("knn.json", "--missing", "keep"),
		"--missing keep does not go with --scale minmax": of("model.json", "--missing",
			"keep", "--train", f.file("train.csv"), "--scale", "minmax"),
		"--proofs does not go with --missing keep: proofs are about rows " +
			"without missing values": of("model.json", "--missing", "keep",
			"--proofs", f.file("proofs")),
		"--missing keep is for --attack exact, not approx": of(
			"model.json", "--missing", "keep", "--train", f.file("train.csv"), "--attack", "approx",
		),
		`"missing": to fill in a value has one price, and --scale minmax makes prices`: of(
			"model.json", "--missing", "drop", "--train", f.file("train.csv"), "--scale", "minmax",
			"--costs", f.file("costs.json"),
		),
		"--missing keep needs --model: what is trained here takes no missing value": {
			"prune", "--train", f.file("test.csv"), "--missing", "keep", "--prune", "1", "--out",
			f.file("keep"),
		},
	} {
		refused(t, text, args...)
	}
}
