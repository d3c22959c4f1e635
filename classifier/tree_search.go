package classifier

import (
	"context"
	"math"

	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Search implements Searcher: a node of the search is a node of the tree, bounded
// by the distance to the inputs that reach it. Distances are in closed form, no
// program is solved.
func (t *Tree) Search(_ context.Context, q Query) (Search, error) {
	return &treeSearch{t: t, q: q}, nil
}

type treeSearch struct {
	t *Tree
	q Query
}

func (s *treeSearch) Roots() []Node { return []Node{{}} }

func (s *treeSearch) NewOpener() Opener {
	return &treeOpener{treeSearch: *s, box: make(polytope.Box, s.t.dim)}
}

type treeOpener struct {
	treeSearch
	children []Node
	box      polytope.Box
}

func (o *treeOpener) Open(_ context.Context, n Node, cutoff float64) (Opened, error) {
	i := int(n.Item)
	if o.t.nodes[i].Left < 0 {
		return Opened{Answer: o.answer(n)}, nil
	}
	o.children = o.children[:0]
	for _, child := range []int{o.t.nodes[i].Left, o.t.nodes[i].Right} {
		if o.t.nodes[child].Left < 0 && !o.q.Reaches(int(o.t.labels[child])) {
			continue
		}
		if bound, ok := o.bound(n, i, child); ok && bound <= cutoff {
			o.children = append(o.children, Node{Bound: bound, Order: int64(child), Item: int64(child)})
		}
	}
	return Opened{Children: o.children}, nil
}

// bound returns the distance to the inputs that reach child, false when there are none.
func (o *treeOpener) bound(n Node, parent, child int) (float64, bool) {
	f := o.t.nodes[parent].Feature
	side := o.t.interval(child, f)
	if o.q.Domain != nil {
		side = side.Intersect(o.q.Domain[f])
	}
	if side.Empty() {
		return 0, false
	}
	if o.q.Norm == polytope.LInf && o.q.Domain == nil {
		gap := math.Abs(o.q.X[f] - side.Closest(o.q.X[f]))
		return max(n.Bound, down(gap, 0)), true
	}
	return max(n.Bound, down(o.region(child).Distance(o.q.Norm, o.q.X), o.t.dim)), true
}

// down rounds a distance over terms coordinates down.
func down(v float64, terms int) float64 { return v * (1 - 0x1p-53*float64(terms+4)) }

// region returns the inputs of the domain that reach node i. It is overwritten by the next call.
func (o *treeOpener) region(i int) polytope.Box {
	o.t.box(o.box, i)
	for f, side := range o.q.Domain {
		o.box[f] = o.box[f].Intersect(side)
	}
	return o.box
}

// answer returns the point of a leaf nearest to X, nil when no float64 lies inside.
func (o *treeOpener) answer(n Node) *Answer {
	leaf := int(n.Item)
	if !o.q.Reaches(int(o.t.labels[leaf])) {
		return nil
	}
	z, ok := o.region(leaf).Inside(nil, o.q.X)
	if !ok {
		return nil
	}
	return &Answer{Bound: n.Bound, Order: n.Order, Example: z, Distance: o.q.Norm.Distance(o.q.X, z)}
}
