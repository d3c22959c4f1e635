package main

import (
	"fmt"
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
	// tools/train_with_gurobi.py computes it.
	gurobi = "with the paper's solver, Gurobi, and its margins it is the printed number, over " +
		"the printed robustness without a defence (docs/use/defences.md)"
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
			"gives as much or as little, where they were tried (docs/use/defences.md)",
	},
	{
		set: "diabetes", columns: map[int]string{2: "dt_at dt_at_as_printed"}, within: .04,
		cause: "with GLPK itself it is .929, with our rule for the vertex that it returns .918 " +
			"(docs/use/defences.md)",
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
			"names 2.000 (docs/use/defences.md)",
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

// What was tried of the things that the paper's code leaves to rounding or to its solver.
const (
	sums = "in float32, as in the paper's code, the order of sums decides signs of gradients " +
		"that vanish but for rounding errors: print lies between what twelve orders give"
	nearest = "the paper trains on the points that its solver returns of equally near ones: " +
		"print lies between what seven choices give"
)

// ranges are the cells of which several ways were tried, with the least and the largest that
// come of them. TestKernelInFloat32 and TestEquallyNear compute them.
func ranges() []deviation {
	var list []deviation
	for _, r := range []struct {
		cause, set, column string
		least, largest     float64
	}{
		{sums, "diabetes", "3nn_kernel", .190, .191},
		{sums, "cancer", "1nn_kernel", .366, .399},
		{sums, "cancer", "3nn_kernel", .378, .422},
		{sums, "australian", "1nn_kernel", .373, .399},
		{sums, "australian", "3nn_kernel", .444, .480},
		{nearest, "fourclass", "3nn_at", .812, .948},
		{nearest, "fourclass", "1nn_at", .900, .922},
		{nearest, "fourclass", "rf_at", .895, 1.083},
		{nearest, "halfmoon", "1nn_at", 1.000, 1.000},
		{nearest, "halfmoon", "3nn_at", .906, 1.021},
		{nearest, "cancer", "1nn_at", .818, 1.007},
		{nearest, "cancer", "3nn_at", .775, 1.069},
		{nearest, "cancer", "rf_at", .987, 1.120},
		{nearest, "diabetes", "1nn_at", .829, .914},
		{nearest, "diabetes", "3nn_at", .833, .923},
		{nearest, "diabetes", "rf_at", .918, 1.277},
		{nearest, "australian", "1nn_at", .623, .735},
		{nearest, "australian", "3nn_at", .698, .917},
		{nearest, "australian", "rf_at", 1.052, 1.352},
		{nearest, "covtype", "rf_at", 1.136, 1.650},
	} {
		d := deviation{set: r.set, least: r.least, largest: r.largest, cause: r.cause}
		if d.columns = (map[int]string{2: r.column}); r.cause == sums {
			d.columns, d.within = map[int]string{1: r.column}, .008
		}
		list = append(list, d)
	}
	return list
}

// rangeTable shows the ranges of the cells beside ours and the printed numbers, in Markdown.
func rangeTable(all cells) string {
	rows := [][]string{{"cell", "least", "largest", "ours", "printed"}}
	for _, r := range ranges() {
		for _, c := range all {
			if c.set == r.set && c.verdict != unprinted && r.columns[c.table] == c.column.name {
				rows = append(rows, []string{
					fmt.Sprintf("%s `%s`", c.set, c.column.name),
					thousandth(r.least), thousandth(r.largest), c.ours(), c.theirs(),
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
