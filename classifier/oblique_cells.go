package classifier

import (
	"context"
	"iter"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/cellpoint"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Cells lists the leaves that some input reaches, from left to right. Tests of one
// feature make the box of a cell, the others its half-spaces, which must have a
// common interior within the box. They are those of exact arithmetic: within the
// rounding error of Weights·x a prediction may differ from them. A program is
// solved for each leaf.
func (t *ObliqueTree) Cells() iter.Seq[Cell] {
	return func(yield func(Cell) bool) {
		var solver polytope.Native
		t.walk(0, &solver, yield)
	}
}

func (t *ObliqueTree) walk(i int, s polytope.Solver, yield func(Cell) bool) bool {
	if n := t.nodes[i]; n.Left >= 0 {
		return t.walk(n.Left, s, yield) && t.walk(n.Right, s, yield)
	}
	cell := t.cell(i)
	return !hasInterior(s, cell.Region, t.dim) || yield(cell)
}

// hasInterior reports whether the half-spaces of a polyhedron have an interior
// within its box that is thicker than rounding, or that rounding keeps it from
// knowing.
func hasInterior(s polytope.Solver, p polytope.Polyhedron, dim int) bool {
	ctx := context.Background()
	problem := polytope.Problem{X: make([]float64, dim), Region: p}
	sol, err := s.Closest(ctx, problem)
	if err != nil {
		return true
	}
	if sol.Status == polytope.StatusInfeasible {
		return false
	}
	z, _, err := cellpoint.Margin(ctx, s, problem, sol.Point, func([]float64) bool { return true })
	return z != nil || err != nil
}

// cell returns the cell of a leaf.
func (t *ObliqueTree) cell(leaf int) Cell {
	return Cell{Label: int(t.labels[leaf]), Region: ownRegion(t.region(leaf))}
}

// ownRegion returns a copy of p that shares nothing with a model.
func ownRegion(p polytope.Polyhedron) polytope.Polyhedron {
	p.Box, p.HalfSpaces = slices.Clone(p.Box), slices.Clone(p.HalfSpaces)
	for i := range p.HalfSpaces {
		p.HalfSpaces[i].A = slices.Clone(p.HalfSpaces[i].A)
	}
	return p
}

// region returns the inputs that reach node i.
func (t *ObliqueTree) region(i int) polytope.Polyhedron {
	var p polytope.Polyhedron
	t.restrict(&p, i)
	return p
}

// restrict intersects p with the inputs that reach node i.
func (t *ObliqueTree) restrict(p *polytope.Polyhedron, i int) {
	for i > 0 {
		parent := int(t.parents[i])
		s := &t.splits[parent]
		s.direction.restrict(p, t.dim, s.border, (i == t.nodes[parent].Left) == s.leftIsLow)
		i = parent
	}
}

// sure reports whether x reaches its leaf in any arithmetic at least as good as
// float64.
func (t *ObliqueTree) sure(x []float64) bool {
	for i := 0; t.nodes[i].Left >= 0; i = t.child(i, t.splits[i].left(x)) {
		if !t.splits[i].sure(x) {
			return false
		}
	}
	return true
}

// CellAt returns the leaf that x reaches.
func (t *ObliqueTree) CellAt(x []float64) (Cell, error) {
	if err := polytope.CheckPoint(x, t.dim); err != nil {
		return Cell{}, err
	}
	return t.cell(t.leaf(x)), nil
}
