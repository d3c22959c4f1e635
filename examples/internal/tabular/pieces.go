package tabular

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/seed-1a7dc1f9/facet/internal/dataset"
)

// Beginning is the part that tells the columns of a file whose rows are read one by one: the first
// lines of a text, or the names that a file of another kind gives them.
type Beginning struct {
	Path  string
	Text  []byte
	Names []string // nil: it is Text that tells
}

// Columns give each cell of a row its meaning. They read the rows of a file too large for Load as
// Load would, each by itself: an error is about one of them.
type Columns struct {
	Names  []string // of the features; nil if the file has none
	Notes  []string // sentences that the user should read
	Offset int64    // of the first row, in the bytes of a text

	layout *layout
	sep    rune
	o      *Options
	dim    int
	// of each feature; nil for a number
	spelled []*vocabulary
}

// ReadColumns finds the meaning of the columns of a file. Those of the leader, a table that Load
// has read, lead them; without one the model does.
func ReadColumns(b Beginning, o Options, m Model, leader *Table) (*Columns, error) {
	c := &Columns{o: &o, spelled: m.Words.vocabularies()}
	t := &Table{Path: b.Path}
	l := &loader{o: &o, model: m}
	if leader != nil {
		l.leader, l.leaderPath = leader.columns, leader.Path
	}
	var err error
	if b.Names != nil {
		if c.layout, err = layoutOf(b.Names, len(b.Names)); err == nil {
			err = l.decide(t, c.layout, &o, m.Dim)
		}
	} else {
		err = c.readText(t, b.Text, l)
	}
	if err != nil {
		return nil, in(b.Path, err)
	}
	c.Names, c.Notes, c.dim = c.layout.featureNames(), t.Notes, len(c.layout.features())
	want := m.Dim
	if leader != nil {
		want = leader.Dim
	}
	if c.dim != want {
		return nil, in(b.Path,
			fmt.Errorf("the rows have %d features where the model has %d", c.dim, want))
	}
	return c, nil
}

// readText tells the columns by the first lines.
func (c *Columns) readText(t *Table, head []byte, l *loader) error {
	begin := bytes.TrimPrefix(head, byteOrderMark)
	if len(bytes.TrimSpace(begin)) == 0 {
		return fmt.Errorf("%w: there are no rows", dataset.ErrEmpty)
	}
	f := c.o.Format
	if f == "" && c.o.Sep == 0 {
		var err error
		if f, err = formatOf(t.Path, begin); err != nil {
			return err
		}
	}
	if f != "" && f != CSV && f != TSV {
		return fmt.Errorf("rows of %s cannot be read in parts, only those of CSV and its relatives",
			f)
	}
	c.sep = separator(c.o, f, begin)
	x := &text{Table: t, cells: newCells(bytes.NewReader(begin), c.sep, c.o)}
	_, err := x.begin(func(columns *layout) error {
		return l.decide(t, columns, l.o, l.model.Dim)
	})
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	c.layout, c.Offset = x.layout, int64(len(head)-len(begin))
	if c.layout.named {
		c.Offset += x.below
	}
	return nil
}

// Blank reports whether a line of the text is no row.
func (c *Columns) Blank(line []byte) bool {
	line = bytes.TrimRight(line, "\r\n")
	return len(bytes.TrimSpace(line)) == 0 && (c.sep != '\t' || !bytes.Contains(line, []byte{'\t'}))
}

// Cells returns the cells of a line that is not blank.
func (c *Columns) Cells(line []byte) ([]string, error) {
	of := newCells(bytes.NewReader(line), c.sep, c.o)
	list, err := of.next()
	if wrong := (*lineError)(nil); errors.As(err, &wrong) {
		err = wrong.err // the number is not that in the file
	}
	return list, err
}

// Row returns the features and the label of a row.
func (c *Columns) Row(cells []string) (x []float64, label string, err error) {
	if len(cells) != len(c.layout.columns) {
		return nil, "", fmt.Errorf("it has %d cells where the first line has %d",
			len(cells), len(c.layout.columns))
	}
	x = make([]float64, c.dim)
	for i, cell := range cells {
		cell = strings.TrimSpace(cell)
		switch column := &c.layout.columns[i]; {
		case column.role == ignored || column.role == index || column.role == identity:
		case isMissing(cell) && !(column.role == feature && isWord(c.spelled, column.at, cell)):
			return nil, "", fmt.Errorf("%s has no value: %q", c.layout.describe(i), cell)
		case column.role == labelled:
			label = strings.Clone(cell)
		default:
			var f faults
			if x[column.at] = f.value(
				cell, 0, vocabularyOf(c.spelled, column.at),
			); f.cells > 0 {
				return nil, "", fmt.Errorf("%s: %q %s", c.layout.describe(i), short(cell), f.reason)
			}
		}
	}
	return x, label, nil
}
