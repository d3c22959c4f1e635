package tabular

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
)

// isHeader reports whether the first line of a file names its columns: the user says so, it looks
// like one, or its names are those that other files have.
func (x *text) isHeader(first, second []string) bool {
	switch x.o.Header {
	case Yes:
		return true
	case No:
		return false
	}
	same := func(cell string) bool { return slices.Contains(x.known, strings.TrimSpace(cell)) }
	return isHeader(first, second) ||
		slices.ContainsFunc(first, same) && !slices.ContainsFunc(first, notNamed(x.known))
}

// notNamed reports whether a cell is a number that is none of the names.
func notNamed(names []string) func(cell string) bool {
	return func(cell string) bool {
		return isNumber(cell) && !slices.Contains(names, strings.TrimSpace(cell))
	}
}

// wasHeader looks, once all rows are read, whether the first one names the columns, though it has
// numbers: its label occurs nowhere else, where all others occur again, and its numbers are whole
// and different, as names are.
func (x *text) wasHeader() bool {
	if x.o.Header != "" || x.layout.named || x.missing.cells > 0 || x.Labels == nil || x.Rows < 5 {
		return false
	}
	counts := make(map[string]int)
	for _, l := range x.Labels[1:] {
		counts[l]++
	}
	for _, n := range counts {
		if n == 1 {
			return false
		}
	}
	return counts[x.Labels[0]] == 0 && likeNames(x.first)
}

// likeNames reports whether all cells differ, and their numbers are whole.
func likeNames(cells []string) bool {
	seen := make(map[string]bool)
	for _, cell := range cells {
		cell = strings.TrimSpace(cell)
		if v, err := strconv.ParseFloat(cell, 64); seen[cell] || cell == "" ||
			err == nil && v != math.Trunc(v) {
			return false
		}
		seen[cell] = true
	}
	return true
}

// renameColumns makes the first row the names of the columns.
func (x *text) renameColumns() error {
	named, err := layoutOf(x.first, x.width)
	if err != nil {
		return err
	}
	for i := range named.columns {
		c := x.layout.columns[i]
		named.columns[i].role, named.columns[i].at = c.role, c.at
	}
	*x.layout = *named
	x.X, x.Labels, x.Rows = x.X[x.Dim:], x.Labels[1:], x.Rows-1
	if x.IDs != nil {
		x.IDs = x.IDs[1:]
	}
	x.note("The first line of %s has a label, %q, that no other line has, and was taken for the "+
		"names of the columns: --header no makes it a row.", x.Path,
		short(x.first[x.layout.label()]))
	return nil
}

// isHeader reports whether the first line names columns: none of its cells is a number, or those
// that are count the columns, as pandas names them.
func isHeader(first, second []string) bool {
	numbers, offset := 0, 0
	for i, cell := range first {
		cell = strings.TrimSpace(cell)
		if !isNumber(cell) {
			continue
		}
		v, _ := strconv.ParseFloat(cell, 64)
		if numbers == 0 {
			offset = i - int(max(min(v, 1), 0))
		}
		if v != float64(i-offset) || v != math.Trunc(v) {
			return false
		}
		numbers++
	}
	named := strings.TrimSpace(strings.Join(first, "")) != ""
	return numbers == 0 && named || numbers > 2 || numbers > 0 && numberBelow(first, second)
}

// numberBelow reports whether the second line has a number below a word of the first one.
func numberBelow(first, second []string) bool {
	for i, cell := range second {
		if i < len(first) && strings.TrimSpace(first[i]) != "" && !isNumber(first[i]) &&
			isNumber(cell) {
			return true
		}
	}
	return false
}

func isNumber(cell string) bool {
	_, err := strconv.ParseFloat(strings.TrimSpace(cell), 64)
	return err == nil || errors.Is(err, strconv.ErrRange)
}
