package classifier

import (
	"context"
	"errors"
	"math"

	"github.com/seed-1a7dc1f9/facet/classifier/search"
	"github.com/seed-1a7dc1f9/facet/internal/cellpoint"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// solvedWithin is how much farther than the bound of a node, relatively, an answer
// may lie for the node to be solved: a few thousand rounding errors.
const solvedWithin = 1e-12

// conclude looks for an answer where the best leaves meet, and divides the node
// unless that is the nearest one there can be.
func (o *obliqueOpener) conclude(ctx context.Context) (a *search.Answer) {
	mark := o.region.mark()
	agree := o.meetBest()
	whole := o.region.mark() == mark // the polyhedron lies in all of the best leaves
	if agree && o.reaches() {
		a = o.answer(ctx, whole)
	}
	o.region.back(mark)
	solved := whole || (a != nil && a.Bound == o.bound)
	if o.err != nil && (whole || !o.passing()) {
		return nil
	}
	o.err = nil
	if !solved {
		o.split(o.choose())
	}
	return a
}

// passing reports whether an error may be one of the intersection only.
func (o *obliqueOpener) passing() bool {
	return errors.Is(o.err, polytope.ErrNumerical) || errors.Is(o.err, cellpoint.ErrNone) || errors.Is(o.err, cellpoint.ErrThin)
}

// meetBest intersects the region with the best leaves; false when some test keeps
// them apart.
func (o *obliqueOpener) meetBest() bool {
	for _, i := range o.best {
		for _, side := range o.g.leaves[o.leaves.leaves[i]].sides {
			if !o.region.meet(side) {
				return false
			}
		}
	}
	return true
}

// reaches reports whether the best leaves together answer the query.
func (o *obliqueOpener) reaches() bool {
	copy(o.sum, o.e.opts.Base)
	for t, i := range o.best {
		o.e.add(o.sum, t, int(o.g.leaves[o.leaves.leaves[i]].node))
	}
	return o.q.Reaches(o.e.opts.decide(o.sum, len(o.best)))
}

// answer returns the point of the region nearest to X, nil when the region is
// empty, too far, or without interior. known tells that the region is that of the
// node; if it is too thin for a point, the answer has no example.
func (o *obliqueOpener) answer(ctx context.Context, known bool) *search.Answer {
	sol := polytope.Solution{Point: o.point, Bound: o.bound}
	if !known || o.point == nil {
		var ok bool
		if sol, ok = o.closest(ctx); !ok {
			return nil
		}
	}
	if sol.Point == nil {
		o.fail(sol.Bound, polytope.ErrNumerical)
		return nil
	}
	bound := max(o.bound, sol.Bound)
	if o.q.Norm.Distance(o.q.X, sol.Point) <= o.bound*(1+solvedWithin) {
		bound = o.bound
	}
	if bound > o.cutoff {
		return nil
	}
	reaches := func(z []float64) bool { return o.q.Reaches(o.e.Predict(z)) }
	z, solves, err := obliqueWitness(ctx, o.q.Solver, o.problem(), sol.Point, reaches, o.e.sure)
	o.solves += solves
	if known && errors.Is(err, cellpoint.ErrThin) {
		return &search.Answer{Bound: bound, Order: o.node.Order, Distance: math.Inf(1)}
	}
	if err != nil {
		o.fail(sol.Bound, err)
	}
	if z == nil {
		return nil
	}
	return &search.Answer{Bound: bound, Order: o.node.Order, Example: z, Distance: o.q.Norm.Distance(o.q.X, z)}
}

// choose returns the side of a test of one of the best leaves that the closest
// point fails most.
func (o *obliqueOpener) choose() (near obliqueSide) {
	point := o.point
	if point == nil {
		point = o.q.X
	}
	most := -1.0
	for _, i := range o.best {
		for _, side := range o.g.leaves[o.leaves.leaves[i]].sides {
			now := o.region.sides[side.direction]
			low, high := now, now
			low.hi, high.lo = min(now.hi, side.hi), max(now.lo, side.lo)
			for _, part := range []obliqueSide{high, low} {
				if part == now {
					continue
				}
				if far := o.fails(part, point); far > most {
					near, most = part, far
				}
			}
		}
	}
	return near
}

// split divides the polyhedron into one side of a test and the other.
func (o *obliqueOpener) split(near obliqueSide) {
	now := o.region.sides[near.direction]
	far := obliqueSide{near.direction, now.lo, near.lo - 1}
	if near.lo == now.lo {
		far = obliqueSide{near.direction, near.hi + 1, now.hi}
	}
	s := o.node.State.(*obliqueNode)
	half := max(0, (s.span-1)/2)
	order := o.node.Order + min(1, half)
	for _, side := range []obliqueSide{near, far} {
		if bound := max(o.bound, o.away(side)); o.g.solid(side) && bound <= o.cutoff {
			child := &obliqueNode{parent: s, side: side, span: half, leaves: o.leaves}
			if o.point != nil && o.holds(side, o.point) {
				child.point = o.point
			}
			o.children = append(o.children, search.Node{Bound: bound, Order: order, Item: o.node.Item, State: child})
		}
		order += half
	}
}
