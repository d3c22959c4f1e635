package oblique

import (
	"context"
	"iter"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/cellpoint"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
	"github.com/seed-1a7dc1f9/facet/polytope"
	"github.com/seed-1a7dc1f9/facet/polytope/native"
)

// leaves lists the leaves of a tree that some input reaches, from left to right, with their
// labels.
func leaves(t *trees.Oblique) iter.Seq2[int, polytope.Polyhedron] {
	return func(yield func(int, polytope.Polyhedron) bool) {
		var solver native.Solver
		for leaf := range t.Leaves() {
			var p polytope.Polyhedron
			t.Restrict(&p, leaf)
			if !t.Contradicts(leaf) && exists(&solver, p, t.Dim) &&
				!yield(int(t.Labels[leaf]), own(p)) {
				return
			}
		}
	}
}

// CellAt returns the intersection of the leaves that x reaches.
func (m *Model) CellAt(x []float64) polytope.Polyhedron {
	var p polytope.Polyhedron
	for _, t := range m.Trees {
		t.Restrict(&p, t.Leaf(x))
	}
	return own(p)
}

// Cells lists the intersections of one leaf of each tree that some input reaches, with their
// labels, in the order of the leaves of the first tree, then of the second.
func (m *Model) Cells() iter.Seq2[int, polytope.Polyhedron] {
	if m.grid == nil {
		return leaves(m.Trees[0])
	}
	return func(yield func(int, polytope.Polyhedron) bool) {
		var solver native.Solver
		m.cells(0, m.Vote.Base, newRegion(m.grid, m.Dim()), &solver, yield)
	}
}

// cells yields the cells within a region, the leaves of the trees before t with sum as
// their sum; false when the caller has had enough.
func (m *Model) cells(
	t int, sum []float64, r *region, s polytope.Solver, yield func(int, polytope.Polyhedron) bool,
) bool {
	if t == m.Len() {
		return yield(m.Decide(slices.Clone(sum)), own(r.polyhedron(nil)))
	}
	for _, l := range m.grid.of(t) {
		more, mark := true, r.mark()
		if r.meet(l.ranges...) &&
			(r.mark() == mark || exists(s, r.polyhedron(nil), m.Dim())) {
			total := slices.Clone(sum)
			m.Add(total, t, l.node)
			more = m.cells(t+1, total, r, s, yield)
		}
		if r.back(mark); !more {
			return false
		}
	}
	return true
}

// exists reports whether a polyhedron may hold an input: false if it provably holds none.
func exists(s polytope.Solver, p polytope.Polyhedron, dim int) bool {
	ctx := context.Background()
	problem := polytope.Problem{X: make([]float64, dim), Region: p}
	sol, err := cellpoint.Ask(ctx, s, problem)
	if err != nil || sol.Point == nil {
		return err != nil
	}
	z, _, err := cellpoint.Margin(ctx, s, problem, nil, sol.Point, 0,
		func([]float64) bool { return true })
	return z != nil || err != nil
}

// own returns a copy of p that shares no memory with a model.
func own(p polytope.Polyhedron) polytope.Polyhedron {
	p.Box, p.HalfSpaces = slices.Clone(p.Box), slices.Clone(p.HalfSpaces)
	for i := range p.HalfSpaces {
		p.HalfSpaces[i].A = slices.Clone(p.HalfSpaces[i].A)
	}
	return p
}
