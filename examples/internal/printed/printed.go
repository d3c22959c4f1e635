// Package printed holds the numbers of the paper's tables, as printed: Yang et al.,
// "Robustness for Non-Parametric Classification: A Generic Attack and Defense",
// AISTATS 2020.
package printed

import (
	"embed"
	"encoding/csv"
	"fmt"
	"math"
	"strconv"
	"strings"
)

//go:embed tables
var files embed.FS

// Tables is the number of tables: 1 attacks, 2 defscore, 3 data sets, 4 to 7
// pruning for 1-NN, 3-NN, decision trees and random forests.
const Tables = 7

// Table is one of the paper's tables.
type Table struct {
	Columns []string // the names of its columns, but for that of the sets
	cells   map[string]map[string]*Number
}

// Number is a number as printed.
type Number struct {
	Value  float64
	Digits int // after the point
}

// String returns the number with its digits and without a leading zero, as printed.
func (n Number) String() string {
	return strings.TrimPrefix(strconv.FormatFloat(n.Value, 'f', n.Digits, 64), "0")
}

// Thousandths rounds a robustness as it is printed, to three decimals: defscores are quotients of
// such numbers.
func Thousandths(v float64) float64 { return math.Round(v*1000) / 1000 }

// Equals reports whether a value rounds to the number.
func (n Number) Equals(value float64) bool {
	return strconv.FormatFloat(value, 'f', n.Digits, 64) ==
		strconv.FormatFloat(n.Value, 'f', n.Digits, 64)
}

// Load returns table n, from 1 to Tables.
func Load(n int) (*Table, error) {
	f, err := files.Open(fmt.Sprintf("tables/%d.csv", n))
	if err != nil {
		return nil, fmt.Errorf("there is no table %d: %w", n, err)
	}
	defer f.Close()
	records, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("table %d: %w", n, err)
	}
	t := &Table{Columns: records[0][1:], cells: make(map[string]map[string]*Number)}
	for _, record := range records[1:] {
		row := make(map[string]*Number)
		for i, text := range record[1:] {
			if text == "" {
				continue
			}
			if row[t.Columns[i]], err = parse(text); err != nil {
				return nil, fmt.Errorf("table %d: %w", n, err)
			}
		}
		t.cells[record[0]] = row
	}
	return t, nil
}

func parse(text string) (*Number, error) {
	value, err := strconv.ParseFloat(text, 64)
	_, decimals, _ := strings.Cut(text, ".")
	return &Number{value, len(decimals)}, err
}

// Cell returns a number, nil where the paper prints none.
func (t *Table) Cell(set, column string) *Number { return t.cells[set][column] }
