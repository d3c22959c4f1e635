package attacking

import (
	"fmt"
	"io"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/examples/internal/outfile"
	"github.com/seed-1a7dc1f9/facet/examples/internal/results"
	"github.com/seed-1a7dc1f9/facet/examples/internal/subject"
	"github.com/seed-1a7dc1f9/facet/examples/internal/tabular"
	"github.com/seed-1a7dc1f9/facet/internal/dataset"
)

// newArray returns the array of --examples: a row for each row of the test file, NaN where it has
// none. Programs read it faster than lines, which are written without examples then.
func newArray(s *subject.Subject) *mat.Dense {
	x := mat.NewDense(s.Data.Test.Number(s.Data.Test.Rows-1)+1, s.Classifier.Dim(), nil)
	for i := range x.RawMatrix().Data {
		x.RawMatrix().Data[i] = math.NaN()
	}
	return x
}

// keepExample moves the example of a line to the array, if there is one.
func (a *attacking) keepExample(l *results.Line) {
	if a.array != nil && l.Adversarial != nil {
		a.array.SetRow(l.Row, tabular.Numbers(l.Adversarial))
		l.Adversarial = nil
	}
}

// writeExamples writes the array once every row is done.
func (a *attacking) writeExamples() error {
	if a.array == nil {
		return nil
	}
	err := outfile.Write(a.examples, func(w io.Writer) error {
		rows, dim := a.array.Dims()
		return dataset.WriteNPY(w, a.array.RawMatrix().Data, rows, dim)
	})
	if err != nil {
		return fmt.Errorf("--examples: %w", err)
	}
	return nil
}
