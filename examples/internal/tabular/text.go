package tabular

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/seed-1a7dc1f9/facet/internal/dataset"
)

// text reads a file of cells.
type text struct {
	*Table
	cells
	top
	oddities
	layout  *layout
	labels  map[string]string // each label once, so that rows share it
	spelled []*vocabulary     // of each feature; nil for a number, or for all of them
}

// top is how the file begins.
type top struct {
	first     []string // the first line
	firstLine int      // its number
	width     int      // its number of cells
	below     int64    // where the next one begins, in bytes
	known     []string // names of columns that other files have
}

// oddities are the faults of cells: they are told of together at the end, for users mend them all
// at once.
type oddities struct {
	hashes  []uint64 // of the cells of an index
	missing gaps
	ragged  ragged
	faults  []faults // of each column
}

// cells reads the lines of a file.
type cells struct {
	o     *Options
	csv   *csv.Reader
	limit *lineLimit
}

// lineError is an error in a line of a text file.
type lineError struct {
	line int
	err  error
}

func (e *lineError) Error() string { return fmt.Sprintf("line %d: %v", e.line, e.err) }
func (e *lineError) Unwrap() error { return e.err }

// An unlucky hash matters only for whether an index of millions of rows is told from one with
// repeated cells.
var seed = maphash.MakeSeed()

// newCells begins to read the cells of a file.
func newCells(r io.Reader, sep rune, o *Options) cells {
	limit := &lineLimit{r: r, sep: []byte(string(sep))}
	c := cells{o, csv.NewReader(limit), limit}
	c.csv.Comma, c.csv.FieldsPerRecord, c.csv.ReuseRecord = sep, -1, true
	c.csv.TrimLeadingSpace = sep != '\t' // which would skip empty cells between tabs
	return c
}

// read reads all rows; decide finds the meaning of the columns.
func (x *text) read(decide func(*layout) error) error {
	cells, end := x.begin(decide)
	if end != nil && !errors.Is(end, io.EOF) {
		return end
	}
	x.Dim, x.faults = len(x.layout.features()), make([]faults, x.width)
	if !x.layout.named {
		if err := x.add(x.first, x.firstLine); err != nil {
			return err
		}
	}
	for ; end == nil; cells, end = x.next() {
		if err := x.add(cells, x.line()); err != nil {
			return err
		}
	}
	if !errors.Is(end, io.EOF) {
		return end
	}
	return x.finish()
}

// begin reads the first lines, which tell the columns. It returns the cells of the second one, or
// io.EOF if there is none.
func (x *text) begin(decide func(*layout) error) (second []string, err error) {
	first, err := x.next()
	switch {
	case errors.Is(err, io.EOF):
		return nil, fmt.Errorf("%w: there are no rows", dataset.ErrEmpty)
	case err != nil:
		return nil, err
	}
	x.first, x.firstLine, x.below = slices.Clone(first), x.line(), x.csv.InputOffset()
	x.width = len(first)
	second, end := x.next()
	if end != nil && !errors.Is(end, io.EOF) {
		return nil, end
	}
	if err := x.lay(x.isHeader(x.first, second), x.first, second); err != nil {
		return nil, &lineError{x.firstLine, err}
	}
	if err := decide(x.layout); err != nil {
		return nil, err
	}
	return second, end
}

// lay makes the columns of the first line, with names if it is a header.
func (x *text) lay(header bool, first, below []string) (err error) {
	if !header {
		x.layout, err = layoutOf(nil, x.width)
		return err
	}
	if len(below) == x.width+1 {
		return fmt.Errorf("it names %d columns and the next has %d cells: if lines begin with "+
			"the name of a row, as R writes them, leave these out (row.names=FALSE)", x.width,
			len(below))
	}
	first[0] = strings.TrimPrefix(strings.TrimSpace(first[0]), "#") // numpy's
	switch numbers := slices.ContainsFunc(first, isNumber); {
	case !numbers || x.o.Header != "":
	case isHeader(first, below):
		x.note("The first line of %s counts the columns and was taken for their names.", x.Path)
	default:
		x.note("The first line of %s has names that are known and was taken for those of the "+
			"columns: --header no makes it a row.", x.Path)
	}
	x.layout, err = layoutOf(first, x.width)
	return err
}

