package main

import "fmt"

// chance says how the printed cells of the black-box attack lie to the spread of ours
// over some seeds; "" if there was but one.
func chance(all cells) string {
	within, of, outside := 0, 0, 0.0
	for i, c := range all {
		if i+2 >= len(all) || c.printed == nil {
			continue
		}
		low, lowest := all[i+1].column.quantity.(spread)
		if _, highest := all[i+2].column.quantity.(spread); !lowest || !highest || low.robustness != c.column.quantity {
			continue
		}
		of++
		off := max(all[i+1].value-c.printed.Value, c.printed.Value-all[i+2].value)
		if off <= 0 {
			within++
		}
		outside = max(outside, off)
	}
	if of == 0 {
		return ""
	}
	return fmt.Sprintf("The printed cells of the black-box attack lie between the least and the largest of ours over the seeds in %d of %d cases, "+
		"and at most %.3f outside", within, of, outside)
}
