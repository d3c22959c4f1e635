package oblique

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/cellpoint"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// newTreeSearch searches a tree: a node of the search is a node of the tree, bounded first by the
// half-space of its last test, and by a program for the polyhedron of all its tests when
// its turn comes. The child that holds the closest point of its parent needs no program.
func newTreeSearch(t *trees.Oblique, q search.Query) *treeSearch {
	s := &treeSearch{t: t, q: q, answers: make([]bool, t.Len())}
	for i := t.Len() - 1; i >= 0; i-- {
		if t.IsLeaf(i) {
			s.answers[i] = q.Reaches(int(t.Labels[i]))
		} else {
			s.answers[i] = s.answers[t.Child(i, true)] || s.answers[t.Child(i, false)]
		}
	}
	return s
}

type treeSearch struct {
	t       *trees.Oblique
	q       search.Query
	answers []bool // whether some leaf at or below a node does
}

// Roots returns the root of the tree. The State of a node is the closest point of its
// polyhedron once that is known.
func (s *treeSearch) Roots() []search.Node {
	if !s.answers[0] {
		return nil
	}
	return []search.Node{{}}
}

func (s *treeSearch) NewOpener() search.Opener { return &treeOpener{treeSearch: s} }

// treeOpener opens the nodes of one goroutine, in memory that it keeps.
type treeOpener struct {
	*treeSearch
	children []search.Node
}

func (o *treeOpener) Open(
	ctx context.Context, n search.Node, cutoff float64,
) (opened search.Opened, err error) {
	point, _ := n.State.([]float64)
	switch {
	case point == nil:
		opened, err = o.measure(ctx, n, cutoff)
	case o.t.IsLeaf(int(n.Item)):
		opened, err = o.answer(ctx, n, point)
	default:
		opened.Children = o.divide(n, point, cutoff)
	}
	if err != nil {
		return search.Opened{}, fmt.Errorf("oblique tree: node %d: %w", n.Item, err)
	}
	return opened, nil
}

// problem asks for the closest point of node i within the domain.
func (o *treeOpener) problem(i int64) polytope.Problem {
	p := polytope.Polyhedron{Box: slices.Clone(o.q.Domain)}
	o.t.Restrict(&p, int(i))
	return o.q.Cost.Problem(o.q.X, p)
}

// measure finds the closest point of a node, and puts the node back with it.
func (o *treeOpener) measure(
	ctx context.Context, n search.Node, cutoff float64,
) (search.Opened, error) {
	p := o.problem(n.Item)
	p.Region = cellpoint.Within(p.Region, o.q.Linear)
	p.Cutoff = cellpoint.Beyond(cutoff)
	sol, err := cellpoint.Ask(ctx, o.q.Solver, p)
	n.Bound = max(n.Bound, sol.Bound)
	opened := search.Opened{Solves: 1}
	switch {
	case errors.Is(err, polytope.ErrNumerical) && !o.t.IsLeaf(int(n.Item)):
		opened.Children = o.divide(n, nil, cutoff) // its children are smaller, and perhaps easier
	case err != nil:
		return opened, err
	case sol.Point != nil && n.Bound <= cutoff:
		n.State = sol.Point
		o.children = append(o.children[:0], n)
		opened.Children = o.children
	}
	return opened, nil
}

// divide lists the children of an inner node whose closest point is known, or nil.
func (o *treeOpener) divide(n search.Node, point []float64, cutoff float64) []search.Node {
	s := o.t.Split(int(n.Item))
	o.children = o.children[:0]
	for _, left := range []bool{true, false} {
		i := int64(o.t.Child(int(n.Item), left))
		if !o.answers[i] {
			continue
		}
		child, low := search.Node{Bound: n.Bound, Order: i, Item: i}, left == s.LeftIsLow
		if point != nil && s.Direction.Contains(point, s.Border, low) {
			child.State = point
		} else {
			child.Bound = max(n.Bound, s.Direction.Distance(&o.q, o.q.X, s.Border, low))
		}
		if child.Bound <= cutoff && !math.IsInf(child.Bound, 1) {
			o.children = append(o.children, child)
		}
	}
	return o.children
}

// answer returns a point of a leaf next to its closest point.
func (o *treeOpener) answer(
	ctx context.Context, n search.Node, point []float64,
) (search.Opened, error) {
	reaches := func(z []float64) bool { return o.q.Reaches(o.t.Predict(z)) }
	z, solves, err := inside(ctx, &o.q, o.problem(n.Item), point, reaches, o.t.Sure)
	opened := search.Opened{Solves: solves}
	switch {
	case errors.Is(err, cellpoint.ErrThin):
		if !o.t.Contradicts(int(n.Item)) {
			opened.Answer = cellpoint.Answer(&o.q, n, nil)
		}
	case err != nil:
		return opened, &search.Undecided{Bound: n.Bound, Err: err}
	case z != nil:
		opened.Answer = cellpoint.Answer(&o.q, n, z)
	}
	return opened, nil
}
