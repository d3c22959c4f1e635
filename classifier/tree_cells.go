package classifier

import (
	"iter"

	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Cells lists the leaves that some input reaches, from left to right, as boxes.
// The borders lie where the comparison changes: with AtMostFloat32 halfway between a
// threshold and the next float32.
func (t *Tree) Cells() iter.Seq[Cell] {
	return func(yield func(Cell) bool) {
		t.walk(0, yield)
	}
}

func (t *Tree) walk(i int, yield func(Cell) bool) bool {
	if n := t.nodes[i]; n.Left >= 0 {
		return t.walk(n.Left, yield) && t.walk(n.Right, yield)
	}
	cell := t.cell(i)
	return cell.Region.Box.Empty() || yield(cell)
}

func (t *Tree) cell(leaf int) Cell {
	box := make(polytope.Box, t.dim)
	t.box(box, leaf)
	return Cell{Label: int(t.labels[leaf]), Region: polytope.Polyhedron{Box: box}}
}

// CellAt returns the leaf that x reaches.
func (t *Tree) CellAt(x []float64) (Cell, error) {
	if err := polytope.CheckPoint(x, t.dim); err != nil {
		return Cell{}, err
	}
	return t.cell(t.leaf(x)), nil
}
