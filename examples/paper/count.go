package main

import (
	"fmt"
	"strings"

	"github.com/seed-1a7dc1f9/facet/examples/internal/experiment"
	"github.com/seed-1a7dc1f9/facet/examples/internal/printed"
	"github.com/seed-1a7dc1f9/facet/internal/protocol"
)

// tally counts cells by verdict.
type tally struct {
	kind string
	of   [different + 1]int
}

func (t *tally) all() int { return t.of[equal] + t.of[excused] + t.of[different] }

// kinds are what cells are counted by, in order.
var kinds = []string{
	"robustness", "defscore of pruning", "adversarial training", "robust splitting",
	"black-box attack",
	"accuracy", "rows kept", "size of a set",
}

// kind says what the cell shows.
func (c *cell) kind() string {
	_, last, _ := strings.Cut(c.column.name, "_")
	switch {
	case last == string(experiment.BlackBox):
		return "black-box attack"
	case last == string(experiment.Adversarial):
		return "adversarial training"
	case last == string(experiment.Splitting):
		return "robust splitting"
	case c.table == 3:
		return "size of a set"
	case c.table == 2, strings.HasPrefix(c.column.name, "defscore"):
		return "defscore of pruning"
	case strings.HasPrefix(c.column.name, "accuracy"):
		return "accuracy"
	case strings.HasPrefix(c.column.name, "train"):
		return "rows kept"
	}
	return "robustness"
}

// repeats reports whether the paper prints the number more than once, and this is not
// where it is counted: rows in the tables of four classifiers, the undefended columns
// in Tables 1 and 4 to 7, pruning at 0.3 in Tables 2 and 4 to 7.
func (c *cell) repeats() bool {
	switch name := c.column.name; c.table {
	case 1:
		return name == "1nn_rba_exact" || name == "3nn_rba_approx" || name == "dt_rba_exact" ||
			name == "rf_rba_approx"
	case 2:
		return strings.HasSuffix(name, pruning)
	case 4:
		return name == "train"
	case 5, 6, 7:
		return strings.HasPrefix(name, "train")
	}
	return false
}

// tallies counts the cells that the paper has, without repeats, by kind, and then all.
func tallies(all cells) []tally {
	list := make([]tally, len(kinds))
	at := make(map[string]*tally)
	for i, kind := range kinds {
		list[i].kind = kind
		at[kind] = &list[i]
	}
	distinct, whole := tally{kind: "all, each once"}, tally{kind: "all, with what is printed twice"}
	for _, c := range all {
		if c.verdict == unprinted || c.column.like != "" {
			continue
		}
		whole.of[c.verdict]++
		if !c.repeats() {
			distinct.of[c.verdict]++
			at[c.kind()].of[c.verdict]++
		}
	}
	return append(list, distinct, whole)
}

// countAll says how many cells were compared and with what result.
func countAll(all cells) string {
	list := tallies(all)
	distinct, whole := list[len(list)-2], list[len(list)-1]
	return fmt.Sprintf("%d cells compared with print, of which %d are not repeats: of these %d "+
		"equal, %d become so in a way that was tried, %d different",
		whole.all(), distinct.all(), distinct.of[equal], distinct.of[excused],
		distinct.of[different])
}

// countTable is a Markdown table of the tallies that have any cells.
func countTable(all cells) string {
	rows := [][]string{{"cells", "compared", "equal", "cause tried", "different"}}
	for _, t := range tallies(all) {
		if n := t.all(); n > 0 {
			rows = append(rows,
				[]string{t.kind, fmt.Sprint(n), fmt.Sprint(t.of[equal]), fmt.Sprint(t.of[excused]),
					fmt.Sprint(t.of[different])})
		}
	}
	return markdownTable(rows)
}

// missing says which of the printed cells were not compared, and why.
func missing(all cells) (string, error) {
	cells := 0
	for n := 1; n <= printed.Tables; n++ {
		table, err := printed.Load(n)
		if err != nil {
			return "", err
		}
		cells += len(table.Columns)
	}
	there := make(map[string]bool)
	for _, c := range all {
		there[c.set] = true
	}
	var absent []string
	for _, name := range protocol.Names() {
		if !there[name] {
			absent = append(absent, name)
		}
	}
	total := cells * len(protocol.Names())
	if absent == nil {
		return fmt.Sprintf("The paper prints %d cells, dashes among them.", total), nil
	}
	return fmt.Sprintf("The paper prints %d cells, dashes among them. %d of them, those of %s, "+
		"are not compared: their files were not at hand.",
		total, cells*len(absent), strings.Join(absent, ", ")), nil
}
