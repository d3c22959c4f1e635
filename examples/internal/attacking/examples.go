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

// examples is the array of --examples: a row for each row of the test file, NaN where it has none.
// Programs read it faster than lines, which are written without examples then.
type examples struct {
	path string
	x    *mat.Dense // nil if no array is asked for
}

// begin makes the array.
func (x *examples) begin(s *subject.Subject) {
	if x.path == "" {
		return
	}
	x.x = mat.NewDense(s.Data.Test.Number(s.Data.Test.Rows-1)+1, s.Classifier.Dim(), nil)
	for i := range x.x.RawMatrix().Data {
		x.x.RawMatrix().Data[i] = math.NaN()
	}
}

// keep moves the example of a line to the array.
func (x *examples) keep(l *results.Line) {
	if x.x != nil && l.Adversarial != nil {
		x.x.SetRow(l.Row, tabular.Numbers(l.Adversarial))
		l.Adversarial = nil
	}
}

// write writes the array once every row is done.
func (x *examples) write() error {
	if x.x == nil {
		return nil
	}
	err := outfile.Write(x.path, func(w io.Writer) error {
		rows, dim := x.x.Dims()
		return dataset.WriteNPY(w, x.x.RawMatrix().Data, rows, dim)
	})
	if err != nil {
		return fmt.Errorf("--examples: %w", err)
	}
	return nil
}
