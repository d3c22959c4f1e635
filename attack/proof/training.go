package proof

import (
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

func (t *table) row(i int) []float64 { return t.data[i*t.dim:][:t.dim] }

// newTable makes a table of rows, to which zeros are appended if they are short.
func newTable(rows [][]float64, labels []int, classes, k, dim int) *Model {
	t := &table{dim: dim, k: k, labels: labels}
	usual := len(rows) > 0 && len(rows) == len(labels) && dim > 0 && len(rows) <= mostNumbers/dim &&
		k > 0 && k <= len(rows)
	demand(usual, "%d rows of %d features, %d labels, k is %d", len(rows), dim, len(labels), k)
	t.classes = max(classes, slices.Max(labels)+1)
	demand(slices.Min(labels) >= 0 && t.classes <= 1<<20, "labels from %d to %d",
		slices.Min(labels), t.classes-1)
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
}

// parseRows reads a training set.
func parseRows(text string, k int) *Model {
	s := &set{base: 1}
	var read func(line string)
	for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
		s.number++
		switch line = strings.TrimSpace(line); {
		case line == "":
			continue
		case read == nil && strings.Contains(line, ","):
			read, s.base = s.csv, 0
		case read == nil:
			read = s.libsvm
		}
		read(line)
	}
	dim, words, values := 0, false, make([]float64, len(s.rows))
	for i, row := range s.rows {
		s.rows[i] = row[min(s.base, len(row)):]
		dim = max(dim, len(s.rows[i]))
		v, isNumber := parseFinite(s.labels[i])
		values[i], words = v, words || !isNumber
	}
	if words {
		return newTable(s.rows, ranks(s.labels), 0, k, dim)
	}
	return newTable(s.rows, ranks(values), 0, k, dim)
}

func parseFinite(word string) (v float64, ok bool) {
	v, err := strconv.ParseFloat(word, 64)
	return v, err == nil && finite(v)
}

func (s *set) demand(holds bool, format string, args ...any) {
	if !holds {
		demand(false, "line %d: %w", s.number, fmt.Errorf(format, args...))
	}
}

func (s *set) float(word string) float64 {
	v, ok := parseFinite(word)
	s.demand(ok, "%.40q is no finite number", word)
	return v
}

func (s *set) libsvm(line string) {
	line, _, _ = strings.Cut(line, "#")
	words := strings.Fields(line)
	if len(words) == 0 {
		return
	}
	s.demand(!strings.Contains(words[0], ":"), "%.40q where the label is expected", words[0])
	var row []float64
	for _, word := range words[1:] {
		before, after, _ := strings.Cut(word, ":")
		index, err := strconv.ParseUint(before, 10, 20)
		s.demand(err == nil &&
			int(index) >= len(row), "%.40q: the index is no number above the one before", word)
		s.demand(len(s.rows)*int(index) <= mostNumbers, "%.40q: more than %d numbers",
			word, mostNumbers)
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
	s.demand(err == nil, "%w", err)
	isNumber := func(cell string) bool { _, ok := parseFinite(cell); return ok }
	for i := range cells {
		cells[i] = strings.TrimSpace(cells[i])
	}
	if s.width == 0 {
		s.width = len(cells)
		if strings.Join(cells, "") != "" && !slices.ContainsFunc(cells, isNumber) {
			return // a header
		}
	}
	last := len(cells) - 1
	s.demand(len(cells) == s.width && last > 0, "%d cells", len(cells))
	row := make([]float64, last)
	for j := range row {
		row[j] = s.float(cells[j])
	}
	s.rows, s.labels = append(s.rows, row), append(s.labels, cells[last])
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
