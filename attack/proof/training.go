package proof

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// table is the rows of k nearest neighbours.
type table struct {
	dim, classes, k int
	data            []float64 // of row i at dim·i
	labels          []int
	count           []int // rows of each label
}

func (t *table) row(i int) []float64 { return t.data[i*t.dim:][:t.dim] }

// newTable returns so many rows, all zero, of a file of so many bytes.
func newTable(rows, dim, k, stored int) *table {
	demand(dim > 0 && dim <= mostFeatures, "%d features, of at most %d", dim, mostFeatures)
	demand(rows*dim <= 1<<23+3*stored,
		"more than 2^23 numbers, and three for each byte of the file")
	demand(rows > 0 && k > 0 && k <= rows, "%d rows, k is %d", rows, k)
	return &table{dim: dim, k: k, data: make([]float64, rows*dim)}
}

// model makes a model of the rows.
func (t *table) model(labels []int, classes int) *Model {
	demand(len(t.data) == t.dim*len(labels), "%d labels of %d rows", len(labels),
		len(t.data)/t.dim)
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
	base   int // features count from it
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
	t := newTable(len(s.rows), s.most+1-s.base, k, stored)
	for i, row := range s.rows {
		for _, e := range row {
			t.row(i)[int(e.index)-s.base] = e.value
		}
	}
	numbers := make([]float64, len(s.labels))
	for i, label := range s.labels {
		v, is := measuredBits(label, 64)
		if !is {
			return t.model(ranks(s.labels), 0)
		}
		numbers[i] = v
	}
	demand(!slices.ContainsFunc(numbers, func(v float64) bool { return !finite(v) }),
		"a label is no finite number")
	return t.model(ranks(numbers), 0)
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
	words := fields(line)
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

// quoted finds a cell in double quotes, with the spaces and the comma around it.
var quoted = regexp.MustCompile(`^[ \t\r\v\f]*"((?:[^"]|"")*)"[ \t\r\v\f]*(,|$)`)

// cells returns the cells of a line. Those in double quotes may have commas, and a quote for two.
func (s *set) cells(line string) (cells []string) {
	for comma := true; comma; {
		cell, rest, more := strings.Cut(line, ",")
		if strings.Contains(cell, `"`) {
			found := quoted.FindStringSubmatch(line)
			s.demand(found != nil, "a quote is out of place: %.40q", cell)
			cell = strings.ReplaceAll(found[1], `""`, `"`)
			rest, more = line[len(found[0]):], found[2] != ""
		}
		cells, line, comma = append(cells, strings.Trim(cell, spaces)), rest, more
	}
	return cells
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
