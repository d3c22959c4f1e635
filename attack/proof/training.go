package proof

import (
	"cmp"
	"encoding/csv"
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
	usual := len(rows) > 0 && len(rows) == len(labels) && dim > 0 && len(rows) <= mostNumbers/dim && k > 0 && k <= len(rows)
	demand(usual, "%d rows of %d features, %d labels, k is %d", len(rows), dim, len(labels), k)
	t.classes = max(classes, slices.Max(labels)+1)
	demand(slices.Min(labels) >= 0 && t.classes <= 1<<20, "labels from %d to %d", slices.Min(labels), t.classes-1)
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

func parseFinite(word string) (v float64, ok bool) {
	v, err := strconv.ParseFloat(word, 64)
	return v, err == nil && finite(v)
}

func (s *set) float(word string) float64 {
	v, ok := parseFinite(word)
	demand(ok, "line %d: %.40q is no finite number", s.number, word)
	return v
}

func (s *set) libsvm(line string) {
	line, _, _ = strings.Cut(line, "#")
	words := strings.Fields(line)
	if len(words) == 0 {
		return
	}
	demand(!strings.Contains(words[0], ":"), "line %d: %.40q where the label is expected", s.number, words[0])
	var row []float64
	for _, word := range words[1:] {
		before, after, _ := strings.Cut(word, ":")
		index, err := strconv.ParseUint(before, 10, 20)
		demand(err == nil && int(index) >= len(row), "line %d: %.40q: the index is no number above the one before", s.number, word)
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
	demand(err == nil, "line %d: %w", s.number, err)
	named, numbered := false, false
	for i := range cells {
		cells[i] = strings.TrimSpace(cells[i])
		_, isNumber := parseFinite(cells[i])
		named, numbered = named || cells[i] != "", numbered || isNumber
	}
	last := len(cells) - 1
	if s.width == 0 {
		if s.width = len(cells); named && !numbered {
			return // a header
		}
	}
	demand(len(cells) == s.width && last > 0, "line %d: %d cells", s.number, len(cells))
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
