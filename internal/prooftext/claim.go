package prooftext

import (
	"bufio"
	"math"
	"slices"
	"strconv"

	"github.com/seed-1a7dc1f9/facet/internal/search"
)

// Claim says that no answer to a query is nearer than a bound.
type Claim struct {
	RealQuery
	Bound   float64
	Example []float64 // that answers, nil for none
	Label   int       // of the example
}

// Begin writes the lines of a proof before its body.
func (c *Claim) Begin(w *bufio.Writer) {
	w.WriteString("proof\nnorm " + c.Norm.String() + "\nfrom " + strconv.Itoa(c.From) + "\n")
	if c.Target >= 0 {
		w.WriteString("target " + strconv.Itoa(c.Target) + "\n")
	}
	for _, quorum := range c.Quorums {
		w.WriteString("also " + strconv.Itoa(quorum.Least) + "\n")
		for _, r := range c.Also[quorum.First:quorum.Last] {
			w.WriteString("by " + strconv.Itoa(r.Model))
			for _, label := range Accepting(r) {
				w.WriteString(" " + strconv.Itoa(label))
			}
			w.WriteByte('\n')
		}
	}
	if c.Domain != nil {
		w.WriteString("domain")
		for _, i := range c.Domain {
			floats(w, i.Lo, i.Hi)
		}
		w.WriteByte('\n')
	}
	if c.Prices != nil {
		w.WriteString("prices")
		for j, up := range c.Prices.Up {
			floats(w, up, c.Prices.Down[j])
		}
		w.WriteByte('\n')
	}
	if c.Codes != nil {
		w.WriteString("codes")
		for _, n := range c.Codes {
			w.WriteString(" " + strconv.Itoa(n))
		}
		w.WriteByte('\n')
	}
	w.WriteByte('x')
	floats(w, c.X...)
	w.WriteString("\nbound")
	floats(w, c.Bound)
	w.WriteByte('\n')
	if c.Example != nil {
		w.WriteString("example " + strconv.Itoa(c.Label))
		floats(w, c.Example...)
		w.WriteByte('\n')
	}
}

// Accepting returns the labels of a requirement that answer, each once, ascending.
func Accepting(r search.Requirement) []int {
	return slices.Compact(slices.Sorted(slices.Values(r.Labels)))
}

// End writes the line after the body.
func (c *Claim) End(w *bufio.Writer) { w.WriteString("end\n") }

// floats writes numbers, each after a space.
func floats(w *bufio.Writer, v ...float64) {
	var memory [32]byte
	for _, e := range v {
		w.WriteByte(' ')
		w.Write(float(memory[:0], e))
	}
}

// Float returns a number as C's %a prints it, or inf, -inf.
func Float(v float64) string { return string(float(nil, v)) }

// float appends a number as C's %a does, or inf, -inf.
func float(to []byte, v float64) []byte {
	switch {
	case math.IsInf(v, 1):
		return append(to, "inf"...)
	case math.IsInf(v, -1):
		return append(to, "-inf"...)
	}
	return strconv.AppendFloat(to, v, 'x', -1, 64)
}
