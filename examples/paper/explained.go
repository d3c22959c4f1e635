package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-1a7dc1f9/facet/examples/internal/experiment"
)

// explanation is a cause with the cells that deviate because of it.
type explanation struct {
	verdict verdict
	Cause   string
	cells   cells
}

// Mark is that of the cells.
func (e *explanation) Mark() string { return e.verdict.mark() }

// Lines lists the cells, those of a table in a line.
func (e *explanation) Lines() (lines []string) {
	for _, part := range e.cells.Tables() {
		lines = append(lines, fmt.Sprintf("table %d: %s", part.Number(),
			strings.Join(part.each((*cell).compared), ", ")))
	}
	return lines
}

// cells are some of the cells of a table or of many.
type cells []*cell

// Explained returns the deviations by cause: first those without a cause.
func (all cells) Explained() []*explanation {
	var list []*explanation
	for _, v := range []verdict{different, excused} {
		at := make(map[string]*explanation)
		for _, c := range all {
			if c.verdict != v {
				continue
			}
			if at[c.cause] == nil {
				at[c.cause] = &explanation{verdict: v, Cause: cmp.Or(c.cause, "cause not known")}
				list = append(list, at[c.cause])
			}
			at[c.cause].cells = append(at[c.cause].cells, c)
		}
	}
	return list
}

// Tables returns the cells of each table that has any.
func (all cells) Tables() []cells {
	var parts []cells
	for table := range captions {
		part := slices.DeleteFunc(slices.Clone(all), func(c *cell) bool { return c.table != table })
		if len(part) > 0 {
			parts = append(parts, part)
		}
	}
	return parts
}

func (all cells) each(text func(*cell) string) []string {
	list := make([]string, len(all))
	for i, c := range all {
		list[i] = text(c)
	}
	return list
}

// compared names the cell and sets our number against the printed one.
func (c *cell) compared() string {
	return fmt.Sprintf("%s %s %s (%s)", c.title, c.column.name, c.ours(), c.theirs())
}

// Chance says how the printed cells of the black-box attack lie to the spread of ours
// over some seeds; "" if there was but one.
func (all cells) Chance() string {
	within, of, outside := 0, 0, 0.0
	for i, c := range all {
		// The cell is the least, that before it the printed one, that behind it the largest.
		if !strings.HasSuffix(c.column.name, string(experiment.BlackBox)+"_min") ||
			all[i-1].printed == nil {
			continue
		}
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
	return fmt.Sprintf("The printed cells of the black-box attack lie between the least and the "+
		"largest of ours over the seeds "+
		"in %d of %d cases, and at most %.3f outside", within, of, outside)
}
