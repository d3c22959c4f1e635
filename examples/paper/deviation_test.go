package main

import (
	"strings"
	"testing"

	"github.com/seed-1a7dc1f9/facet/examples/internal/printed"
)

// printedCell is a cell of the paper with a value of ours.
func printedCell(t *testing.T, table int, set, name string, value float64) *cell {
	t.Helper()
	paper, err := printed.Load(table)
	if err != nil {
		t.Fatal(err)
	}
	n := paper.Cell(set, strings.TrimSuffix(name, "_as_printed"))
	if n == nil {
		t.Fatalf("table %d has no number for %s %s", table, set, name)
	}
	return &cell{table: table, set: set, column: column{name: name}, value: value, printed: n}
}

// TestDeviations checks that every known deviation is one of numbers in print.
func TestDeviations(t *testing.T) {
	for _, d := range deviations {
		set := d.set
		if set == "" {
			set = "halfmoon"
		}
		if len(d.columns) == 0 || d.cause() == "" || d.within == 0 && d.largest == 0 {
			t.Errorf("deviation %+v explains nothing", d)
		}
		for _, name := range d.columns {
			c := printedCell(t, d.table, set, name, 0)
			c.value = c.printed.Value
			if c.known() == nil {
				t.Errorf("%+v does not explain %s", d, name)
			}
		}
	}
}

// TestKnown checks how far explanations go.
func TestKnown(t *testing.T) {
	for _, c := range []struct {
		table     int
		set, name string
		value     float64
		want      verdict
	}{
		{1, "halfmoon", "1nn_rba_exact", .0571, excused},
		{1, "halfmoon", "1nn_rba_exact", .0561, different},
		{1, "halfmoon", "3nn_rba_approx", .0951, different},
		{1, "australian", "1nn_direct", .2710, different},
		{1, "cancer", "1nn_direct", .2710, different},
		{1, "cancer", "3nn_kernel", .4019, excused},
		{1, "cancer", "3nn_kernel", .4270, different},
		{1, "cancer", "rf_bbox", .4080, excused},
		{1, "cancer", "rf_bbox", .4060, different},
		{2, "cancer", "1nn_at", .950, excused},
		{2, "cancer", "1nn_at", 5, different},
		{2, "halfmoon", "1nn_at", 1, excused},
		{2, "covtype", "1nn_at", .591, different},
		{7, "cancer", "er_r0.3", .4783, different},
	} {
		got := different
		if d := printedCell(t, c.table, c.set, c.name, c.value).known(); d != nil {
			got = d.verdict()
		}
		if got != c.want {
			t.Errorf("table %d, %s %s %v: %v, want %v",
				c.table, c.set, c.name, c.value, got, c.want)
		}
	}
}
