package classifier

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/seed-1a7dc1f9/facet/classifier/search"
	"github.com/seed-1a7dc1f9/facet/internal/cellpoint"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Search implements Searcher: a node of the search is a node of the tree, bounded
// first by the half-space of its last test, and by a program for the polyhedron
// of all its tests when its turn comes. The child that holds the closest point of
// its parent needs no program.
func (t *ObliqueTree) Search(_ context.Context, q search.Query) (search.Search, error) {
	s := &obliqueTreeSearch{t: t, q: q, answers: make([]bool, len(t.nodes))}
	for i := len(t.nodes) - 1; i >= 0; i-- {
		if n := t.nodes[i]; n.Left >= 0 {
			s.answers[i] = s.answers[n.Left] || s.answers[n.Right]
		} else {
			s.answers[i] = q.Reaches(int(t.labels[i]))
		}
	}
	return s, nil
}

type obliqueTreeSearch struct {
	t       *ObliqueTree
	q       search.Query
	answers []bool // whether some leaf at or below a node does
}

// Roots returns the root of the tree. The State of a node is the closest point of
// its polyhedron once that is known.
func (s *obliqueTreeSearch) Roots() []search.Node {
	if !s.answers[0] {
		return nil
	}
	return []search.Node{{}}
}

func (s *obliqueTreeSearch) NewOpener() search.Opener {
	return &obliqueTreeOpener{obliqueTreeSearch: s}
}

type obliqueTreeOpener struct {
	*obliqueTreeSearch
	children []search.Node
}

func (o *obliqueTreeOpener) Open(ctx context.Context, n search.Node, cutoff float64) (search.Opened, error) {
	o.children = o.children[:0]
	point, _ := n.State.([]float64)
	if point == nil {
		return o.measure(ctx, n, cutoff)
	}
	if o.t.nodes[n.Item].Left < 0 {
		return o.answer(ctx, n, point)
	}
	o.descend(n, point, cutoff)
	return search.Opened{Children: o.children}, nil
}

// problem asks for the closest point of node i within the domain.
func (o *obliqueTreeOpener) problem(i int64) polytope.Problem {
	p := o.t.region(int(i))
	if p.Box == nil {
		p.Box = o.q.Domain
	} else {
		for f, side := range o.q.Domain {
			p.Box[f] = p.Box[f].Intersect(side)
		}
	}
	return polytope.Problem{Norm: o.q.Norm, X: o.q.X, Region: p}
}

// beyond returns the cutoff to give a solver. It lies a little beyond the search's,
// so that what a solver does not cut off has one bound, which the search compares
// itself: the bounds that a solver proves on its way may lie some rounding errors
// above the one it ends with.
func beyond(cutoff float64) float64 {
	return max(cutoff*(1+1e-6), math.Nextafter(cutoff, math.Inf(1)))
}

// measure finds the closest point of a node, and puts the node back with it.
func (o *obliqueTreeOpener) measure(ctx context.Context, n search.Node, cutoff float64) (search.Opened, error) {
	p := o.problem(n.Item)
	p.Cutoff = beyond(cutoff)
	sol, err := o.q.Solver.Closest(ctx, p)
	bound := max(n.Bound, sol.Bound)
	switch {
	case errors.Is(err, polytope.ErrNumerical) && o.t.nodes[n.Item].Left >= 0:
		n.Bound = bound // its children are smaller, and perhaps easier
		o.descend(n, nil, cutoff)
		return search.Opened{Children: o.children, Solves: 1}, nil
	case err != nil:
		return o.fail(n, bound, err)
	case sol.Status == polytope.StatusStopped:
		return o.fail(n, bound, cellpoint.Stopped(ctx))
	case sol.Status == polytope.StatusOptimal && bound <= cutoff:
		o.children = append(o.children, search.Node{Bound: bound, Order: n.Order, Item: n.Item, State: sol.Point})
	}
	return search.Opened{Children: o.children, Solves: 1}, nil
}

func (o *obliqueTreeOpener) fail(n search.Node, bound float64, err error) (search.Opened, error) {
	return search.Opened{}, &search.Undecided{Bound: bound, Err: fmt.Errorf("classifier: oblique tree, node %d: %w", n.Item, err)}
}

// descend lists the children of an inner node whose closest point is known, or
// nil.
func (o *obliqueTreeOpener) descend(n search.Node, point []float64, cutoff float64) {
	split := &o.t.splits[n.Item]
	for _, left := range []bool{true, false} {
		i := int64(o.t.child(int(n.Item), left))
		if !o.answers[i] {
			continue
		}
		child, low := search.Node{Bound: n.Bound, Order: i, Item: i}, left == split.leftIsLow
		if point != nil && split.direction.contains(point, split.border, low) {
			child.State = point
		} else {
			child.Bound = max(n.Bound, split.direction.distance(&o.q, o.q.X, split.border, low))
		}
		if child.Bound <= cutoff && !math.IsInf(child.Bound, 1) {
			o.children = append(o.children, child)
		}
	}
}

// answer returns a point of a leaf next to its closest point.
func (o *obliqueTreeOpener) answer(ctx context.Context, n search.Node, point []float64) (search.Opened, error) {
	reaches := func(z []float64) bool { return o.q.Reaches(o.t.Predict(z)) }
	z, solves, err := obliqueWitness(ctx, o.q.Solver, o.problem(n.Item), point, reaches, o.t.sure)
	opened := search.Opened{Solves: solves}
	if errors.Is(err, cellpoint.ErrThin) {
		opened.Answer = tooThin(n)
		return opened, nil
	}
	if err != nil {
		return o.fail(n, n.Bound, err)
	}
	if z != nil {
		opened.Answer = &search.Answer{Bound: n.Bound, Order: n.Order, Example: z, Distance: o.q.Norm.Distance(o.q.X, z)}
	}
	return opened, nil
}
