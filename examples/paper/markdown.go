package main

import (
	_ "embed"
	"fmt"
	"io"
	"strings"
	"text/template"
)

//go:embed results.md.tmpl
var resultsText string

// page is what the template of -markdown shows.
type page struct {
	TestOnly  bool
	Count     string
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

// writeMarkdown writes the tables, the deviations and, if all of it was computed, what
// exactness changes.
func writeMarkdown(w io.Writer, all cells) error {
	t, err := template.New("results").Parse(resultsText)
	if err != nil {
		return err
	}
	p := &page{Count: countAll(all), Chance: chance(all), Exactness: newExactness(all)}
	for _, c := range all {
		p.TestOnly = p.TestOnly || c.title != c.set
	}
	for table := range captions {
		if part := all.of(table); part != nil {
			p.Tables = append(p.Tables, pageTable{table, captions[table], markdownGrid(part.grid())})
		}
	}
	for _, e := range explained(all) {
		c := pageCause{Mark: e.verdict.mark(), Cause: e.cause}
		for _, part := range e.byTable() {
			c.Lines = append(c.Lines, part.text())
		}
		p.Explained = append(p.Explained, c)
	}
	return t.Execute(w, p)
}

// markdownGrid is a table with a line for each column of the paper.
func markdownGrid(lines []cells) string {
	rows := [][]string{append([]string{""}, lines[0].each(func(c *cell) string { return c.title })...)}
	for _, line := range lines {
		rows = append(rows, append([]string{"`" + line[0].column.name + "`"}, line.each((*cell).beside)...))
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
