package classifiertest

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/access"
	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/guard"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// look holds the cells against Predict at one point.
func (t *tester) look(z []float64) {
	if geometry.CheckPoint(z, t.dim) != nil {
		return // beyond the largest float64
	}
	label, ok := t.predict(z)
	if !ok {
		return
	}
	switch own, other := t.cellsOf(z, label); {
	case own < 0 && other < 0:
		t.add(fmt.Sprint("uncovered", label),
			"%v is predicted %d and lies in no cell of that label", z, label)
	case own < 0:
		t.add(fmt.Sprint("label", other), "%v is predicted %d and lies in cell %d of label %d",
			z, label, other, t.cells[other].Label)
	case other >= 0:
		t.add(fmt.Sprint("both", own, other), "%v is predicted %d, lies in cell %d of that "+
			"label, and in cell %d of label %d: they overlap, or a side of one should be open",
			z, label, own, other, t.cells[other].Label)
	}
	t.locate(z, label)
}

// cellsOf returns the number of a cell with this label that may hold z, and that of a
// cell with another one that holds it for certain; −1 for none.
func (t *tester) cellsOf(z []float64, label int) (own, other int) {
	defer guard.Name("the regions of Cells", t.c)
	own, other = -1, -1
	for i := range t.cells {
		where := sideOf(t.cells[i].Region, z)
		if where != outside && t.cells[i].Label == label {
			own = i
		} else if where == inside && t.cells[i].Label != label {
			other = i
		}
	}
	return own, other
}

// predict returns the label of z, and false if that is none.
func (t *tester) predict(z []float64) (label int, ok bool) {
	defer guard.Name("Predict", t.c)
	x := slices.Clone(z)
	label = t.c.Predict(x)
	if label < 0 || label >= t.classes {
		t.add("predict", "%v is predicted %d of %d classes", z, label, t.classes)
		return label, false
	}
	if again := t.c.Predict(x); again != label {
		t.add("again", "%v is predicted %d, and then %d", z, label, again)
	}
	if !slices.Equal(x, z) {
		t.add("writes", "Predict makes %v of its input %v", x, z)
	}
	return label, true
}

// locate holds CellAt against Predict.
func (t *tester) locate(z []float64, label int) {
	c, ok := t.c.(interface {
		CellAt(x []float64) (classifier.Cell, error)
	})
	if !ok {
		return
	}
	defer guard.Name("CellAt", t.c)
	cell, err := c.CellAt(slices.Clone(z))
	if err == nil {
		err = geometry.Check(cell.Region, t.dim)
	}
	switch {
	case err != nil:
		t.add("CellAt", "CellAt(%v): %w", z, err)
	case cell.Label != label:
		t.add("CellAt's label", "CellAt(%v) has label %d, %d is predicted", z, cell.Label, label)
	case sideOf(cell.Region, z) == outside:
		t.add("CellAt's cell", "CellAt(%v) does not hold the point", z)
	}
}

// lookForOverlaps looks inside the intersections of cells with different labels.
func (t *tester) lookForOverlaps() {
	margin := t.width() * 0x1p-20
	visit := func(a, b classifier.Cell) {
		both := a.Region
		if both.Rest == nil {
			both.Rest = b.Region.Rest
		} else if b.Region.Rest != nil {
			return // no Polyhedron has two
		}
		both.Box = geometry.IntersectBoxes(a.Region.Box, b.Region.Box)
		both.HalfSpaces = slices.Concat(a.Region.HalfSpaces, b.Region.HalfSpaces)
		if a.Label == b.Label || geometry.EmptyBox(both.Box) {
			return
		}
		if z := t.closest(both, t.draw(), margin); z != nil {
			t.look(z)
		}
	}
	n := len(t.cells)
	if n*(n-1)/2 > t.opts.points {
		for range t.opts.points {
			visit(t.cells[t.rng.IntN(n)], t.cells[t.rng.IntN(n)])
		}
		return
	}
	for i, a := range t.cells {
		for _, b := range t.cells[:i] {
			visit(a, b)
		}
	}
}

const (
	searches = 30     // points that are searched around
	maxNodes = 20_000 // of a search, which is then held against its bound
	// tolerance is the error that a bound may have, relative to those from 1 on.
	tolerance = 1e-9
)

// listed is a classifier of which only the cells are known.
type listed struct{ classifier.Decomposable }

// search compares the answer of one of our own classifiers with that of its cells.
func (t *tester) search() {
	if _, ok := access.Searcher(t.c); !ok {
		return
	}
	for n := range searches {
		o := attack.Options{Norm: polytope.Norm(n % 3), Workers: 1, MaxNodes: maxNodes}
		x := t.draw()
		if n < len(t.opts.inputs) {
			x = t.opts.inputs[n]
		}
		searched, err := (&attack.RegionBased{Classifier: t.c, Options: o}).Perturb(
			context.Background(), x,
		)
		if err != nil {
			t.add("search", "searching around %v: %w", x, err)
			return
		}
		cells, err := (&attack.RegionBased{Classifier: listed{t.c}, Options: o}).Perturb(
			context.Background(), x,
		)
		if err != nil {
			t.add("cells", "searching the cells around %v: %w", x, err)
			return
		}
		if contradict(searched, cells) {
			t.add("distance", "%v, norm %v: Search finds an example at %v and none below %v, the "+
				"cells have one at %v and none below %v",
				x, o.Norm, searched.Distance, searched.Bound, cells.Distance, cells.Bound)
		}
	}
}

// contradict reports whether the bound of one result exceeds the distance of the other,
// or, where both searches ended, their bounds differ.
func contradict(a, b attack.Result) bool {
	above := func(bound, distance float64) bool {
		return bound > distance+tolerance*math.Max(1, distance)
	}
	return above(a.Bound, b.Distance) || above(b.Bound, a.Distance) ||
		a.Optimal() && b.Optimal() && (above(a.Bound, b.Bound) || above(b.Bound, a.Bound))
}
