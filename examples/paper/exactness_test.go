package main

import (
	"math"
	"strings"
	"testing"
)

// TestExactness checks the numbers and words that are made of a few cells.
func TestExactness(t *testing.T) {
	var all cells
	add := func(table int, column1 string, approximate, exact float64) {
		all = append(all,
			&cell{
				table:  table,
				set:    "a",
				title:  "a",
				column: column{name: column1},
				value:  approximate,
			},
			&cell{
				table:  table,
				set:    "a",
				title:  "a",
				column: column{name: column1 + "_exact", ours: true},
				value:  exact,
			})
	}
	for _, c := range []struct {
		column             string
		approximate, exact float64
	}{
		{"3nn_at", 1.5, 1.2}, {"3nn_ap", 1.4, 1.6},
		{"rf_at", 0.9, 1.3}, {"rf_rs", 2, 1}, {"rf_ap", 1.5, 1.3},
	} {
		add(2, c.column, c.approximate, c.exact)
	}
	if all.Exactness() != nil {
		t.Error("exactness without tables 5 and 7")
	}
	for _, table := range []int{5, 7} {
		for i, column := range []string{"er", "er_r0.1", "er_r0.3", "er_r0.5"} {
			add(table, column, .4, .1*float64(1+i))
		}
	}
	all[len(all)-1].value, all[len(all)-2].value = math.NaN(), math.NaN()
	e := all.Exactness()
	if e == nil {
		t.Fatal("no exactness")
	}
	for _, c := range []struct{ text, want string }{
		{
			e.Factors, "of 3-NN by factors from 1.0 to 4.0 and of random forests by factors from " +
				"1.3 to 4.0",
		},
		{e.Overstated, "| random forests | 0.1 | 0.400 → 0.200 (2.0) |"},
		{e.Overstated, "| random forests | 0.5 | - |"},
		{e.Defscores, "| `rf_rs` | 2.00 → 1.00 | 2.00 → 1.00 |"},
		{e.Moves, "larger in 1 cells and smaller in 1"},
		{e.Winners, "| 3nn | at 1.50 → ap 1.60 |"},
		{e.Winners, "| rf | rs 2.00 → at = ap 1.30 |"},
		{e.Winners, "| dt | - |"},
	} {
		if !strings.Contains(c.text, c.want) {
			t.Errorf("%q lacks %q", c.text, c.want)
		}
	}
}
