package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
)

// groups are the flags of all commands, in the order of the help.
var groups = []struct {
	title string
	names []string
}{
	{"Data", []string{
		"train", "test", "label", "ignore", "id", "missing", "classes", "scale", "near",
	}},
	{"Model", []string{
		"model", "k", "trees", "depth", "weights", "criterion", "seed", "robust",
		"prune", "adversarial-training", "min-leaf", "rate", "tune",
	}},
	{"Question", []string{
		"radius", "target", "also", "norm", "units", "costs", "domain", "counterfactuals",
		"include-misclassified", "points", "rows", "smallest", "reasons", "box", "ignores",
		"monotone", "same-as", "output-at-most", "output-at-least", "by", "baseline",
	}},
	{"Limits", []string{"timeout", "workers"}},
	{"Output", []string{
		"out", "about", "save", "csv", "summary", "plot", "proofs", "resume", "overwrite", "shard",
	}},
}

// rare are flags that hardly anybody needs, by why, and the page that explains them.
var rare = []struct {
	why   string
	names []string
}{
	{"Files are read as their names and contents say, and these overrule that or mend what they " +
		"do not say; errors name them, docs/use/programs.md explains them", []string{
		"format", "sep", "decimal", "header", "train-labels", "test-labels", "unknown-labels",
		"vote",
	}},
	{"Of defences (docs/use/defences.md)", []string{"prune-local", "whole-tree"}},
	{"Of pairs of inputs (docs/use/properties.md)", []string{"apart", "ordered"}},
	{"Rarely needed (docs/use/scale.md)", []string{
		"max-nodes", "max-memory", "max-values", "untimed", "examples",
	}},
}

// help explains a command and its flags, or lists the commands. -h says the shorter half.
func help(c *cobra.Command, args []string) {
	w := c.OutOrStdout()
	switch {
	case !c.HasParent():
		list(w, c)
	case slices.Contains(args, "-h") && !slices.Contains(args, "--help"):
		briefly(w, c)
	default:
		fully(w, c)
	}
}

// list lists the commands.
func list(w io.Writer, root *cobra.Command) {
	fmt.Fprintln(w, command.Wrap(root.Short, ""))
	fmt.Fprintln(w)
	for _, sub := range root.Commands() {
		if sub.IsAvailableCommand() {
			text := command.Wrap(sub.Short, strings.Repeat(" ", 21))
			fmt.Fprintf(w, "  facet %-12s %s\n", sub.Name(), strings.TrimSpace(text))
		}
	}
	fmt.Fprintf(w, "\nfacet COMMAND -h shows how to begin, facet COMMAND --help all flags.\n")
}

// fully explains all flags of a command, in groups.
func fully(w io.Writer, c *cobra.Command) {
	command.ExplainUse(w, c.Short, c.Long, c.UseLine())
	for _, g := range groups {
		titled := false
		for _, name := range g.names {
			f := c.Flags().Lookup(name)
			if f == nil {
				continue
			}
			if !titled {
				fmt.Fprintf(w, "\n%s\n\n", g.title)
				titled = true
			}
			command.ExplainFlag(w, f)
		}
	}
	rarely(w, c.Flags())
}

// rarely names the rare flags that a command has.
func rarely(w io.Writer, flags *pflag.FlagSet) {
	for _, r := range rare {
		var list []string
		for _, name := range r.names {
			if f := flags.Lookup(name); f != nil {
				value, _ := pflag.UnquoteUsage(f)
				list = append(list, strings.TrimSpace("--"+name+" "+value))
			}
		}
		if list != nil {
			text := r.why + ": " + strings.Join(list, ", ") + "."
			fmt.Fprintf(w, "\n%s\n", command.Wrap(text, ""))
		}
	}
}

// briefly explains the flags that most people need.
func briefly(w io.Writer, c *cobra.Command) {
	command.ExplainUse(w, c.Short, "", c.UseLine())
	b := briefs[c.Name()]
	if b.example != "" {
		fmt.Fprintf(w, "\n  %s\n", strings.ReplaceAll(b.example, "\n", "\n    "))
	}
	fmt.Fprintln(w)
	for _, f := range briefFlags(c) {
		value, _ := pflag.UnquoteUsage(f)
		fmt.Fprintf(w, "  %-21s %s\n", strings.TrimSpace("--"+f.Name+" "+strings.ToUpper(value)),
			inBrief[f.Name])
	}
	fmt.Fprintf(w, "\n%s --help explains all flags. There is a page for each question:\n"+
		"https://github.com/seed-1a7dc1f9/facet/tree/main/docs\n", c.CommandPath())
}

