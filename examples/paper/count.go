package main

import (
	_ "embed"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/seed-1a7dc1f9/facet/examples/internal/printed"
	"github.com/seed-1a7dc1f9/facet/internal/dataset/protocol"
)

// tally counts cells by verdict.
type tally struct {
	kind string
	of   [different + 1]int
}

func (t *tally) all() int { return t.of[equal] + t.of[excused] + t.of[different] }

// kindsFile has the kinds of numbers: the place of each in the table of counts, its name, and a
// pattern of the tables and columns that show it, as path.Match reads it. The first that matches
// counts.
//
//go:embed kinds.tsv
var kindsFile string

// repeatsFile has the numbers that the paper prints more than once, where they are not counted:
// rows in the tables of four classifiers, the undefended columns in Tables 1 and 4 to 7, pruning at
// 0.3 in Tables 2 and 4 to 7.
//
//go:embed repeats.tsv
var repeatsFile string

var kinds, repeats = table(kindsFile, 3), table(repeatsFile, 1)

// matches reports whether the cell is one of a pattern, which is part of the program.
func (c *cell) matches(pattern string) bool {
	found, err := path.Match(pattern, fmt.Sprintf("%d/%s", c.table, c.column.name))
	if err != nil {
		panic(err)
	}
	return found
}

// kind returns where the kind of the number that the cell shows stands, and its name.
func (c *cell) kind() (place int, name string) {
	i := slices.IndexFunc(kinds, func(k []string) bool { return c.matches(k[2]) })
	return int(number(kinds[i][0])), kinds[i][1]
}

// repeats reports whether the paper prints the number more than once, and this is not where it is
// counted.
func (c *cell) repeats() bool {
	return slices.ContainsFunc(repeats, func(r []string) bool { return c.matches(r[0]) })
}

// tallies counts the cells that the paper has: by kind, without repeats, those of all kinds, and
// all, cells that are printed twice included.
func tallies(all cells) (byKind []tally, distinct, whole tally) {
	byKind = make([]tally, len(kinds))
	for _, c := range all {
		if c.verdict == unprinted || c.column.like != "" {
			continue
		}
		whole.of[c.verdict]++
		if !c.repeats() {
			distinct.of[c.verdict]++
			place, name := c.kind()
			byKind[place].kind = name
			byKind[place].of[c.verdict]++
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
