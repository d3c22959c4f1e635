package classifier

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"github.com/seed-1a7dc1f9/facet/polytope"
)

// start makes the first box from what the prologue found.
func (o *weightedOpener) start(ctx context.Context, n Node, p *prologue, cutoff float64) error {
	size := farAway * (o.extent + o.toDomain())
	if p.best.Example != nil {
		size = p.best.Distance
		cutoff = min(cutoff, o.goal(p.best.Distance))
	}
	part := o.firstBox(size)
	if p.best.Example == nil && !o.inside(part) {
		o.children = append(o.children, Node{Bound: size, Order: math.MaxInt64, State: horizon{}})
	}
	return o.examine(ctx, n.Bound, n.Order, part, cutoff)
}

// horizon is the state of the node for what lies beyond the first box.
type horizon struct{}

// beyondHorizon looks whether some set of neighbours could answer beyond a side of
// the first box, and gives up on what lies there if so.
func (o *weightedOpener) beyondHorizon(ctx context.Context, n Node) error {
	for j := range o.q.X {
		for _, above := range []bool{false, true} {
			side := o.firstBox(math.Inf(1))
			if above {
				side.lo[j] = max(side.lo[j], n.Bound)
			} else {
				side.hi[j] = min(side.hi[j], -n.Bound)
			}
			if side.lo[j] > side.hi[j] {
				continue
			}
			if open, err := o.unsettled(ctx, side); err != nil || open {
				return &Undecided{Bound: n.Bound, Err: fmt.Errorf("classifier: weighted k-NN: %w", cmp.Or(err, ErrFarAway))}
			}
		}
	}
	return nil
}

// unsettled reports whether some set of neighbours could answer in an infinite box.
func (o *weightedOpener) unsettled(ctx context.Context, side *weightedPart) (bool, error) {
	o.survey(side)
	sets, ok := o.choose(side)
	for i := 0; ok && i < len(sets); i++ {
		fit, err := o.weightsFit(ctx, sets[i])
		if err == nil && fit {
			err = o.examineSet(ctx, 0, 0, sets[i], math.MaxFloat64)
		}
		if err != nil {
			return true, err
		}
		ok = len(o.children) == 0
	}
	o.children = o.children[:0]
	return !ok, nil
}

// weightsFit reports whether there are weights, whatever the places, with which no
// sum of a set is negative and no group weighs more than one that is nearer.
func (o *weightedOpener) weightsFit(ctx context.Context, part *weightedPart) (bool, error) {
	index := map[int32]int{}
	for _, terms := range part.set.sums {
		for _, t := range terms {
			if _, ok := index[t.group]; !ok {
				index[t.group] = len(index)
			}
		}
	}
	n := len(index)
	halfSpace := func(b float64) polytope.HalfSpace { return polytope.HalfSpace{A: make([]float64, n), B: b} }
	some := halfSpace(-1)
	for i := range some.A {
		some.A[i] = -1
	}
	region := polytope.Polyhedron{Box: polytope.Cube(n, 0, math.Inf(1)), HalfSpaces: []polytope.HalfSpace{some}}
	for _, terms := range part.set.sums {
		h := halfSpace(0)
		for _, t := range terms {
			h.A[index[t.group]] = -float64(t.net)
		}
		region.HalfSpaces = append(region.HalfSpaces, h)
	}
	for _, p := range part.pairs {
		nearer, ok := index[p.nearer]
		farther, also := index[p.farther]
		if ok && also {
			h := halfSpace(0)
			h.A[nearer], h.A[farther] = -1, 1
			region.HalfSpaces = append(region.HalfSpaces, h)
		}
	}
	sol, err := o.q.Solver.Closest(ctx, polytope.Problem{Norm: o.q.Norm, X: make([]float64, n), Region: region})
	o.solves++
	return sol.Status != polytope.Infeasible, err
}

// firstBox returns the displacements in the domain no longer than size.
func (o *weightedOpener) firstBox(size float64) *weightedPart {
	d := o.c.Dim()
	part := &weightedPart{lo: make([]float64, d), hi: make([]float64, d), span: 1 << 62}
	for j := range d {
		part.lo[j], part.hi[j] = -size, size
		if o.domain != nil {
			part.lo[j] = max(part.lo[j], o.domain[j].Lo)
			part.hi[j] = min(part.hi[j], o.domain[j].Hi)
		}
	}
	for g := range o.c.groups {
		part.groups = append(part.groups, int32(g))
	}
	return part
}

// inside reports whether the domain ends within the first box.
func (o *weightedOpener) inside(part *weightedPart) bool {
	for j := range part.lo {
		if o.domain == nil || o.domain[j].Lo < part.lo[j] || o.domain[j].Hi > part.hi[j] {
			return false
		}
	}
	return true
}

// toDomain returns the distance of the domain.
func (o *weightedOpener) toDomain() float64 {
	if o.domain == nil {
		return 0
	}
	return o.domain.Distance(o.q.Norm, o.zero)
}
