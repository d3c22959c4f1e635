package proof

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// table is the rows of k nearest neighbours.
type table struct {
	dim, classes, k int
	stored          int       // bytes of the file
	data            []float64 // of row i at dim·i
	labels          []int
	count           []int // rows of each label
}

func (t *table) row(i int) []float64 { return t.data[i*t.dim:][:t.dim] }

// newTable makes a table of rows that follow.
func newTable(dim, k, stored int) *table {
	demand(dim > 0 && dim <= mostFeatures, "%d features, of at most %d", dim, mostFeatures)
	return &table{dim: dim, k: k, stored: stored}
}

// add adds a row.
func (t *table) add(row []float64) {
	t.data = append(t.data, row...)
	t.demandRoom(len(t.data))
}

// demandRoom refuses more numbers than a file of this length may have.
func (t *table) demandRoom(numbers int) {
	demand(numbers <= 1<<23+3*t.stored,
		"more than 2^23 numbers, and three for each byte of the file")
}

// model makes a model of the rows.
func (t *table) model(labels []int, classes int) *Model {
	rows := len(t.data) / t.dim
	demand(rows > 0 && rows == len(labels) && t.k > 0 && t.k <= rows,
		"%d rows, %d labels, k is %d", rows, len(labels), t.k)
	t.labels, t.classes = labels, max(classes, slices.Max(labels)+1)
	demand(slices.Min(labels) >= 0 && t.classes <= mostFeatures, "labels from %d to %d, of at "+
		"most %d", slices.Min(labels), t.classes-1, mostFeatures-1)
	t.count = make([]int, t.classes)
	for _, label := range labels {
		t.count[label]++
	}
	return &Model{dim: t.dim, classes: t.classes, table: t}
}

// set is the rows of a training set that are read so far.
type set struct {
	number int // of the line
	rows   [][]entry
	labels []string
	base   int // what features count from
	most   int // the greatest index
	width  int // of the lines of CSV
}

// entry is a value of a row, by its feature.
type entry struct {
	index int32
	value float64
}

// parseRows reads a training set.
func parseRows(text string, k, stored int) *Model {
	demand(utf8.ValidString(text), "the file is not UTF-8")
	s := &set{base: 1}
	var read func(line string)
	for line := range strings.SplitSeq(strings.TrimPrefix(text, "\ufeff"), "\n") {
		s.number++
		switch line = strings.Trim(line, spaces); {
		case line == "":
			continue
		case read == nil && strings.Contains(line, ","):
			read, s.base = s.csv, 0
		case read == nil:
			read = s.libsvm
		}
		read(line)
	}
	t := newTable(s.most+1-s.base, k, stored)
	t.demandRoom(len(s.rows) * t.dim)
	t.data = make([]float64, len(s.rows)*t.dim)
	words, values := false, make([]float64, len(s.rows))
	for i, row := range s.rows {
		for _, e := range row {
			t.data[i*t.dim+int(e.index)-s.base] = e.value
		}
		words = words || !isMeasured(s.labels[i])
	}
	if words {
		return t.model(ranks(s.labels), 0)
	}
	for i, label := range s.labels {
		values[i] = measured(label)
	}
	return t.model(ranks(values), 0)
}

func (s *set) demand(holds bool, format string, args ...any) {
	if !holds {
		demand(false, "line %d: %w", s.number, fmt.Errorf(format, args...))
	}
}

// measuredBits returns a number that is written as people do, rounded to so many bits. It may be
// infinite, or none.
func measuredBits(word string, bits int) (v float64, is bool) {
	v, err := strconv.ParseFloat(word, bits)
	is = (err == nil || errors.Is(err, strconv.ErrRange)) && len(word) <= longestNumber &&
		strings.Trim(word, "0123456789+-.eE") == ""
	return v, is
}

// isMeasured reports whether a word is a number.
func isMeasured(word string) bool {
	_, is := measuredBits(word, 64)
	return is
}

// measured returns a finite number.
func measured(word string) float64 {
	v, is := measuredBits(word, 64)
	if !is || !finite(v) {
		demand(false, "%.40q is no finite number", word)
	}
	return v
}

// add adds an entry of the row that is read.
func (s *set) add(row []entry, index int, number string) []entry {
	v, is := measuredBits(number, 64)
	s.demand(is && finite(v), "%.40q is no finite number", number)
	s.most = max(s.most, index)
	return append(row, entry{int32(index), v})
}

func (s *set) libsvm(line string) {
	line, _, _ = strings.Cut(line, "#")
	words := strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(spaces, r) })
	if len(words) == 0 {
		return
	}
	s.demand(!strings.Contains(words[0], ":"), "%.40q where the label is expected", words[0])
	row, last := make([]entry, 0, len(words)-1), -1
	for _, word := range words[1:] {
		before, after, _ := strings.Cut(word, ":")
		index, err := strconv.ParseUint(before, 10, 31)
		s.demand(err == nil && int(index) > last && index <= mostFeatures,
			"%.40q: the index is no number above the one before, or more than %d",
			word, mostFeatures)
		if last = int(index); index == 0 {
			s.base = 0
		}
		row = s.add(row, last, after)
	}
	s.rows, s.labels = append(s.rows, row), append(s.labels, words[0])
}

func (s *set) csv(line string) {
	cells := s.cells(line)
	if s.width == 0 {
		s.width = len(cells)
		if strings.Join(cells, "") != "" && !slices.ContainsFunc(cells, isMeasured) {
			return // a header
		}
	}
	last := len(cells) - 1
	s.demand(len(cells) == s.width && last > 0 && last <= mostFeatures, "%d cells", len(cells))
	row := make([]entry, 0, last)
	for j := range last {
		row = s.add(row, j, cells[j])
	}
	s.rows, s.labels = append(s.rows, row), append(s.labels, cells[last])
}

// cells returns the cells of a line. Those in double quotes may have commas, and a quote for two.
func (s *set) cells(line string) (cells []string) {
	for {
		line = strings.TrimLeft(line, spaces)
		cell, rest, more := strings.Cut(line, ",")
		if quoted, is := strings.CutPrefix(line, `"`); is {
			end := 0
			for strings.HasPrefix(quoted[end:], `""`) || !strings.HasPrefix(quoted[end:], `"`) {
				s.demand(end < len(quoted), "a quote that does not end")
				if quoted[end] == '"' {
					end++
				}
				end++
			}
			cell = strings.ReplaceAll(quoted[:end], `""`, `"`)
			between, after, comma := strings.Cut(quoted[end+1:], ",")
			s.demand(strings.Trim(between, spaces) == "", "%.40q behind a quote", between)
			rest, more = after, comma
		} else {
			s.demand(!strings.Contains(cell, `"`), "a quote within %.40q", cell)
		}
		if cells = append(cells, strings.Trim(cell, spaces)); !more {
			return cells
		}
		line = rest
	}
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
