package subject

import (
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// flagsOfAll has the flags of package subject, and those of facet attack and facet train that rules
// name.
func flagsOfAll() (*Flags, *pflag.FlagSet) {
	s, f := new(Flags), pflag.NewFlagSet("", pflag.ContinueOnError)
	s.AddRows(f)
	s.AddModel(f)
	s.AddBoosting(f)
	s.AddTraining(f)
	s.AddTarget(f)
	s.AddSearch(f)
	f.String("attack", "exact", "")
	f.String("solver", "native", "")
	f.String("units", "file", "")
	for _, name := range []string{
		"regions", "domain", "timeout", "max-nodes", "max-memory", "costs", "counterfactuals",
		"proofs", "points", "rows", "resume", "overwrite", "out", "save",
		"examples", "ignores",
		"monotone", "same-as", "output-at-most", "output-at-least", "near", "radius",
		"apart", "ordered", "plot", "also",
	} {
		f.String(name, "", "")
	}
	return s, f
}

// TestRulesNameFlags: a rule about a flag that no command has would never hold.
func TestRulesNameFlags(t *testing.T) {
	_, f := flagsOfAll()
	for _, r := range applies {
		for _, u := range []use{r.flag, r.needs, r.not, r.unless} {
			if u != "" && f.Lookup(u.name()) == nil {
				t.Errorf("%+v: there is no flag --%s", r, u.name())
			}
		}
		if (r.needs == "") == (r.not == "") {
			t.Errorf("%+v: it needs a flag, or does not go with one", r)
		}
	}
}

func TestCheck(t *testing.T) {
	for args, want := range map[string]string{
		"":                       "--test FILE is missing: its rows are asked about",
		"--test t --train a":     "",
		"--test t":               "--model knn needs --train: it is trained on its rows",
		"--test t --model m":     "",
		"--test t --model m --k": "--k is for --model knn, not m",
		// An empty value asks for no check, as in scripts that fill in variables.
		"--test t --model m --prune 0 --domain= --robust 0": "",
		"--test t --model m --train a --prune 1": "--prune is for " +
			"--model knn, tree, forest, boosted, oblique, not m",
		"--test t --model m --train a --prune 1 --attack approx": "",
		"--test t --train a --seed 3": "--seed is for " +
			"--model tree, forest, boosted, oblique, not knn",
		"--test t --train a --seed 3 --attack blackbox": "",
		"--test t --train a --missing keep": "--missing keep " +
			"needs --model: what is trained here takes no missing values",
		"--test t --train a --model tree --missing keep": "--missing keep " +
			"is for --model FILE, not tree: what is trained here takes no missing values",
		"--test t --train a --points 3 --rows r": "--points does " +
			"not go with --rows: both choose the rows",
		"--test t --train a --norm 0 --attack direct": "--norm 0 is for " +
			"--attack exact, not direct",
		"--test t --train a --weights distance --attack approx": "--attack approx " +
			"does not go with --weights distance: there are no cells of one label then; exact, " +
			"with a --timeout, does it",
		"--test t --model m --target output:1 --target change:2": "--target change:2 does not " +
			"go with --target output:1: they are two questions",
		"--test t --train a --model forest --adversarial-training 1 --norm 0": "" +
			"--adversarial-training does not go with --norm 0: a count of changes is no distance " +
			"between rows",
	} {
		s, f := flagsOfAll()
		fields := strings.Fields(args)
		if len(fields) > 0 && fields[len(fields)-1] == "--k" {
			fields = append(fields, "1")
		}
		if err := f.Parse(fields); err != nil {
			t.Fatal(err)
		}
		got := ""
		if err := s.Check(Required{"test", "its rows are asked about"}); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: %q, want %q", args, got, want)
		}
	}
}
