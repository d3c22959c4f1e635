package classifier

import (
	"context"
	"math"

	"github.com/seed-1a7dc1f9/facet/classifier/search"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Search implements Searcher: a node of the search is a node of the tree, bounded
// by the distance to the inputs that reach it. Distances are in closed form, rounded
// down, and no program is solved.
func (t *Tree) Search(_ context.Context, q search.Query) (search.Search, error) {
	return &treeSearch{t: t, q: q}, nil
}

type treeSearch struct {
	t *Tree
	q search.Query
}

// Roots returns the root of the tree, as far away as the domain is.
func (s *treeSearch) Roots() []search.Node {
	return []search.Node{{Bound: s.q.Domain.Bound(s.q.Norm, s.q.X)}}
}

func (s *treeSearch) NewOpener() search.Opener {
	return &treeOpener{treeSearch: *s, box: make(polytope.Box, s.t.dim), places: map[int]int{}}
}

type treeOpener struct {
	treeSearch
	children []search.Node
	box      polytope.Box // of region

	// Of distance: what its path leaves of each feature on it, and where X is.
	path   polytope.Box
	x      []float64
	places map[int]int // of the features in path
}

func (o *treeOpener) Open(_ context.Context, n search.Node, cutoff float64) (search.Opened, error) {
	i := int(n.Item)
	if o.t.nodes[i].Left < 0 {
		return o.answer(n)
	}
	o.children = o.children[:0]
	for _, child := range []int{o.t.nodes[i].Left, o.t.nodes[i].Right} {
		if o.t.nodes[child].Left < 0 && !o.q.Reaches(int(o.t.labels[child])) {
			continue
		}
		if bound, ok := o.bound(n, i, child); ok && bound <= cutoff {
			o.children = append(o.children, search.Node{Bound: bound, Order: int64(child), Item: int64(child)})
		}
	}
	return search.Opened{Children: o.children}, nil
}

// bound returns a lower bound on the distance to the inputs that reach child, false
// when there are none.
func (o *treeOpener) bound(n search.Node, parent, child int) (float64, bool) {
	f := o.t.nodes[parent].Feature
	side := o.t.interval(child, f)
	if o.q.Domain != nil {
		side = side.Intersect(o.q.Domain[f])
	}
	switch {
	case side.Empty():
		return 0, false
	case o.q.Norm == polytope.LInf:
		return max(n.Bound, side.Bound(o.q.X[f])), true
	case o.q.Domain != nil:
		return max(n.Bound, o.region(child).Bound(o.q.Norm, o.q.X)), true
	}
	return max(n.Bound, o.distance(child)), true
}

// distance returns a lower bound on the distance to the inputs that reach node i,
// without a domain: only the features on its path count.
func (o *treeOpener) distance(i int) float64 {
	for i > 0 {
		parent := int(o.t.parents[i])
		f := o.t.nodes[parent].Feature
		place, known := o.places[f]
		if !known {
			place = len(o.path)
			o.places[f] = place
			o.path, o.x = append(o.path, polytope.Line()), append(o.x, o.q.X[f])
		}
		o.path[place] = o.path[place].Intersect(o.t.side(parent, i))
		i = parent
	}
	bound := o.path.Bound(o.q.Norm, o.x)
	o.path, o.x = o.path[:0], o.x[:0]
	clear(o.places)
	return bound
}

// region returns the inputs of the domain that reach node i. It is overwritten by the next call.
func (o *treeOpener) region(i int) polytope.Box {
	o.t.box(o.box, i)
	for f, side := range o.q.Domain {
		o.box[f] = o.box[f].Intersect(side)
	}
	return o.box
}

// answer returns the point of a leaf nearest to X.
func (o *treeOpener) answer(n search.Node) (search.Opened, error) {
	leaf := int(n.Item)
	if !o.q.Reaches(int(o.t.labels[leaf])) {
		return search.Opened{}, nil
	}
	z, ok := o.region(leaf).Inside(nil, o.q.X)
	if !ok {
		return search.Opened{Answer: tooThin(n)}, nil
	}
	return search.Opened{Answer: &search.Answer{Bound: n.Bound, Order: n.Order, Example: z, Distance: o.q.Norm.Distance(o.q.X, z)}}, nil
}

// tooThin returns the answer of a cell that holds real numbers but no float64 that
// is known.
func tooThin(n search.Node) *search.Answer {
	return &search.Answer{Bound: n.Bound, Order: n.Order, Distance: math.Inf(1)}
}
