package prune

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/rows"
)

// Write writes the result and its certificate to a file that anyone can check:
// docs/reference/proof-format.md describes it under "Pruning", and attack/proof checks it. The
// result is one of Solve for the same weights and for the rows and labels of a training set, of
// whose file data is the SHA-256. The format knows no Local, and no Prices: scale the columns of
// the file instead.
func (a Adversarial) Write(w io.Writer, data [32]byte, weights []int, r *Result) error {
	switch {
	case rows.IsNil(w):
		return fmt.Errorf("prune: %w: no file to write to", classifier.ErrOption)
	case r == nil:
		return fmt.Errorf("prune: %w: no result to write", classifier.ErrOption)
	case a.Local > 0:
		return fmt.Errorf("prune: proofs know one radius for all rows, no local ones: %w",
			errors.ErrUnsupported)
	case a.Prices != nil:
		return fmt.Errorf("prune: proofs know no prices, scale the columns of the file instead: %w",
			errors.ErrUnsupported)
	}
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "facet-pruning 1\ndata sha256 %x\nnorm %v\nradius %s\n",
		data, a.Norm, number(a.Radius))
	if weights != nil {
		writeIntegers(b, "weights", weights)
	}
	writeIntegers(b, "keep", r.Keep)
	fmt.Fprintf(b, "weight %d\nbound %s\n", r.Weight, number(r.Certified))
	for _, c := range r.Cliques {
		writeIntegers(b, "clique "+number(c.Amount), c.Rows)
	}
	b.WriteString("end\n")
	if err := b.Flush(); err != nil {
		return fmt.Errorf("prune: %w", err)
	}
	return nil
}

// writeIntegers writes a line.
func writeIntegers(b *bufio.Writer, key string, list []int) {
	b.WriteString(key)
	for _, i := range list {
		b.WriteByte(' ')
		b.Write(strconv.AppendInt(b.AvailableBuffer(), int64(i), 10))
	}
	b.WriteByte('\n')
}

// number writes a float64 in the fewest digits that are read back as it.
func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
