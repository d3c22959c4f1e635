package pairs

import (
	"bufio"
	"fmt"

	"github.com/seed-1a7dc1f9/facet/internal/prooftext"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Claim is the statement of a proof about all pairs: docs/reference/proof-format.md, "Properties".
// Proofs count all intervals of all borders, in the domain or not, so that the space has no domain.
type Claim struct {
	Name   string
	Domain polytope.Box // nil for none
	Codes  []int        // by feature, how many codes 0, 1, … it has; 0 of a number
	OneHot [][]int      // features of which one is 1, and the others are 0
	Copied []int
	Next   bool // the second input has the next interval of the copied features
	// The output of the first input, less that of the second, is at most Bound, without rounding;
	// nil is 0. Without either, labels are the same, or, with a Label that is not −1, no pair has
	// it at first, and another one then.
	// With Less the second exceeds the first by no more.
	Outputs [2]*Output
	Less    bool
	Bound   float64
	Label   int
}

// head writes the lines above the body of a proof.
func (c *Claim) head(w *bufio.Writer, apart []Offset) {
	write := func(list ...any) { fmt.Fprint(w, list...) }
	write("property ", c.Name, "\n")
	if c.Domain != nil {
		write("domain")
		for _, i := range c.Domain {
			write(" ", prooftext.Float(i.Lo), " ", prooftext.Float(i.Hi))
		}
		write("\n")
	}
	numbers := func(key string, list []int) {
		write(key)
		for _, n := range list {
			write(" ", n)
		}
		write("\n")
	}
	if c.Codes != nil {
		numbers("codes", c.Codes)
	}
	for _, members := range c.OneHot {
		numbers("one-hot", members)
	}
	for _, j := range c.Copied {
		write("copy ", j)
		switch {
		case c.Next:
			write(" next\n")
		case apart != nil:
			write(" ", prooftext.Float(apart[j].Least), " ", prooftext.Float(apart[j].Most), "\n")
		default:
			write(" -inf inf\n")
		}
	}
}
