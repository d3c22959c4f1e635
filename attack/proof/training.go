package proof

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// table is the rows of k nearest neighbours.
type table struct {
	dim, classes, k int
	data            []float64 // of row i at dim·i
	labels          []int
	count           []int // rows of each label
}

func (t *table) row(i int32) []float64 { return t.data[int(i)*t.dim:][:t.dim] }

// newTable makes a table of rows, to which zeros are appended if they are short.
func newTable(rows [][]float64, labels []int, classes, k, dim int) *Model {
	t := &table{dim: dim, k: k, labels: labels}
	if len(rows) == 0 || len(rows) != len(labels) || dim < 1 || dim > 1<<20 || len(rows) > mostNumbers/dim || k < 1 || k > len(rows) {
		refuse("%d rows of %d features, %d labels, k %d", len(rows), dim, len(labels), k)
	}
	t.classes = max(classes, slices.Max(labels)+1)
	if slices.Min(labels) < 0 || t.classes > 1<<20+1 {
		refuse("labels from %d to %d", slices.Min(labels), t.classes-1)
	}
	t.count = make([]int, t.classes)
	for i, r := range rows {
		t.data = append(append(t.data, r...), make([]float64, dim-len(r))...)
		t.count[labels[i]]++
	}
	return &Model{dim: dim, classes: t.classes, table: t}
}

// set is the rows of a training set that are read so far.
type set struct {
	number int         // of the line
	rows   [][]float64 // those of LIBSVM count features from 0, and may be short
	labels []string
	base   int // what features count from
	width  int // of the lines of CSV
	values int
}

// parseRows reads a training set.
func parseRows(text []byte, k int) *Model {
	s := &set{base: 1}
	var read func(line string)
	for line := range strings.Lines(string(bytes.TrimPrefix(text, []byte("\ufeff")))) {
		s.number++
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		if read == nil {
			if read = s.libsvm; strings.Contains(line, ",") {
				read, s.base = s.csv, 0
			}
		}
		read(line)
	}
	dim := 0
	for i, row := range s.rows {
		s.rows[i] = row[min(s.base, len(row)):]
		dim = max(dim, len(s.rows[i]))
	}
	// Labels are numbers, or words if one of them is none.
	values := make([]float64, len(s.labels))
	for i, l := range s.labels {
		v, ok := parseFinite(l)
		if values[i] = v; !ok {
			return newTable(s.rows, ranks(s.labels), 0, k, dim)
		}
	}
	return newTable(s.rows, ranks(values), 0, k, dim)
}

func (s *set) fail(format string, args ...any) {
	refuse("line %d: %w", s.number, fmt.Errorf(format, args...))
}

func parseFinite(word string) (v float64, ok bool) {
	v, err := strconv.ParseFloat(word, 64)
	return v, err == nil && finite(v)
}

func (s *set) float(word string) float64 {
	v, ok := parseFinite(word)
	if s.values++; !ok {
		s.fail("%.40q is no finite number", word)
	}
	return v
}

func (s *set) libsvm(line string) {
	line, _, _ = strings.Cut(line, "#")
	words := strings.Fields(line)
	if len(words) == 0 {
		return
	}
	if strings.Contains(words[0], ":") {
		s.fail("%.40q where the label is expected", words[0])
	}
	var row []float64
	for _, word := range words[1:] {
		before, after, _ := strings.Cut(word, ":")
		index, err := strconv.ParseUint(before, 10, 20)
		if s.values += int(index); err != nil || int(index) < len(row) || s.values > mostNumbers {
			s.fail("%.40q: the index is no number above the one before, or there are too many", word)
		}
		if index == 0 {
			s.base = 0
		}
		row = append(append(row, make([]float64, int(index)-len(row))...), s.float(after))
	}
	s.rows, s.labels = append(s.rows, row), append(s.labels, words[0])
}

func (s *set) csv(line string) {
	r := csv.NewReader(strings.NewReader(line))
	r.TrimLeadingSpace = true
	cells, err := r.Read()
	if err != nil {
		s.fail("%w", err)
	}
	first, named, numbered := s.width == 0, false, false
	for i := range cells {
		cells[i] = strings.TrimSpace(cells[i])
		_, isNumber := parseFinite(cells[i])
		named, numbered = named || cells[i] != "", numbered || isNumber
	}
	if first {
		s.width = len(cells)
	}
	if len(cells) != s.width || s.width < 2 {
		s.fail("%d cells", len(cells))
	}
	if first && named && !numbered {
		return
	}
	row := make([]float64, s.width-1)
	for j := range row {
		row[j] = s.float(cells[j])
	}
	s.rows, s.labels = append(s.rows, row), append(s.labels, cells[s.width-1])
}

// ranks numbers labels in ascending order.
func ranks[T cmp.Ordered](labels []T) []int {
	sorted := slices.Compact(slices.Sorted(slices.Values(labels)))
	r := make([]int, len(labels))
	for i, l := range labels {
		r[i], _ = slices.BinarySearch(sorted, l)
	}
	return r
}