// next returns the cells of the next line that has any; none at the end.
func (c *cells) next() ([]string, error) {
	for {
		c.limit.reset()
		record, err := c.csv.Read()
		if parse := (*csv.ParseError)(nil); errors.As(err, &parse) {
			return nil, &lineError{parse.Line,
				fmt.Errorf("%w (cells are separated by %q)", parse.Err, c.csv.Comma)}
		}
		if err != nil {
			return nil, err
		}
		if c.csv.Comma == ' ' && len(record) > 1 && record[len(record)-1] == "" {
			record = record[:len(record)-1] // the empty cell behind a space at the end
		}
		if c.o.Decimal == "," {
			for i, cell := range record {
				record[i] = point(cell)
			}
		}
		if len(record) > 1 || strings.TrimSpace(record[0]) != "" {
			return record, nil
		}
	}
}

// line is the number of the line read last.
func (c *cells) line() int {
	line, _ := c.csv.FieldPos(0)
	return line
}

// add adds the row of a line.
func (x *text) add(cells []string, line int) error {
	if len(cells) != x.width {
		x.ragged.add(line, len(cells))
		return nil
	}
	if err := x.o.limits().Check(x.Rows+1-len(x.missing.rows), x.Dim); err != nil {
		return err
	}
	begin, gap, label := len(x.X), false, ""
	x.X = append(x.X, make([]float64, x.Dim)...)
	id := ""
	for i, cell := range cells {
		cell = strings.TrimSpace(cell)
		switch c := &x.layout.columns[i]; {
		case c.role == ignored:
		case c.role == identity:
			id = strings.Clone(cell)
		case c.role == index:
			x.hashes = append(x.hashes, maphash.String(seed, cell))
		case c.role == feature && isWord(x.spelled, c.at, cell):
			x.X[begin+c.at] = x.faults[i].value(cell, line, x.spelled[c.at])
		case isMissing(cell) && x.o.Missing == Keep && c.role == feature:
			x.X[begin+c.at] = math.NaN()
		case isMissing(cell):
			gap = true
			x.missing.add(cell,
				func() string { return fmt.Sprintf("line %d, %s", line, x.layout.describe(i)) })
		case c.role == labelled:
			label = cell
		default:
			x.X[begin+c.at] = x.faults[i].value(cell, line, vocabularyOf(x.spelled, c.at))
		}
	}
	if gap {
		x.missing.rows = append(x.missing.rows, x.Rows)
	}
	if x.layout.column(identity) >= 0 {
		x.IDs = append(x.IDs, id)
	}
	x.Rows++
	if x.layout.label() < 0 {
		return nil
	}
	return x.addLabel(label, line)
}

func (x *text) addLabel(label string, line int) error {
	known, ok := x.labels[label]
	if !ok {
		if !utf8.ValidString(label) {
			return &lineError{line, errors.New("the label is not UTF-8: save the file as UTF-8")}
		}
		known = strings.Clone(label) // not the whole line
		x.labels[known] = known
	}
	x.Labels = append(x.Labels, known)
	return nil
}

// mostLine is the longest line of a text file in bytes, dataset's.
const mostLine = 16 * dataset.MaxFeatures

// lineLimit keeps a line from growing without limit. What the reader of lines takes ahead is a part
// of the next.
type lineLimit struct {
	r           io.Reader
	sep         []byte
	left, cells int // bytes and separators that a line may still have
}

func (r *lineLimit) reset() { r.left, r.cells = mostLine, dataset.MaxFeatures }

func (r *lineLimit) Read(p []byte) (int, error) {
	if r.left <= 0 || r.cells <= 0 {
		return 0, fmt.Errorf("%w: a line of more than %d bytes or %d cells",
			dataset.ErrTooLarge, mostLine, dataset.MaxFeatures)
	}
	n, err := r.r.Read(p)
	r.left -= n
	r.cells -= bytes.Count(p[:n], r.sep)
	return n, err
}
