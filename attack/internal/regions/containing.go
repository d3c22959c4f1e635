package regions

import (
	"context"
	"fmt"
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/access"
	"github.com/seed-1a7dc1f9/facet/internal/guard"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// containing looks for the cell of a point in a listing. A listing that leaves the point uncovered
// may leave out other inputs, so that it proves no bound.
type containing struct {
	x     []float64
	label int // that Predict gives x
	found bool
	cell  Cell   // the first that holds x under its label
	other string // describes the first that holds it under another
}

// visit looks at a cell; it reports whether that is the one looked for.
func (h *containing) visit(number int, cell Cell) bool {
	if h.found || (cell.Label != h.label && h.other != "") || !covers(cell.Region, h.x) {
		return false
	}
	if cell.Label != h.label {
		h.other = fmt.Sprintf("; cell %d, with label %d, does", number, cell.Label)
		return false
	}
	h.found, h.cell = true, cell
	return true
}

// check is called after the last of n cells.
func (h *containing) check(n int) error {
	if h.found {
		return nil
	}
	return fmt.Errorf("%w: none of its %d cells holds %v with the label %d that it predicts%s",
		guard.ErrClassifier, n, h.x, h.label, h.other)
}

// eachCell visits the cells that c lists, numbered from 0, until visit returns
// false or ctx ends.
func eachCell(
	ctx context.Context, c guard.Classifier, cells access.Cells,
	visit func(number int, cell Cell) (more bool),
) (n int, err error) {
	defer guard.Catch(&err, "Cells", c)
	list := cells()
	if list == nil {
		return 0, fmt.Errorf("%w: Cells of %T returned nil", guard.ErrClassifier, c)
	}
	for label, region := range list {
		if n%chunk == 0 && ctx.Err() != nil {
			return n, ctx.Err()
		}
		if err := guard.CheckCell(n, label, region, c.Dim(), c.Classes()); err != nil {
			return n, fmt.Errorf("%w: %w", guard.ErrClassifier, err)
		}
		if !visit(n, Cell{label, region}) {
			return n, nil
		}
		n++
	}
	return n, ctx.Err()
}

// covers reports whether x lies in p. A Predict in plain float64 arithmetic may put
// x on the other side of a half-space that is closer than its rounding errors, so
// that much is let pass. Sides of boxes and a Rest that decides for itself are exact.
func covers(p polytope.Polyhedron, x []float64) bool {
	if !p.Box.Contains(x) {
		return false
	}
	for _, h := range p.HalfSpaces {
		v, _ := precise.Excess(h.A, h.B, x)
		if v > 0 && (math.IsInf(h.B, 0) || !(v <= sumError(h, x))) {
			return false
		}
	}
	return polytope.Polyhedron{Rest: p.Rest}.Contains(x)
}

// sumError bounds the rounding error of A·x − B as a plain sum of len(A) products
// in any order, and as much again for the error that A and B may come with.
func sumError(h polytope.HalfSpace, x []float64) float64 {
	size := math.Abs(h.B)
	for j, a := range h.A {
		size += math.Abs(a * x[j])
	}
	return 2 * float64(len(x)+2) * precise.Roundoff * size
}
