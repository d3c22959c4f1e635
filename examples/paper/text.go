package main

import (
	_ "embed"
	"fmt"
	"io"
	"strings"
	"text/template"
)

// captions are those of the tables.
var captions = []string{
	1: "empirical robustness of undefended classifiers under each attack",
	2: "defscore of the defences at strength 0.3",
	3: "data sets",
	4: "adversarial pruning, 1-NN",
	5: "adversarial pruning, 3-NN",
	6: "adversarial pruning, decision tree",
	7: "adversarial pruning, random forest",
}

const legend = `left ours, right as printed; robustness (er) is the mean l-infinity distance of 100 attacked points
-  no number: fewer than 100 test points are classified correctly, or all training rows get one label
_exact  exact radii where the paper could only approximate
*  not the printed number    ~ likewise, for a cause that was tried    (both are listed below)
`

// writeText prints the tables, the deviations and the count.
func writeText(w io.Writer, all cells) error {
	var b strings.Builder
	for _, part := range all.byTable() {
		fmt.Fprintf(&b, "Table %d: %s\n\n", part[0].table, captions[part[0].table])
		writeGrid(&b, part.grid())
		b.WriteByte('\n')
	}
	b.WriteString(legend)
	for _, d := range explained(all) {
		fmt.Fprintf(&b, "\n%s %s:\n", d.verdict.mark(), d.cause)
		for _, part := range d.cells.byTable() {
			fmt.Fprintf(&b, "  %s\n", part.text())
		}
	}
	if text := chance(all); text != "" {
		fmt.Fprintf(&b, "\n%s.\n", text)
	}
	fmt.Fprintf(&b, "\n%s.\n", countAll(all))
	_, err := io.WriteString(w, b.String())
	return err
}

const (
	nameWidth   = 19
	oursWidth   = 9
	numberWidth = 7
)

func writeGrid(b *strings.Builder, lines []cells) {
	fmt.Fprintf(b, "%-*s", nameWidth, "")
	for _, c := range lines[0] {
		fmt.Fprintf(b, "%*s", oursWidth+1+numberWidth, c.title)
	}
	b.WriteByte('\n')
	for _, line := range lines {
		text := fmt.Sprintf("%-*s", nameWidth, line[0].column.name)
		for _, c := range line {
			text += fmt.Sprintf("%*s%s%*s",
				oursWidth, c.ours(), c.verdict.mark(), numberWidth, c.theirs())
		}
		b.WriteString(strings.TrimRight(text, " ") + "\n")
	}
}

//go:embed results.md.tmpl
var resultsText string

// page is the data of the template of -markdown.
type page struct {
	TestOnly  bool
	Short     string // table of all cells
	Counts    string // table by kind
	Ranges    string // table, "" without any
	Missing   string
	Left      string // cells that take long, "" for none
	Chance    string // "" with one seed
	Tables    []pageTable
	Explained []pageCause
	Exactness *exactness // nil without exact values to compare
}

type pageTable struct {
	Number        int
	Caption, Text string
}

type pageCause struct {
	Mark, Cause string
	Lines       []string
}

// writeMarkdown writes the tables, the deviations and, if all of it was computed, the differences
// that exactness makes.
func writeMarkdown(w io.Writer, all cells) error {
	t, err := template.New("results").Parse(resultsText)
	if err != nil {
		return err
	}
	p := &page{
		Counts: countTable(all), Ranges: rangeTable(all), Left: leftOut(all), Chance: chance(all),
		Exactness: newExactness(all),
	}
	if p.Missing, err = missing(all); err != nil {
		return err
	}
	if p.Short, err = shortTable(all); err != nil {
		return err
	}
	for _, c := range all {
		p.TestOnly = p.TestOnly || c.title != c.set
	}
	for _, part := range all.byTable() {
		table := part[0].table
		p.Tables = append(p.Tables, pageTable{table, captions[table], markdownGrid(part.grid())})
	}
	for _, e := range explained(all) {
		c := pageCause{Mark: e.verdict.mark(), Cause: e.cause}
		for _, part := range e.cells.byTable() {
			c.Lines = append(c.Lines, part.text())
		}
		p.Explained = append(p.Explained, c)
	}
	return t.Execute(w, p)
}

// markdownGrid is a table with a line for each column of the paper.
func markdownGrid(lines []cells) string {
	rows := [][]string{
		append([]string{""}, lines[0].each(func(c *cell) string { return c.title })...),
	}
	for _, line := range lines {
		rows = append(rows,
			append([]string{"`" + line[0].column.name + "`"}, line.each((*cell).beside)...))
	}
	return markdownTable(rows)
}

// beside is our number, its mark and the printed one.
func (c *cell) beside() string {
	text := c.ours() + strings.ReplaceAll(strings.TrimSpace(c.verdict.mark()), "*", `\*`)
	if theirs := c.theirs(); theirs != "" {
		text += " / " + theirs
	}
	return text
}

// markdownTable is a table whose first row is its head.
func markdownTable(rows [][]string) string {
	var b strings.Builder
	for i, row := range rows {
		fmt.Fprintf(&b, "| %s |\n", strings.Join(row, " | "))
		if i == 0 {
			b.WriteString("|---|" + strings.Repeat("---:|", len(row)-1) + "\n")
		}
	}
	return b.String()
}
