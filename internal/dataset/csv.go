package dataset

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// ReadCSV reads comma-separated rows, the label in the last column. The first
// line may be a header: it is one when none of its cells is a number. Cells may
// be quoted, but not across lines; blank lines are skipped. All lines have the
// same number of cells, at least two, and every cell below the header is a
// finite number. The name stands for the file in errors, which are of type
// *InputError.
func ReadCSV(r io.Reader, name string, limits Limits) (*Set, error) {
	s := &csvRows{limits: limits}
	if err := eachLine(r, name, s.addLine); err != nil {
		return nil, err
	}
	if s.Rows == 0 {
		return nil, wrong(name, "%w: there are no rows", ErrEmpty)
	}
	return &s.Set, nil
}

// csvRows are the rows read so far.
type csvRows struct {
	Set
	limits Limits
	width  int // cells of a line, known from the first one
}

// addLine adds a row, or nothing for a header.
func (s *csvRows) addLine(line []byte) error {
	cells, err := splitCells(string(line))
	if err != nil {
		return err
	}
	first := s.width == 0
	if first {
		s.width = len(cells)
	}
	if err := checkWidth(len(cells), s.width); err != nil || first && isHeader(cells) {
		return err
	}
	s.Rows, s.Dim = s.Rows+1, s.width-1
	if err := s.limits.Check(s.Rows, s.Dim); err != nil {
		return err
	}
	for j, cell := range cells {
		v, err := parseFinite(strings.TrimSpace(cell))
		if err != nil {
			return &InputError{Column: j + 1, Err: err}
		}
		if j < s.Dim {
			s.Data = append(s.Data, v)
		} else {
			s.Labels = append(s.Labels, v)
		}
	}
	return nil
}

// splitCells splits a line at its commas.
func splitCells(line string) ([]string, error) {
	if n := strings.Count(line, ","); n > MaxFeatures {
		return nil, fmt.Errorf("%w: %d features, at most %d are allowed", ErrTooLarge, n, MaxFeatures)
	}
	if !strings.Contains(line, `"`) {
		return strings.Split(line, ","), nil
	}
	r := csv.NewReader(strings.NewReader(line))
	r.TrimLeadingSpace = true
	cells, err := r.Read()
	if parse := (*csv.ParseError)(nil); errors.As(err, &parse) {
		return nil, fmt.Errorf("quotes in %s: %w", quote(line), parse.Err)
	}
	return cells, err
}

func checkWidth(cells, width int) error {
	if width < 2 {
		return errors.New("a row needs at least two cells, a feature and the label, separated by a comma")
	}
	if cells != width {
		return fmt.Errorf("the row has %d cells where the lines before have %d", cells, width)
	}
	return nil
}

// isHeader reports whether the cells name columns. One number, even one that
// is out of range or not finite, makes them data: a header full of numbers
// cannot be told from a row, and a row with a typing error must not pass as a
// header.
func isHeader(cells []string) bool {
	named := false
	for _, cell := range cells {
		cell = strings.TrimSpace(cell)
		if _, err := strconv.ParseFloat(cell, 64); err == nil || errors.Is(err, strconv.ErrRange) {
			return false
		}
		named = named || cell != ""
	}
	return named
}
