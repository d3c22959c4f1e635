package tabular

import (
	"math"
	"strconv"

	"github.com/seed-1a7dc1f9/facet/internal/dataset"
)

// readRecords reads the rows of an array whose columns have names, as those of a text file with a
// header. All columns are features if the labels are in a file of their own.
func (l *loader) readRecords(t *Table, a *dataset.Array, labels string) error {
	width := a.Shape[1]
	columns, err := layoutOf(a.Names, width)
	if err != nil {
		return err
	}
	columns.columns[0].role = feature // records have no names of rows
	o, dim := *l.o, l.model.Dim
	if labels != "" {
		o.Unlabeled, o.Label, dim = true, "", width
	}
	if err := l.decideBy(t, columns, &o, dim); err != nil {
		return err
	}
	t.Names, t.Rows, t.Dim = columns.featureNames(), a.Shape[0], len(columns.features())
	t.X = make([]float64, t.Rows*t.Dim)
	if label := columns.label(); label >= 0 {
		t.LabelName = columns.columns[label].name
	}
	for i := range t.Rows {
		for j, v := range a.Data[i*width : (i+1)*width] {
			switch c := columns.columns[j]; c.role {
			case feature:
				t.X[i*t.Dim+c.at] = v
			case labelled:
				t.Labels = append(t.Labels, textOf(v))
			case identity:
				t.IDs = append(t.IDs, textOf(v))
			}
		}
	}
	return nil
}

// textOf writes a number as a cell.
func textOf(v float64) string {
	if math.IsNaN(v) {
		return ""
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}
