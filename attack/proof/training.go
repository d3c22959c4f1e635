package proof

import (
	"bytes"
	"crypto/sha256"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
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

// mostValues is how many numbers the rows of a training set may have.
const mostValues = 1 << 26

// newTable checks rows and labels.
func newTable(rows [][]float64, labels []int, k, dim int) (*Model, error) {
	t := &table{dim: dim, k: k, labels: labels}
	if len(rows) == 0 || len(rows) != len(labels) || dim < 1 || dim > 1<<20 || len(rows) > mostValues/dim {
		return nil, fmt.Errorf("%d rows of %d features, %d labels", len(rows), dim, len(labels))
	}
	if k < 1 || k > len(rows) {
		return nil, fmt.Errorf("k is %d, with %d rows", k, len(rows))
	}
	t.classes = slices.Max(labels) + 1
	if slices.Min(labels) < 0 || t.classes > 1<<20+1 {
		return nil, fmt.Errorf("labels from %d to %d", slices.Min(labels), t.classes-1)
	}
	t.count = make([]int, t.classes)
	for i, r := range rows {
		if len(r) > dim {
			return nil, fmt.Errorf("row %d has %d features, want %d", i, len(r), dim)
		}
		for _, v := range r {
			if !finite(v) {
				return nil, fmt.Errorf("row %d: the value %v", i, v)
			}
		}
		t.data = append(append(t.data, r...), make([]float64, dim-len(r))...)
		t.count[labels[i]]++
	}
	return &Model{dim: dim, classes: t.classes, table: t}, nil
}

// ReadRows reads the training set of k nearest neighbours: LIBSVM text, or CSV with the label last,
// plain or gzipped. Labels, numbers or words, are classes 0, 1, … in ascending order.
func ReadRows(r io.Reader, k int) (*Model, error) {
	text, err := contents(r)
	if err != nil {
		return nil, fmt.Errorf("proof: reading a training set: %w", err)
	}
	m, err := parseRows(text, k)
	if err != nil {
		return nil, fmt.Errorf("proof: the training set: %w", err)
	}
	m.SHA256 = sha256.Sum256(text)
	return m, nil
}

func parseRows(text []byte, k int) (*Model, error) {
	s := &set{base: 1}
	var read func(line string) error
	number := 0
	for line := range strings.Lines(string(bytes.TrimPrefix(text, []byte("\ufeff")))) {
		number++
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		if read == nil {
			if read = s.libsvm; strings.Contains(line, ",") {
				read, s.base = s.csv, 0
			}
		}
		if err := read(line); err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
	}
	dim := 0
	for i, row := range s.rows {
		s.rows[i] = row[min(s.base, len(row)):]
		dim = max(dim, len(s.rows[i]))
	}
	return newTable(s.rows, classes(s.labels), k, dim)
}

// set is the rows read so far.
type set struct {
	rows   [][]float64 // those of LIBSVM count features from 0, and may be short
	labels []string
	base   int // what features count from
	width  int // of the lines of CSV
	values int
}

func (s *set) libsvm(line string) error {
	line, _, _ = strings.Cut(line, "#")
	words := strings.Fields(line)
	if len(words) == 0 {
		return nil
	}
	if strings.Contains(words[0], ":") {
		return fmt.Errorf("%.40q where the label is expected", words[0])
	}
	var row []float64
	for _, word := range words[1:] {
		before, after, _ := strings.Cut(word, ":")
		index, err := strconv.ParseUint(before, 10, 20)
		if err != nil || int(index) < len(row) {
			return fmt.Errorf("%.40q: the index is no number above the one before", word)
		}
		v, err := parseFinite(after)
		if err != nil {
			return err
		}
		if index == 0 {
			s.base = 0
		}
		if s.values += int(index) + 1 - len(row); s.values > mostValues {
			return errors.New("too many values")
		}
		row = append(append(row, make([]float64, int(index)-len(row))...), v)
	}
	s.rows, s.labels = append(s.rows, row), append(s.labels, words[0])
	return nil
}

func (s *set) csv(line string) error {
	r := csv.NewReader(strings.NewReader(line))
	r.TrimLeadingSpace = true
	cells, err := r.Read()
	if err != nil {
		return err
	}
	first, named, numbered := s.width == 0, false, false
	for i := range cells {
		cells[i] = strings.TrimSpace(cells[i])
		_, err := parseFinite(cells[i])
		named, numbered = named || cells[i] != "", numbered || err == nil
	}
	if first {
		s.width = len(cells)
	}
	if len(cells) != s.width || s.width < 2 {
		return fmt.Errorf("%d cells", len(cells))
	}
	if first && named && !numbered {
		return nil
	}
	row := make([]float64, s.width-1)
	for j := range row {
		if row[j], err = parseFinite(cells[j]); err != nil {
			return err
		}
	}
	s.rows, s.labels = append(s.rows, row), append(s.labels, cells[s.width-1])
	return nil
}

// classes numbers labels: numbers, or words if one of them is none, in ascending order.
func classes(labels []string) []int {
	values, words := make([]float64, len(labels)), false
	for i, l := range labels {
		v, err := parseFinite(l)
		values[i], words = v, words || err != nil
	}
	if words {
		return ranks(labels)
	}
	return ranks(values)
}

func ranks[T string | float64](labels []T) []int {
	sorted := slices.Compact(slices.Sorted(slices.Values(labels)))
	r := make([]int, len(labels))
	for i, l := range labels {
		r[i], _ = slices.BinarySearch(sorted, l)
	}
	return r
}
