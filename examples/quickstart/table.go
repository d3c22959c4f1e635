package main

import (
	"fmt"
	"io"
	"math"
	"strings"

	paper "github.com/seed-1a7dc1f9/facet/examples/internal/printed"
	"github.com/seed-1a7dc1f9/facet/internal/dataset/protocol"
	"github.com/seed-1a7dc1f9/facet/metrics"
)

const header = `                                   empirical robustness        defscore
classifier     r    rows  accuracy       ours   printed      ours   printed      exact
`

const footnotes = `
r         separation: differently labelled training points at most r apart conflict (prune.Adversarial{Radius: r/2})
ours      by the attack of the paper: exact on 1-NN and the tree, approximate on 3-NN and the forest
exact     the mean distance of nearest examples, which are proven; no attack can be nearer
defscore  robustness with pruning over that without it, both rounded to three decimals first, as in print
-         no number in print: the classifier gives the whole test set one label
`

// deviation explains the marks.
const deviation = `*         not the printed number: the paper pulled its examples inside the cells (1-NN: by 5e-6 on raw bisectors, tree: by 1e-4)
`

// writeTable prints the cells beside the paper's numbers.
func writeTable(w io.Writer, set *protocol.Set, cells []*cell) error {
	var b strings.Builder
	fmt.Fprintf(&b, "halfmoon: %d training and %d test points, %d of these attacked exactly in "+
		"the l-infinity norm\n\n",
		len(set.TrainY), len(set.TestY), len(cells[0].points))
	b.WriteString(header)
	undefended := cells[0]
	for _, c := range cells {
		if c.separation == 0 {
			undefended = c
		}
		b.WriteString(c.line(undefended))
	}
	marked := strings.Contains(b.String(), "*")
	b.WriteString(footnotes)
	if marked {
		b.WriteString(deviation)
	}
	b.WriteByte('\n')
	_, err := io.WriteString(w, b.String())
	return err
}

// line is the cell's row of the table.
func (c *cell) line(undefended *cell) string {
	separation, defscore := "none", ""
	if c.separation > 0 {
		separation = fmt.Sprintf("%.1f", c.separation)
		defscore = compare(c.defscore(undefended), 3, c.printed.defscore)
	}
	text := fmt.Sprintf("%-10s  %4s  %6d%s  %s  %s  %s", c.contender.name, separation,
		c.test.Rows, mark(float64(c.test.Rows), c.printed.rows),
		number(c.test.Accuracy, 3, 7)+mark(c.test.Accuracy, c.printed.accuracy),
		compare(c.robustness, 4, c.printed.er), defscore)
	if !math.IsNaN(c.exact) {
		text = fmt.Sprintf("%-74s  %9.4f", text, c.exact)
	}
	return strings.TrimRight(text, " ") + "\n"
}

// defscore is NaN for a cell without points.
func (c *cell) defscore(undefended *cell) float64 {
	score, err := metrics.Defscore(paper.Thousandths(c.robustness),
		paper.Thousandths(undefended.robustness))
	if err != nil {
		return math.NaN()
	}
	return score
}

// compare sets our number beside the printed one, marked when it rounds to another.
func compare(ours float64, digits int, printed *paper.Number) string {
	theirs := math.NaN()
	if printed != nil {
		theirs = printed.Value
	}
	return number(ours, digits, 9) + mark(ours, printed) + number(theirs, 3, 8)
}

// number formats a number, a dash for NaN, at the end of a field.
func number(v float64, digits, width int) string {
	if math.IsNaN(v) {
		return fmt.Sprintf("%*s", width, "-")
	}
	return fmt.Sprintf("%*.*f", width, digits, v)
}

func mark(ours float64, printed *paper.Number) string {
	if printed == nil && math.IsNaN(ours) || printed != nil && printed.Equals(ours) {
		return " "
	}
	return "*"
}
