package main

import "fmt"

// chance says how the printed cells of the black-box attack lie to the spread of ours
// over some seeds; "" if there was but one.
func chance(all cells) string {
	within, of, outside := 0, 0, 0.0
	for i, c := range all {
		if _, ok := c.column.quantity.(spread); !ok || all[i-1].printed == nil {
			continue
		}
		// The cell is the least, that before it the printed one, that behind it the largest.
		printed := all[i-1].printed.Value
		off := max(c.value-printed, printed-all[i+1].value)
		if off <= 0 {
			within++
		}
		outside = max(outside, off)
		of++
	}
	if of == 0 {
		return ""
	}
	return fmt.Sprintf("The printed cells of the black-box attack lie between the least and the largest of ours over the seeds "+
		"in %d of %d cases, and at most %.3f outside", within, of, outside)
}
