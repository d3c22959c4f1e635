package tabular

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-1a7dc1f9/facet/internal/dataset"
)

// readArray reads a matrix, or a vector of labels.
func readArray(s *stream, name string, f Format, limits dataset.Limits) (*dataset.Array, error) {
	if f == NPY {
		return dataset.ReadNPY(s, name, limits)
	}
	values, err := dataset.ReadIDX(s, name, limits)
	if err != nil {
		return nil, err
	}
	return values.Array(), nil
}

// readMatrix reads the rows of an array, which has labels only if its columns have names.
func (l *loader) readMatrix(t *Table, s *stream, f Format, labels string) error {
	a, err := readArray(s, t.Path, f, l.o.limits())
	if err != nil {
		return err
	}
	if a.Names != nil {
		return l.readRecords(t, a, labels)
	}
	if len(a.Shape) != 2 {
		return fmt.Errorf("the array has shape %v where a matrix of rows and features is expected",
			a.Shape)
	}
	t.X, t.Rows, t.Dim = a.Data, a.Shape[0], a.Shape[1]
	return nil
}

// readLabels reads the labels of a matrix from a file of their own.
func (t *Table) readLabels(ctx context.Context, path string, o *Options) error {
	file, err := o.open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	s, err := begin(ctx, file, o.limits())
	if err != nil {
		return err
	}
	head, err := s.head()
	if err != nil {
		return err
	}
	f, err := formatOf(path, head)
	if err != nil {
		return err
	}
	if f == NPY || f == IDX {
		err = t.labelArray(s, nameOf(path), f, o)
	} else {
		err = t.labelLines(s)
	}
	if err != nil {
		return err
	}
	if len(t.Labels) != t.Rows {
		return fmt.Errorf("there are %d labels for the %d rows of %s",
			len(t.Labels), t.Rows, t.Path)
	}
	t.LabelsSum, err = s.checksum()
	return err
}

// labelArray reads labels that are numbers.
func (t *Table) labelArray(s *stream, name string, f Format, o *Options) error {
	a, err := readArray(s, name, f, o.limits())
	if err != nil {
		return fmt.Errorf("%w; labels that are words go into a text file, one a line: "+
			"numpy.savetxt(file, y, fmt=\"%%s\")", err)
	}
	if len(a.Shape) != 1 && a.Shape[1] != 1 {
		return fmt.Errorf("the array has shape %v where one label for each row is expected",
			a.Shape)
	}
	for _, v := range a.Data {
		t.Labels = append(t.Labels, strconv.FormatFloat(v, 'g', -1, 64))
	}
	return nil
}

// labelLines reads labels that stand one a line, below a name if there is one line more than rows.
func (t *Table) labelLines(s *stream) error {
	lines := bufio.NewScanner(s)
	lines.Buffer(nil, mostLine)
	for lines.Scan() && len(t.Labels) <= t.Rows+1 {
		t.Labels = append(t.Labels, strings.Trim(strings.TrimSpace(lines.Text()), `"`))
	}
	if len(t.Labels) == t.Rows+1 {
		t.LabelName, t.Labels = t.Labels[0], t.Labels[1:]
	}
	return lines.Err()
}

// dropGaps leaves out the rows of a matrix that have no value somewhere, or complains about them.
func (t *Table) dropGaps(o *Options) error {
	var g gaps
	for i := range t.Rows {
		row := t.Row(i)
		if j := slices.IndexFunc(row, func(v float64) bool { return math.IsInf(v, 0) }); j >= 0 {
			return fmt.Errorf("row %d, column %d, both from 0: %v is not a finite number",
				i, j, row[j])
		}
		gap := o.Missing != Keep && g.inRow(i, row)
		if t.Labels != nil && isMissing(t.Labels[i]) {
			g.add(t.Labels[i], func() string { return fmt.Sprintf("label %d (from 0)", i) })
			gap = true
		}
		if gap {
			g.rows = append(g.rows, i)
		}
	}
	return t.without(&g, o)
}

// inRow counts the values of a row that are NaN.
func (g *gaps) inRow(i int, row []float64) (found bool) {
	for j, v := range row {
		if math.IsNaN(v) {
			g.add("NaN",
				func() string { return fmt.Sprintf("row %d, column %d, both from 0", i, j) })
			found = true
		}
	}
	return found
}

// readSparse reads LIBSVM lines, whose features are known when all files have been read.
func (t *Table) readSparse(r io.Reader, name string, o *Options) (*dataset.Sparse, error) {
	s, err := dataset.ReadLIBSVM(r, name, o.limits())
	if err != nil {
		return nil, err
	}
	t.Labels = make([]string, len(s.Labels))
	for i, v := range s.Labels {
		t.Labels[i] = number(v).String()
	}
	t.Rows = len(s.Labels)
	return s, nil
}

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
	if err := l.decide(t, columns, &o, dim); err != nil {
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
