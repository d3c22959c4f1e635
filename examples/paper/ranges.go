package main

import "fmt"

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
