package main

import (
	"cmp"
	"context"
	"errors"
	"math"
	"strconv"

	"github.com/seed-1a7dc1f9/facet/examples/internal/experiment"
	"github.com/seed-1a7dc1f9/facet/examples/internal/printed"
	"github.com/seed-1a7dc1f9/facet/internal/dataset/protocol"
)

// cell is a number of a table.
type cell struct {
	table   int
	set     string // the paper's name
	title   string // as shown
	column  column
	value   float64         // NaN for none
	left    bool            // it was left out
	printed *printed.Number // nil for none
	verdict verdict
	cause   string // of a deviation, if it is known
}

// cells returns those of the tables that are wanted, set by set, without values.
func (s *settings) cells(sets []string) (list cells, err error) {
	for _, table := range s.tables {
		columns, err := s.columns(table)
		if err != nil {
			return nil, err
		}
		for _, set := range sets {
			for _, column := range columns {
				list = append(list, &cell{table: table, set: set, column: column})
			}
		}
	}
	return list, nil
}

// fill computes the value of the cell and compares it with print.
func (c *cell) fill(ctx context.Context, lab *experiment.Lab) error {
	set, err := lab.Set(ctx, c.set)
	if err != nil {
		return err
	}
	c.title = title(set)
	c.value, err = c.column.value(ctx, lab, c.set)
	if c.left = errors.Is(err, experiment.ErrLeftOut); c.left {
		c.value = math.NaN()
	} else if err != nil {
		return err
	}
	if c.column.ours || set.TestOnly {
		return nil
	}
	paper, err := printed.Load(c.table)
	if err != nil {
		return err
	}
	c.printed = paper.Cell(c.set, cmp.Or(c.column.like, c.column.name))
	c.verdict, c.cause, err = c.compare(ctx, lab)
	return err
}

// title is the name of a set as it is shown. Nothing in the paper compares with a set
// made of the test images alone.
func title(set *protocol.Set) string {
	if set.TestOnly {
		return set.Name + "-t10k"
	}
	return set.Name
}

// has reports whether there is a number.
func (c *cell) has() bool { return !math.IsNaN(c.value) }

// ours is our number, with a digit more than in print where it was measured.
func (c *cell) ours() string {
	if !c.has() {
		return "-"
	}
	return strconv.FormatFloat(c.value, 'f', c.column.digits(), 64)
}

// theirs is the printed number, "" where the paper has no such cell.
func (c *cell) theirs() string {
	switch {
	case c.printed != nil:
		return c.printed.String()
	case c.verdict == unprinted:
		return ""
	}
	return "-"
}

// grid turns a table round: a line for each of its columns, with the sets side by side.
func (all cells) grid() []cells {
	var lines []cells
	at := make(map[string]int)
	for _, c := range all {
		name := c.column.name
		if _, ok := at[name]; !ok {
			at[name] = len(lines)
			lines = append(lines, nil)
		}
		lines[at[name]] = append(lines[at[name]], c)
	}
	return lines
}
