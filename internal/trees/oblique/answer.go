package oblique

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/cellpoint"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// solvedWithin is how much farther than the bound of a node, relatively, an answer may
// lie for the node to be solved: a few thousand rounding errors.
const solvedWithin = 1e-12

// answerOrSplit looks for an answer where the best candidates meet, and divides the node
// unless that is the nearest one there can be.
func (o *opener) answerOrSplit(ctx context.Context, p *opening, best []int32) (err error) {
	mark := p.region.mark()
	agree := o.meetAll(p, best)
	whole := p.region.mark() == mark // the polyhedron lies in all of the best
	if agree && o.answers(p, best) {
		p.opened.Answer, err = o.answer(ctx, p, whole)
	}
	p.region.back(mark)
	ofIntersection := !whole && (errors.Is(err, polytope.ErrNumerical) || cellpoint.Thin(err))
	if err != nil && !ofIntersection {
		return err
	}
	if a := p.opened.Answer; !whole && (a == nil || a.Bound != p.Bound) {
		o.divide(p, o.farthest(p, best))
	}
	return nil
}

// leafOf returns the leaf of a candidate.
func (o *opener) leafOf(p *opening, candidate int32) *leaf {
	return &o.g.leaves[p.candidates.leaves[candidate].leaf]
}

// meetAll intersects the region with the best candidates; false when some test keeps them
// apart.
func (o *opener) meetAll(p *opening, best []int32) bool {
	for _, i := range best {
		if !p.region.meet(o.leafOf(p, i).ranges...) {
			return false
		}
	}
	return true
}

// answers reports whether the best candidates together answer the query.
func (o *opener) answers(p *opening, best []int32) bool {
	copy(o.sum, o.m.Vote.Base)
	for t, i := range best {
		o.m.Add(o.sum, t, o.leafOf(p, i).node)
	}
	return o.q.Reaches(o.m.Decide(o.sum))
}

// answer returns the point of the region nearest to X, nil when the region is empty, too
// or too far. whole tells that the region is that of the node; if it is
// too thin for a point, the answer has no example.
func (o *opener) answer(ctx context.Context, p *opening, whole bool) (*search.Answer, error) {
	point, bound := p.point, p.Bound
	if !whole || point == nil {
		var err error
		if point, bound, err = o.closest(ctx, p); err != nil || math.IsInf(bound, 1) {
			return nil, err
		}
	}
	if point == nil {
		return nil, polytope.ErrNumerical
	}
	at := p.Node
	if o.q.Cost.Distance(o.q.X, point) > p.Bound*(1+solvedWithin) {
		at.Bound = max(p.Bound, bound)
	}
	if at.Bound > p.cutoff {
		return nil, nil
	}
	reaches := func(z []float64) bool { return o.q.Reaches(o.m.Predict(z)) }
	z, solves, err := inside(ctx, &o.q, o.problem(p), point, reaches, o.m.sure)
	p.opened.Solves += solves
	switch {
	case whole && errors.Is(err, cellpoint.ErrThin):
		return cellpoint.Answer(&o.q, at, nil), nil
	case z == nil || err != nil:
		return nil, err
	}
	return cellpoint.Answer(&o.q, at, z), nil
}

// inside moves the closest point of p inside, to where its label is one that is asked for.
// Of such points it prefers one that is also sure of its leaves, so that its label does not
// hang on the way in which sums are rounded; a cell too thin for that gets another. It returns the
// results of cellpoint.Margin.
func inside(
	ctx context.Context, q *search.Query, p polytope.Problem, point []float64, reaches,
	sure func([]float64) bool,
) (z []float64, solves int, err error) {
	start := slices.Clone(point)
	z, solves, err = cellpoint.Margin(ctx, q.Solver, p, q.Linear, start, 0,
		func(z []float64) bool { return reaches(z) && sure(z) })
	if !cellpoint.Thin(err) {
		return z, solves, err
	}
	copy(start, point)
	z, more, err := cellpoint.Margin(ctx, q.Solver, p, q.Linear, start, 0, reaches)
	return z, solves + more, err
}

// farthest returns the side of a test of one of the best candidates that the closest
// point misses most.
func (o *opener) farthest(p *opening, best []int32) (near interval) {
	point, most := p.point, -1.0
	if point == nil {
		point = o.q.X
	}
	for _, i := range best {
		for _, r := range o.leafOf(p, i).ranges {
			now := p.region.ranges[r.direction]
			low, high := now, now
			low.hi, high.lo = min(now.hi, r.hi), max(now.lo, r.lo)
			for _, half := range []interval{high, low} {
				if half == now {
					continue
				}
				if far := o.misses(half, point); far > most {
					near, most = half, far
				}
			}
		}
	}
	return near
}

// divide divides the node into one side of a test and the other. Orders are ranges: a
// node keeps the first of its own for its answer and hands one half of the others to each
// of its two children. Below a path of some sixty decisions they run out and are shared.
func (o *opener) divide(p *opening, near interval) {
	now := p.region.ranges[near.direction]
	far := interval{near.direction, now.lo, near.lo - 1}
	if near.lo == now.lo {
		far = interval{near.direction, near.hi + 1, now.hi}
	}
	s := p.State.(*node)
	if p.trace != nil {
		p.trace.Split(p.Node, divided{borderOf(now, near), p.measured})
	}
	half := max(0, (s.span-1)/2)
	order := p.Order + min(1, half)
	for _, side := range []interval{near, far} {
		if bound := max(p.Bound, o.away(side)); !side.empty() && bound <= p.cutoff {
			child := &node{parent: s, interval: side, span: half, candidates: p.candidates}
			if p.point != nil && o.holds(side, p.point) {
				child.point = p.point
			}
			p.opened.Children = append(p.opened.Children, search.Node{
				Bound: bound,
				Order: order,
				Item:  p.Item,
				State: child,
			})
		}
		order += half
	}
}