// briefFlags returns the flags of a short help, at most ten.
func briefFlags(c *cobra.Command) (list []*pflag.Flag) {
	for _, name := range append(slices.Clone(briefs[c.Name()].first), common...) {
		f := c.Flags().Lookup(name)
		if f != nil && !slices.Contains(list, f) && len(list) < 10 {
			list = append(list, f)
		}
	}
	return list
}

// common are flags that a short help has, if the command has them and there is room.
var common = []string{
	"train", "test", "model", "label", "out", "norm", "points", "workers", "timeout",
	"overwrite", "save", "k",
}

// brief has the additions to the short help of a command.
type brief struct {
	example string
	first   []string // flags before the common ones
}

var briefs = map[string]brief{
	"attack": {
		"facet attack --train iris.csv --test iris.csv --model forest --out rows.jsonl",
		[]string{"train", "test", "model", "label", "norm", "target", "costs", "points",
			"out", "plot"},
	},
	"certify": {
		"facet certify --train iris.csv --test iris.csv --radius 0.05,0.1 --plot r.png",
		[]string{"train", "test", "model", "radius", "label", "norm", "costs", "points",
			"out", "plot"},
	},
	"explain": {
		"facet explain --model forest.json --test iris.csv --out reasons.jsonl",
		[]string{"model", "train", "test", "label", "box", "reasons", "costs", "points",
			"timeout", "out"},
	},
	"range": {
		"facet range --model prices.json --test houses.csv --radius 0.1 --out r.jsonl",
		[]string{"model", "test", "radius", "domain"},
	},
	"verify": {
		"facet verify credit.json --ignores sex --monotone income:up --timeout 60s",
		[]string{"ignores", "monotone", "same-as", "output-at-most", "output-at-least", "domain",
			"costs", "near", "timeout", "out"},
	},
	"gate": {
		"facet gate policy.yaml --model forest.json --test iris.csv --out gate.md",
		[]string{"model", "test", "out", "baseline", "label", "timeout", "proofs", "train"},
	},
	"predict": {"facet predict --model forest.json --test iris.csv", nil},
	"train": {
		"facet train --train iris.csv --model forest --trees 50 --save forest.json",
		[]string{"train", "model", "save", "label", "k", "trees", "depth", "seed",
			"robust", "prune"},
	},
	"prune": {
		"facet prune --train iris.csv --prune 0.15 --out rows.txt",
		[]string{"train", "prune", "out", "proofs", "norm", "scale"},
	},
	"report": {
		"facet report rows.jsonl --out report.html", []string{"out", "proofs"},
	},
	"info":  {"facet info forest.json", []string{"save"}},
	"check": {"facet check rows.proofs --model forest.json", []string{"model", "train", "out"}},
	"merge": {"facet merge part1.jsonl part2.jsonl --out rows.jsonl", nil},
}

// inBrief are flags in a few words.
var inBrief = map[string]string{
	"baseline":        "the model in service, to compare with",
	"box":             "intervals within which nothing changes the label, too",
	"costs":           "prices and rules of moves, JSON (docs/use/costs.md)",
	"depth":           "splits on a path of a tree",
	"domain":          "where inputs lie: LO,HI, or a file",
	"ignores":         "decisions do not depend on these features",
	"k":               "neighbours that vote",
	"label":           "the column of the labels (default the last)",
	"model":           "knn, tree, forest, boosted, oblique, or the file of one",
	"monotone":        "the output rises with A:up, falls with A:down",
	"near":            "inputs are near the rows of this file",
	"norm":            "of distances: inf (default), 1, 2, or 0: changes",
	"out":             "where the answers go",
	"output-at-least": "no output is smaller",
	"output-at-most":  "no output is larger",
	"overwrite":       "replace files that are there",
	"plot":            "a picture, .png or .svg",
	"points":          "only the first N rows",
	"proofs":          "the proofs of the results",
	"prune":           "adversarial pruning: keep rows of two labels 2R apart",
	"radius":          "how far inputs lie from each row at most",
	"reasons":         "up to N reasons a row",
	"robust":          "trees that allow for moves of EPS",
	"same-as":         "the model decides everywhere as this one",
	"save":            "the file of the model",
	"scale":           "none, or minmax: features to [0,1]",
	"seed":            "of the training",
	"target":          "the label to reach; output:T, probability:L:P, change:D",
	"test":            "the rows to ask about: CSV, TSV, LIBSVM, NPY; - is stdin",
	"timeout":         "for each, such as 10s",
	"train":           "the rows to train on: CSV, TSV, LIBSVM, NPY; - is stdin",
	"trees":           "trees of a forest",
	"workers":         "how many at a time (default one per core)",
}

