package main

import (
	"math"
	"slices"
	"strings"
)

// deviation is a known difference between the paper's numbers and ours.
type deviation struct {
	set     string         // "" for all
	columns map[int]string // by table, with spaces between them
	within  float64        // the largest difference that the cause explains
	// least and largest, unless 0, are what other ways give that are as good as ours, to three
	// decimals. They explain a printed number between them, if ours is, or within is enough.
	least, largest float64
	cause          string
	// open says that the cause does not excuse the deviation.
	open bool
}

const (
	raw = "the paper's examples lie 5e-6 inside raw bisectors; the exact minimum is "
	// docs/tools/train_with_gurobi.py computes it.
	gurobi = "with the paper's solver, Gurobi, and its margins it is the printed number, over " +
		"the printed robustness without a defence (docs/defences.md)"
)

// deviations are those of the numbers that are measured; defscores follow.
var deviations = []deviation{
	{
		set: "halfmoon", columns: map[int]string{1: "1nn_rba_exact 1nn_rba_approx", 4: "er"},
		within: .001,
		cause:  raw + ".0571",
	},
	{
		set: "diabetes", columns: map[int]string{4: "er_r0.5"}, within: .001, open: true,
		cause: "unknown: print is less than the exact minimum .37574, and pulling examples " +
			"inside can only add to it",
	},
	{
		set: "halfmoon", columns: map[int]string{6: "er_r0.3"}, within: .001,
		cause: "the paper's examples lie 1e-4 inside their boxes; the exact minimum is .21848",
	},
	{
		columns: map[int]string{1: "1nn_kernel 3nn_kernel"}, within: .008, open: true,
		cause: "unknown: the paper's code rounds to float32, and of twelve orders of its sums " +
			"none gives as much or as little, where they were tried",
	},
	{
		columns: map[int]string{1: "1nn_bbox 3nn_bbox dt_bbox rf_bbox"}, within: .044,
		cause: "single draws of a random attack; over ten seeds ours varies by .011 to .044",
	},
	{set: "fourclass", columns: map[int]string{2: "1nn_at"}, within: .01, cause: gurobi},
	{set: "halfmoon", columns: map[int]string{2: "1nn_at"}, within: .05, cause: gurobi},
	{
		columns: map[int]string{2: "1nn_at 3nn_at rf_at"}, within: math.Inf(1), open: true,
		cause: "unknown: the paper trains on the points that Gurobi returns, of equally near " +
			"ones and inside raw bisectors or boxes; of seven choices of equally near ones none " +
			"gives as much or as little, where they were tried (docs/defences.md)",
	},
	{
		set: "diabetes", columns: map[int]string{2: "dt_at dt_at_as_printed"}, within: .04,
		cause: "with GLPK itself it is .929, with our rule for the vertex that it returns .918 " +
			"(docs/defences.md)",
	},
	{
		set: "covtype", columns: map[int]string{2: "dt_at dt_at_as_printed"}, within: .2,
		open: true,
		cause: "unknown: with GLPK itself it is 1.412, as with our rule for the vertex that it " +
			"returns",
	},
	{
		set: "halfmoon", columns: map[int]string{2: "dt_rs dt_rs_as_printed"}, within: .2,
		open: true,
		cause: "unknown: done as in the paper's code it is 2.141, by the rule that the paper " +
			"names 2.000 (docs/defences.md)",
	},
}

// known returns the deviation that explains the cell, nil if none does.
func (c *cell) known() *deviation {
	for _, d := range slices.Concat(ranges(), deviations) {
		if d.explains(c) {
			return &d
		}
	}
	return nil
}

// explains reports whether the deviation is that of the cell.
func (d *deviation) explains(c *cell) bool {
	if d.set != "" && d.set != c.set ||
		!slices.Contains(strings.Fields(d.columns[c.table]), c.column.name) {
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

func (d *deviation) verdict() verdict {
	if d.open {
		return different
	}
	return excused
}
