package classifier

import (
	"iter"
	"slices"

	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Cells lists the intersections of one leaf of each tree that have an interior, in
// the order of the leaves of the first tree, then of the second. There can be as
// many as the product of the numbers of leaves; a program is solved for each of
// them and for each intersection of the first few leaves.
func (e *ObliqueEnsemble) Cells() iter.Seq[Cell] {
	return func(yield func(Cell) bool) {
		w := &obliqueWalk{e: e, region: newObliqueRegion(e.grid, e.dim), yield: yield}
		w.tree(0, e.opts.Base)
	}
}

// obliqueWalk lists the cells of an ensemble.
type obliqueWalk struct {
	e      *ObliqueEnsemble
	region *obliqueRegion
	solver polytope.Native
	yield  func(Cell) bool
}

// tree yields the cells within the region, the leaves of the trees before t with
// sum as their sum; false when the caller has had enough.
func (w *obliqueWalk) tree(t int, sum []float64) bool {
	g := w.e.grid
	if t == len(w.e.trees) {
		label := w.e.opts.decide(slices.Clone(sum), t)
		return w.yield(Cell{Label: label, Region: ownRegion(w.region.polyhedron(nil))})
	}
	for _, l := range g.leaves[g.first[t]:g.first[t+1]] {
		mark := w.region.mark()
		more := true
		if w.enter(l) {
			total := slices.Clone(sum)
			w.e.add(total, t, int(l.node))
			more = w.tree(t+1, total)
		}
		w.region.back(mark)
		if !more {
			return false
		}
	}
	return true
}

// enter intersects the region with a leaf; false when there is no interior left.
func (w *obliqueWalk) enter(l obliqueLeaf) bool {
	mark := w.region.mark()
	for _, side := range l.sides {
		if !w.region.meet(side) {
			return false
		}
	}
	return w.region.mark() == mark || hasInterior(&w.solver, w.region.polyhedron(nil), w.e.dim)
}
