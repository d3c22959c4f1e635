package main

import (
	"fmt"
	"io"
	"strings"
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
*  not the printed number    ~ likewise, for a known cause    (both are listed below)
`

// writeText prints the tables, the deviations and the count.
func writeText(w io.Writer, all cells) error {
	var b strings.Builder
	for table := range captions {
		if part := all.of(table); len(part) > 0 {
			fmt.Fprintf(&b, "Table %d: %s\n\n", table, captions[table])
			writeGrid(&b, part.grid())
			b.WriteByte('\n')
		}
	}
	b.WriteString(legend)
	for _, d := range explained(all) {
		fmt.Fprintf(&b, "\n%s %s:\n", d.verdict.mark(), d.cause)
		for _, part := range d.byTable() {
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
			text += fmt.Sprintf("%*s%s%*s", oursWidth, c.ours(), c.verdict.mark(), numberWidth, c.theirs())
		}
		b.WriteString(strings.TrimRight(text, " ") + "\n")
	}
}
