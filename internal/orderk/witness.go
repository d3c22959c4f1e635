package orderk

import (
	"context"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/classifier/search"
	"github.com/seed-1a7dc1f9/facet/internal/cellpoint"
	"github.com/seed-1a7dc1f9/facet/internal/closest"
	"github.com/seed-1a7dc1f9/facet/internal/neighbors"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// cornered is the part of an order-k cell in which some rows come before others.
type cornered struct {
	neighbors.Cell
	pairs [][2]int32
	o     *orderOpener // at the part
}

// HasInterior implements cellpoint.Decider.
func (r *cornered) HasInterior(polytope.Box, []float64, []float64) bool {
	return r.o.hasInterior(r.Members)
}

// Separate names the bisectors of the pairs first.
func (r *cornered) Separate(x, u []float64, add func([]float64, float64) bool) {
	if !r.decided(neighbors.Bisector, x, add) {
		r.Cell.Separate(x, u, add)
	}
}

// decided names the bisectors of the pairs, and reports whether one was taken.
func (r *cornered) decided(half neighbors.BisectorFunc, x []float64, add func([]float64, float64) bool) (found bool) {
	for _, p := range r.pairs {
		found = r.o.table.Bisect(half, x, p[0], p[1], add) || found
	}
	return found
}

// StrictlyContains reports whether z lies in the cell, and nearer to the first of each
// pair.
func (r *cornered) StrictlyContains(z []float64) bool {
	outside := func(a []float64, b float64) bool { return neighbors.Excludes(a, b) }
	return !r.decided(neighbors.BisectorSide, z, outside) && r.Cell.StrictlyContains(z)
}

// witness returns the answer in the cell of the members at the current point, nil
// if the part has no interior there. The answer has no example if the cell is too
// thin for one.
func (o *orderOpener) witness(ctx context.Context, n search.Node, members []int32) (*search.Answer, error) {
	problem := polytope.Problem{
		Norm: o.q.Norm, X: o.q.X,
		Region: polytope.Polyhedron{Box: o.q.Domain, Rest: o.corner(members)},
	}
	flips := func(z []float64) bool { return o.q.Reaches(o.table.Vote(z, o.k)) }
	accept := func(z []float64) bool { return problem.Region.StrictlyContains(z) && flips(z) }
	z := o.press(ctx, accept)
	if z == nil {
		var solves int
		var err error
		z, solves, err = cellpoint.MarginOf(ctx, o.q.Solver, problem, slices.Clone(o.z), o.q.Norm.Distance(o.q.X, o.path[0].pivot.x), flips)
		o.solves += solves
		if cellpoint.Thin(err) {
			return cellpoint.Answer(&o.q, n, nil), nil
		}
		if z == nil || err != nil {
			return nil, err
		}
	}
	// In a narrow corner a lead takes it far: as much will do as Predict needs.
	cellpoint.Closer(o.q.Norm, o.q.X, z, o.z, accept)
	return &search.Answer{Bound: n.Bound, Order: n.Order, Example: z, Distance: o.q.Norm.Distance(o.q.X, z)}, nil
}

// hasInterior reports whether the part of the cell of the members in which the
// decisions hold may have an interior at the current point.
func (o *orderOpener) hasInterior(members []int32) bool {
	r := o.decided()
	r.SidesAt(o.u, max(o.program.value(), o.length))
	return !r.Cell(members, o.u) || r.Exists()
}

// contradictory reports whether the decisions contradict each other within the
// domain.
func (o *orderOpener) contradictory() bool {
	r := o.decided()
	r.Sides()
	return !r.Exists()
}

// decided returns the set of the points for which the decisions hold.
func (o *orderOpener) decided() *neighbors.Room {
	r := o.table.Room(o.q.X, o.q.Domain)
	for _, d := range o.decisions() {
		if d.before >= 0 {
			r.Before(d.before, d.after)
		} else {
			r.Side(int(-d.after-1)/2, d.a[int(-d.after-1)/2] > 0)
		}
	}
	return r
}

// corner returns the part of the cell of the members in which the decisions hold.
func (o *orderOpener) corner(members []int32) *cornered {
	region := &cornered{Cell: o.table.NewCell(members), o: o}
	for _, r := range o.decisions() {
		if r.before >= 0 {
			region.pairs = append(region.pairs, [2]int32{r.before, r.after})
		}
	}
	return region
}

// decisions returns the rows of the program of the part.
func (o *orderOpener) decisions() []row {
	var all []row
	for i := len(o.path) - 1; i > 0; i-- {
		all = append(all, o.path[i].added()...)
	}
	return append(all, o.rows...)
}

// press solves the program of the part once more with every decision made by a
// lead of sure times the rounding error of a squared distance, and returns the
// solution if it is accepted. Few pivots are left to do.
func (o *orderOpener) press(ctx context.Context, accept func([]float64) bool) []float64 {
	w, ok := o.program.(*warm)
	if !ok {
		return nil
	}
	if o.pressed == nil {
		o.pressed = o.warm()
	}
	o.pressed.start(nil)
	for _, r := range o.decisions() {
		r.b -= o.shift(r)
		o.pressed.add(r)
	}
	o.pressed.Restore(w.Basis())
	o.solves++
	status, err := o.pressed.solve(ctx, math.Inf(1))
	if err != nil || status != closest.Optimal {
		return nil
	}
	z := slices.Clone(o.q.X)
	for j, u := range o.pressed.u() {
		z[j] += u
	}
	if _, ok := o.q.Domain.Inside(z, z); !ok || !accept(z) {
		return nil
	}
	return z
}

// shift returns how far a row is to be moved for the lead.
func (o *orderOpener) shift(r row) float64 {
	if r.before < 0 {
		return 0
	}
	return neighbors.SureLead * precise.Noise(o.table.Dim) * o.squared(r.before) / (2 * r.length)
}