// elsewhere returns the flags that other commands have, and which.
func elsewhere(c *cobra.Command) map[string][]string {
	have := make(map[string][]string)
	for _, other := range commands() {
		other.Flags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden && c.Flags().Lookup(f.Name) == nil {
				have[f.Name] = append(have[f.Name], other.Name())
			}
		})
	}
	return have
}

// others are flags as other programs have them, and their names here.
var others = map[string]string{
	"time-limit": "timeout", "time": "timeout", "limit": "timeout", "epsilon": "radius",
	"eps": "radius", "radii": "radius", "output": "out", "outfile": "out", "labels": "label",
	"target-column": "label", "n-estimators": "trees", "max-depth": "depth", "neighbors": "k",
	"n-neighbors": "k", "jobs": "workers", "n-jobs": "workers", "threads": "workers",
	"force": "overwrite", "max-rows": "points", "samples": "points", "exclude": "ignore",
	"delimiter": "sep", "separator": "sep", "constraints": "costs", "bounds": "domain",
	"distance": "norm", "metric": "norm", "random-state": "seed",
}

// retired says of flags that were where to find them.
func retired() map[string]string {
	const training = "training has more options in facet train: facet train --%s … --save " +
		"FILE, and then --model FILE"
	const experiment = "an experiment of the paper: go run ./examples/paper attack --%s …, with " +
		"the flags of facet attack"
	said := map[string]string{
		"above": "ask with --target output:T, of the probability of a label with --target " +
			"probability:LABEL:P",
		"probability-of": "ask with --target probability:LABEL:P",
		"change":         "ask with facet attack --target change:D",
		"max-bytes":      "it is --max-memory, of each row",
		"attack":         fmt.Sprintf(experiment, "attack"),
		"regions":        fmt.Sprintf(experiment, "attack approx --regions"),
		"solver":         fmt.Sprintf(experiment, "solver"),
		"list":           "--out - prints a line for each proof",
		"probability":    "ask with --target probability, or --target probability:LABEL",
	}
	for _, name := range []string{
		"weights", "criterion", "seed", "robust", "prune", "prune-local", "adversarial-training",
		"tune", "min-leaf", "whole-tree", "rate",
	} {
		said[name] = fmt.Sprintf(training, name)
	}
	said["robust-splits"] = fmt.Sprintf(training, "robust")
	return said
}

// moved says of flags that were, or that another command has, where they are.
func moved(c *cobra.Command) map[string]string {
	said := retired()
	has := elsewhere(c)
	for name, list := range has {
		if said[name] == "" {
			said[name] = "facet " + strings.Join(list, ", ") + map[bool]string{
				true: " has it", false: " have it"}[len(list) == 1]
		}
	}
	for name, flag := range others {
		switch list := has[flag]; {
		case c.Flags().Lookup(flag) != nil:
			said[name] = fmt.Sprintf("it is --%s", flag)
		case list != nil:
			said[name] = fmt.Sprintf("it is --%s of facet %s", flag, strings.Join(list, ", "))
		}
	}
	ownWords(c, said)
	return said
}

// ownWords sets the texts of a command that differ from those of others.
func ownWords(c *cobra.Command, said map[string]string) {
	switch c.Name() {
	case "train":
		said["out"] = "the model goes to --save FILE"
		said["robust-splits"] = "it is --robust EPS"
	case "verify", "info":
		said["model"] = fmt.Sprintf("the file follows the command: facet %s FILE", c.Name())
	case "predict":
		said["norm"] = "it is for --prune and --adversarial-training: " + said["prune"]
	case "report":
		for _, g := range groups {
			for _, name := range g.names {
				said[name] = "facet report takes results: facet attack … --out rows.jsonl, and " +
					"then facet report rows.jsonl"
			}
		}
	}
}
