package classifier

import (
	"context"
	"math/bits"

	"github.com/seed-1a7dc1f9/facet/classifier/search"
)

// Search implements Searcher: branch and bound over conjunctions of tests.
//
// A node is a set of decided tests, a polyhedron. For a radius r every tree can
// reach the leaves that meet both the polyhedron and the ball around X; the sum of
// the best of these over the trees, a step function of r, reaches the decision
// threshold at a radius below which the polyhedron holds no answer. A leaf is
// bounded by its half-spaces one at a time until it is among the best, then by a
// program. If the best leaves at that radius have a common point at that distance,
// the node is solved; otherwise it is divided by a test of one of them, the one
// that the closest point of the polyhedron fails most. With more than two classes
// there is one such search for each label that answers.
//
// Opening a node costs at most one program for each leaf of the ensemble, mostly one
// for each of the best leaves that does not hold the closest point. There can be as
// many nodes as cells; it takes a few where trees are trained on data.
func (e *ObliqueEnsemble) Search(ctx context.Context, q search.Query) (search.Search, error) {
	s := &obliqueSearch{e: e, g: e.grid, q: q}
	s.measure()
	for label := range e.classes {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if q.Reaches(label) {
			s.contrasts = append(s.contrasts, s.contrast(label))
		}
	}
	return s, nil
}

// obliqueSearch is the search of one query. It does not change once made.
type obliqueSearch struct {
	e *ObliqueEnsemble
	g *obliqueGrid
	q search.Query
	// Lower bounds on the distances from X to the low and the high side of each
	// border of each direction, within the domain.
	low, high [][]float64
	contrasts [][]obliqueContrast // of each label that answers with those it must beat
}

// measure computes the distances to both sides of all borders.
func (s *obliqueSearch) measure() {
	s.low, s.high = make([][]float64, len(s.g.borders)), make([][]float64, len(s.g.borders))
	for i, borders := range s.g.borders {
		d := &s.g.directions[i]
		for _, b := range borders {
			s.low[i] = append(s.low[i], d.distance(&s.q, s.q.X, b, true))
			s.high[i] = append(s.high[i], d.distance(&s.q, s.q.X, b, false))
		}
	}
}

// away returns a lower bound on the distance from X to a range of slots.
func (s *obliqueSearch) away(side obliqueSide) float64 {
	d, bound := side.direction, 0.0
	if side.lo > 0 {
		bound = s.high[d][side.lo-1]
	}
	if int(side.hi) < len(s.low[d]) {
		bound = max(bound, s.low[d][side.hi])
	}
	return bound
}

// holds reports whether a point lies in a range of slots but for rounding.
func (s *obliqueSearch) holds(side obliqueSide, point []float64) bool {
	d, borders := &s.g.directions[side.direction], s.g.borders[side.direction]
	return (side.lo == 0 || d.contains(point, borders[side.lo-1], false)) &&
		(int(side.hi) == len(borders) || d.contains(point, borders[side.hi], true))
}

// fails returns a lower bound on how far a point lies from a range of slots.
func (s *obliqueSearch) fails(side obliqueSide, point []float64) float64 {
	d, borders := &s.g.directions[side.direction], s.g.borders[side.direction]
	far := 0.0
	if side.lo > 0 {
		far = d.distance(&s.q, point, borders[side.lo-1], false)
	}
	if int(side.hi) < len(borders) {
		far = max(far, d.distance(&s.q, point, borders[side.hi], true))
	}
	return far
}

// obliqueNode is an unopened part of the search: the tests decided for its parent
// and one more.
type obliqueNode struct {
	parent *obliqueNode // nil for a root
	side   obliqueSide  // what is left of one direction
	span   int64        // width of the range of orders of this node
	leaves *obliqueCandidates
	// point is the closest point of the polyhedron if that of the parent is, nil
	// while it is not known.
	point []float64
}

// Roots returns the whole domain once for each label that answers. Item is the
// index of the label. Orders are ranges: a node keeps the first for its own answer
// and hands one half of the others to each of its two children, so that the order
// of answers is that of their paths. Below a path of some sixty decisions orders
// run out and are shared; which of several answers at the very same distance is
// found first may then depend on the workers.
func (s *obliqueSearch) Roots() []search.Node {
	if len(s.contrasts) == 0 {
		return nil
	}
	root := &obliqueNode{span: 1 << (62 - bits.Len(uint(len(s.contrasts)))), leaves: s.all()}
	if s.q.Domain.Contains(s.q.X) {
		root.point = s.q.X
	}
	var roots []search.Node
	for i := range s.contrasts {
		roots = append(roots, search.Node{Order: int64(i) * root.span, Item: int64(i), State: root})
	}
	return roots
}

func (s *obliqueSearch) NewOpener() search.Opener {
	return &obliqueOpener{
		obliqueSearch: s,
		region:        newObliqueRegion(s.g, s.e.dim),
		best:          make([]int32, len(s.e.trees)),
		sum:           make([]float64, s.e.classes),
	}
}
