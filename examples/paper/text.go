package main

import (
	_ "embed"
	"fmt"
	"io"
	"slices"
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

// The texts that are made of the cells.
var (
	//go:embed results.txt.tmpl
	plainText string
	//go:embed results.md.tmpl
	markdownText string
)

// writeText prints the tables, the deviations and the count.
func writeText(w io.Writer, all cells) error { return all.write(w, plainText) }

// writeMarkdown writes the tables, the deviations and, if all of it was computed, the differences
// that exactness makes.
func writeMarkdown(w io.Writer, all cells) error { return all.write(w, markdownText) }

func (all cells) write(w io.Writer, text string) error {
	t, err := template.New("results").Parse(text)
	if err != nil {
		return err
	}
	return t.Execute(w, all)
}

// Number is that of the table of these cells.
func (all cells) Number() int { return all[0].table }

// Caption is that of the table of these cells.
func (all cells) Caption() string { return captions[all.Number()] }

// TestOnly reports whether a set is made of test images alone.
func (all cells) TestOnly() bool {
	return slices.ContainsFunc(all, func(c *cell) bool { return c.title != c.set })
}

const (
	nameWidth   = 19
	oursWidth   = 9
	numberWidth = 7
)

// Text is the table of these cells, a line for each of the paper's columns.
func (all cells) Text() string {
	var b strings.Builder
	for i, line := range all.grid() {
		if i == 0 {
			fmt.Fprintf(&b, "%-*s", nameWidth, "")
			for _, c := range line {
				fmt.Fprintf(&b, "%*s", oursWidth+1+numberWidth, c.title)
			}
			b.WriteByte('\n')
		}
		text := fmt.Sprintf("%-*s", nameWidth, line[0].column.name)
		for _, c := range line {
			text += fmt.Sprintf("%*s%s%*s",
				oursWidth, c.ours(), c.verdict.mark(), numberWidth, c.theirs())
		}
		b.WriteString(strings.TrimRight(text, " ") + "\n")
	}
	return b.String()
}

// Markdown is the same table.
func (all cells) Markdown() string {
	var rows [][]string
	for i, line := range all.grid() {
		if i == 0 {
			rows = append(rows,
				append([]string{""}, line.each(func(c *cell) string { return c.title })...))
		}
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
