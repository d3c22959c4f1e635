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
		err = t.labelArray(s, path, f, o)
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
func (t *Table) labelArray(s *stream, path string, f Format, o *Options) error {
	a, err := readArray(s, path, f, o.limits())
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
	kept := 0
	for i := range t.Rows {
		row := t.Row(i)
		if j := slices.IndexFunc(row, func(v float64) bool { return math.IsInf(v, 0) }); j >= 0 {
			return fmt.Errorf("row %d, column %d, both from 0: %v is not a finite number",
				i, j, row[j])
		}
		gap := !o.Keep && g.inRow(i, row)
		if t.Labels != nil && isMissing(t.Labels[i]) {
			g.add(t.Labels[i], func() string { return fmt.Sprintf("label %d (from 0)", i) })
			gap = true
		}
		if gap {
			if g.rows++; t.Numbers == nil {
				t.Numbers = upTo(kept)
			}
			continue
		}
		if t.Numbers != nil {
			t.Numbers = append(t.Numbers, i)
		}
		copy(t.X[kept*t.Dim:], row)
		if t.Labels != nil {
			t.Labels[kept] = t.Labels[i]
		}
		if t.IDs != nil {
			t.IDs[kept] = t.IDs[i]
		}
		kept++
	}
	if g.rows > 0 && !o.Drop {
		return g.complain(t.Rows)
	}
	t.Rows, t.X = kept, t.X[:kept*t.Dim]
	if t.Labels != nil {
		t.Labels = t.Labels[:kept]
	}
	if t.IDs != nil {
		t.IDs = t.IDs[:kept]
	}
	return t.dropped(g.rows)
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
