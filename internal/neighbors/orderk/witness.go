package orderk

import (
	"context"
	"iter"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/cellpoint"
	"github.com/seed-1a7dc1f9/facet/internal/closest"
	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/neighbors"
	"github.com/seed-1a7dc1f9/facet/internal/neighbors/orderk/bisectors"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// witness returns the answer in the cell of the members at a point, nil if the node leaves no
// input there. The answer has no example if no float64 is known to lie in the cell.
func (o *opener) witness(
	ctx context.Context, n search.Node, d *decisions, at *point, members []int32,
) (*search.Answer, error) {
	decided := d.constraints()
	cell := &decidedCell{o.table.NewCell(members), o, at, decided}
	problem := o.Cost.Problem(o.X, polytope.Polyhedron{Box: o.Domain, Rest: cell})
	flips := func(z []float64) bool { return o.Reaches(o.table.Vote(z, o.k)) }
	accept := func(z []float64) bool {
		return o.Allows(z) && cell.Holds(z) && flips(z)
	}
	z := o.solveWithMargin(ctx, at, decided, accept)
	if z == nil {
		var solves int
		var err error
		z, solves, err = cellpoint.Margin(ctx, o.Solver, problem, o.Linear,
			slices.Clone(at.z), o.Norm.Distance(o.X, d.pivot().x), flips)
		o.solves += solves
		if cellpoint.Thin(err) {
			return cellpoint.Answer(&o.Query, n, nil), nil
		}
		if z == nil || err != nil {
			return nil, err
		}
	}
	// In a narrow corner a margin takes it far: as much will do as Vote needs.
	cellpoint.Closer(o.Cost, o.X, z, at.z, accept)
	return cellpoint.Answer(&o.Query, n, z), nil
}

// solveWithMargin solves the program of a node once more with every decision made by a
// margin that holds in anybody's arithmetic, and returns the solution if it is accepted.
// Few pivots are left to do.
func (o *opener) solveWithMargin(
	ctx context.Context, at *point, decided []bisectors.Constraint, accept func([]float64) bool,
) []float64 {
	w, ok := o.program.(*bisectors.Warm)
	if !ok {
		return nil
	}
	if o.inner == nil {
		o.inner = bisectors.NewWarm(&o.Query, o.size())
	}
	rows := make([]bisectors.Constraint, len(decided))
	for i, c := range decided {
		rows[i] = o.withMargin(at, c)
	}
	o.inner.Start(rows, w.Basis())
	o.solves++
	sol, err := o.inner.Solve(ctx, math.Inf(1))
	if err != nil || sol.Status != closest.Optimal {
		return nil
	}
	z := slices.Clone(o.X)
	for j, u := range sol.U {
		z[j] += u
	}
	if _, ok := geometry.InsideBox(z, o.Domain, z); !ok || !accept(z) {
		return nil
	}
	return z
}

// withMargin moves the bisector of a constraint so that the nearer row has a margin near
// a point.
func (s *query) withMargin(at *point, c bisectors.Constraint) bisectors.Constraint {
	if c.Before >= 0 && c.A != nil {
		margin := neighbors.SureMargin * precise.Noise(s.table.Dim)
		c.B -= margin * at.squared(s.table.Row(c.Before)) / (2 * c.Length)
	}
	return c
}

// contradictory reports whether the decisions contradict each other within the
// domain.
func (o *opener) contradictory(d *decisions) bool {
	r := o.table.ExactSystem(o.X, o.Domain)
	bisectors.Confine(r, d.constraints())
	r.Faces()
	r.Linear(o.Linear)
	return !r.Exists()
}

// decidedCell is the part of an order-k cell in which decisions hold, at a point.
type decidedCell struct {
	neighbors.Cell
	o       *opener
	at      *point
	decided []bisectors.Constraint
}

// Inputs implements cellpoint.Decider.
func (r *decidedCell) Inputs(
	box polytope.Box, x, _ []float64,
) (inputs iter.Seq[[]float64], exists bool) {
	system, size := r.o.table.ExactSystem(x, box), max(r.at.value, r.at.length)
	bisectors.Confine(system, r.decided)
	system.Linear(r.o.Linear)
	system.FacesAt(r.at.u, size)
	if !system.Cell(r.Members, r.at.u) {
		return nil, true
	}
	return system.Inputs(r.at.u, size), system.Exists()
}

// Separate names the bisectors of the decisions first.
func (r *decidedCell) Separate(x, u []float64, add func([]float64, float64) bool) {
	if !r.separate(r.o.table.Border, x, add) {
		r.Cell.Separate(x, u, add)
	}
}

// Holds implements cellpoint.Decider.
func (r *decidedCell) Holds(z []float64) bool {
	return !r.separate(r.o.table.Side, z, neighbors.Excludes) && r.Cell.Holds(z)
}

// separate names the bisectors of the decisions, and reports whether one was taken.
func (r *decidedCell) separate(
	half neighbors.BisectorFunc, x []float64, add func([]float64, float64) bool,
) (found bool) {
	for _, c := range r.decided {
		if c.Before >= 0 {
			found = add(r.o.a, half(r.o.a, x, c.Before, c.After)) || found
		}
	}
	return found
}
