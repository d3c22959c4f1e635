package main

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// causes are the reasons why numbers of ours differ from the paper's, by name.
//
//go:embed causes.tsv
var causesFile string

// deviations are the cells that are known to differ, with the cause: those of numbers that are
// measured, since defscores follow. The first that explains a cell counts.
//
//go:embed deviations.tsv
var deviationsFile string

// computed are robustnesses that take long, computed by -large and kept: the run, its robustness,
// the minutes of a processor that it took.
//
//go:embed computed.tsv
var computedFile string

var (
	causes     = readCauses()
	deviations = readDeviations()
	computed   = readComputed()
)

// deviation is a known difference between the paper's numbers and ours.
type deviation struct {
	set     string // "" for all
	table   int
	columns []string
	within  float64 // the largest difference that the cause explains
	// least and largest, unless 0, are the numbers of other ways that are as good as ours, to three
	// decimals. They explain a printed number between them, if ours is, or within is enough.
	// TestKernelInFloat32 and TestEquallyNear compute them.
	least, largest float64
	open           bool   // the cause does not excuse the deviation
	name           string // of the cause
}

func readCauses() map[string]string {
	texts := make(map[string]string)
	for _, row := range table(causesFile, 2) {
		texts[row[0]] = row[1]
	}
	return texts
}

func readComputed() map[string]float64 {
	values := make(map[string]float64)
	for _, row := range table(computedFile, 3) {
		values[row[0]] = number(row[1])
	}
	return values
}

func readDeviations() (list []deviation) {
	for _, row := range table(deviationsFile, 8) {
		list = append(list, deviation{
			set: row[0], table: int(number(row[1])), columns: strings.Fields(row[2]),
			within: number(row[3]), least: number(row[4]), largest: number(row[5]),
			open: row[6] == "open", name: row[7],
		})
	}
	return list
}

// table returns the rows below the head of a file with so many columns. The files are a part of
// the program, so that a fault in them is one of its own, which every test meets.
func table(file string, columns int) [][]string {
	r := csv.NewReader(strings.NewReader(file))
	r.Comma, r.FieldsPerRecord, r.LazyQuotes = '\t', columns, true
	rows, err := r.ReadAll()
	if err != nil {
		panic(err)
	}
	return rows[1:]
}

// number returns that of a cell of the files, 0 of an empty one.
func number(text string) float64 {
	if text == "" {
		return 0
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		panic(err)
	}
	return v
}

// known returns the deviation that explains the cell, nil if none does.
func (c *cell) known() *deviation {
	for _, d := range deviations {
		if d.explains(c) {
			return &d
		}
	}
	return nil
}

// explains reports whether the deviation is that of the cell.
func (d *deviation) explains(c *cell) bool {
	if d.set != "" && d.set != c.set ||
		d.table != c.table || !slices.Contains(d.columns, c.column.name) {
		return false
	}
	rounding := 0.5 * math.Pow10(-c.printed.Digits)
	within := math.Abs(c.value-c.printed.Value) <= d.within+rounding
	if d.largest == 0 {
		return within
	}
	inside := func(v float64) bool { return v >= d.least-rounding && v <= d.largest+rounding }
	return inside(c.printed.Value) && (inside(c.value) || within)
}

func (d *deviation) cause() string { return causes[d.name] }

func (d *deviation) verdict() verdict {
	if d.open {
		return different
	}
	return excused
}

// Ranges shows the ranges of the cells beside ours and the printed numbers, in Markdown.
func (all cells) Ranges() string {
	rows := [][]string{{"cell", "least", "largest", "ours", "printed"}}
	for _, d := range deviations {
		for _, c := range all {
			if d.largest != 0 && c.set == d.set && c.verdict != unprinted && c.table == d.table &&
				c.column.name == d.columns[0] {
				rows = append(rows, []string{
					fmt.Sprintf("%s `%s`", c.set, c.column.name),
					thousandth(d.least), thousandth(d.largest), c.ours(), c.theirs(),
				})
			}
		}
	}
	if len(rows) == 1 {
		return ""
	}
	return markdownTable(rows)
}

func thousandth(v float64) string { return fmt.Sprintf("%.3f", v) }
