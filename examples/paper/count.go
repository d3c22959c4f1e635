package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-1a7dc1f9/facet/examples/internal/experiment"
	"github.com/seed-1a7dc1f9/facet/examples/internal/printed"
	"github.com/seed-1a7dc1f9/facet/internal/dataset/protocol"
)

// tally counts cells by verdict.
type tally struct {
	kind string
	of   [different + 1]int
}

func (t *tally) all() int { return t.of[equal] + t.of[excused] + t.of[different] }

// kinds are the groups that cells are counted in, in order.
var kinds = []string{
	"robustness", "defscore of pruning", "adversarial training", "robust splitting",
	"black-box attack",
	"accuracy", "rows kept", "size of a set",
}

// kind is the kind of number that the cell shows.
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

// tallies counts the cells that the paper has: by kind, without repeats, those of all kinds, and
// all, cells that are printed twice included.
func tallies(all cells) (byKind []tally, distinct, whole tally) {
	byKind = make([]tally, len(kinds))
	for i, kind := range kinds {
		byKind[i].kind = kind
	}
	for _, c := range all {
		if c.verdict == unprinted || c.column.like != "" {
			continue
		}
		whole.of[c.verdict]++
		if !c.repeats() {
			distinct.of[c.verdict]++
			byKind[slices.Index(kinds, c.kind())].of[c.verdict]++
		}
	}
	return byKind, distinct, whole
}

// Count says how many cells were compared and with what result.
func (all cells) Count() string {
	_, distinct, whole := tallies(all)
	return fmt.Sprintf("%d cells compared with print, of which %d are not repeats: of these %d "+
		"equal, %d explained, %d different",
		whole.all(), distinct.all(), distinct.of[equal], distinct.of[excused],
		distinct.of[different])
}

// Counts is a Markdown table of the tallies of each kind that has any cells.
func (all cells) Counts() string {
	rows := [][]string{{"cells", "compared", "equal", "explained", "different"}}
	byKind, _, _ := tallies(all)
	for _, t := range byKind {
		if t.all() > 0 {
			rows = append(rows, append([]string{t.kind}, t.numbers()...))
		}
	}
	return markdownTable(rows)
}

// numbers are those of the cells that were compared, equal, explained and different.
func (t *tally) numbers() []string {
	var list []string
	for _, n := range []int{t.all(), t.of[equal], t.of[excused], t.of[different]} {
		list = append(list, fmt.Sprint(n))
	}
	return list
}

// Short is a Markdown table of all cells, and of each once.
func (all cells) Short() (string, error) {
	every, once, err := printedCells()
	if err != nil {
		return "", err
	}
	_, distinct, whole := tallies(all)
	return markdownTable([][]string{
		{"the paper's cells", "printed", "compared", "equal", "explained", "different"},
		append([]string{"all", fmt.Sprint(every)}, whole.numbers()...),
		append([]string{"each once", fmt.Sprint(once)}, distinct.numbers()...),
	}), nil
}

// printedCells counts the cells that the paper prints, dashes among them, and those that
// repeat no other.
func printedCells() (every, once int, err error) {
	for n := 1; n <= printed.Tables; n++ {
		table, err := printed.Load(n)
		if err != nil {
			return 0, 0, err
		}
		for _, name := range table.Columns {
			every++
			if c := (&cell{table: n, column: column{name: name}}); !c.repeats() {
				once++
			}
		}
	}
	sets := len(protocol.Names())
	return every * sets, once * sets, nil
}

// Left names the cells that were not compared because they take long, "" if there are none.
func (all cells) Left() string {
	var names []string
	for _, c := range all {
		if c.left && !c.column.ours {
			names = append(names, fmt.Sprintf("table %d, %s `%s`", c.table, c.title, c.column.name))
		}
	}
	return strings.Join(names, "; ")
}

// Missing says which of the printed cells were not compared.
func (all cells) Missing() (string, error) {
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
	if absent == nil {
		return "", nil
	}
	every, _, err := printedCells()
	return fmt.Sprintf("%d of the printed cells, those of %s, are not compared.",
		every/len(protocol.Names())*len(absent), strings.Join(absent, ", ")), err
}
