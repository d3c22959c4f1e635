package classifiertest

import (
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/guard"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// readCells lists the cells, and a part of them again.
func (t *tester) readCells() error {
	defer guard.Name("Cells", t.c)
	var asListed []classifier.Cell
	if err := t.eachCell(func(number int, cell classifier.Cell) bool {
		t.cells, asListed = append(t.cells, cell), append(asListed, snapshot(cell))
		return number < mostCells
	}); err != nil {
		return err
	}
	switch n := len(t.cells); {
	case n == 0:
		return errors.New("the list of Cells is empty")
	case n > mostCells:
		return fmt.Errorf("more than %d cells: raise Options.MaxCells, or test a smaller model",
			mostCells)
	}
	for i, cell := range t.cells {
		if !same(cell, asListed[i]) {
			t.add("stays", "cell %d changes when the iteration moves on", i)
		}
	}
	last := len(t.cells) / 2
	listed := 0
	err := t.eachCell(func(number int, cell classifier.Cell) bool {
		listed++
		if !same(cell, asListed[number]) {
			t.add("again", "Cells lists another cell %d the second time", number)
		}
		return number < last
	})
	if listed <= last {
		t.add("again", "Cells lists %d cells the first time and %d the second time",
			len(t.cells), listed)
	}
	return err
}

// eachCell visits well-formed cells until visit returns false.
func (t *tester) eachCell(visit func(number int, cell classifier.Cell) bool) error {
	cells := t.c.Cells()
	if cells == nil {
		return errors.New("the iterator of Cells is nil")
	}
	number := 0
	for cell := range cells {
		if err := guard.CheckCell(number, cell.Label, cell.Region, t.dim, t.classes); err != nil {
			return err
		}
		if !visit(number, cell) {
			break
		}
		number++
	}
	return nil
}

// snapshot returns a copy of the half-spaces of a cell.
func snapshot(c classifier.Cell) classifier.Cell {
	c.Region.Box, c.Region.HalfSpaces = slices.Clone(c.Region.Box), slices.Clone(
		c.Region.HalfSpaces,
	)
	for i, h := range c.Region.HalfSpaces {
		c.Region.HalfSpaces[i].A = slices.Clone(h.A)
	}
	return c
}

// same compares all but the Rest.
func same(a, b classifier.Cell) bool {
	return a.Label == b.Label && slices.Equal(a.Region.Box, b.Region.Box) &&
		slices.EqualFunc(a.Region.HalfSpaces, b.Region.HalfSpaces,
			func(g, h polytope.HalfSpace) bool { return reflect.DeepEqual(g, h) })
}
