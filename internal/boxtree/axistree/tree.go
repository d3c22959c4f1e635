package axistree

import (
	"context"

	"github.com/seed-1a7dc1f9/facet/internal/cellpoint"
	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// New prepares the search for the answers of a query.
func New(t *trees.Axis, q search.Query) search.Search {
	return &treeSearch{t: t, q: q}
}

type treeSearch struct {
	t *trees.Axis
	q search.Query
}

// Roots returns the root of the tree, as far away as the domain is.
func (s *treeSearch) Roots() []search.Node {
	return []search.Node{{Bound: s.q.Cost.BoundBox(s.q.Domain, s.q.X)}}
}

func (s *treeSearch) NewOpener() search.Opener {
	return &treeOpener{treeSearch: s, box: make(polytope.Box, s.t.Dim), numbers: map[int]int{}}
}

// treeOpener opens the nodes of one goroutine, in memory of its own.
type treeOpener struct {
	*treeSearch
	children []search.Node
	box      polytope.Box // of region

	// Of pathBound:
	path    polytope.Box
	x       []float64
	numbers map[int]int
}

func (o *treeOpener) Open(_ context.Context, n search.Node, cutoff float64) (search.Opened, error) {
	i := int(n.Item)
	if o.t.IsLeaf(i) {
		return search.Opened{Answer: o.answer(n)}, nil
	}
	o.children = o.children[:0]
	for _, c := range [...]int32{o.t.Children[i].Left, o.t.Children[i].Right} {
		child := int(c)
		if o.t.IsLeaf(child) && !o.q.Reaches(int(o.t.Labels[child])) {
			continue
		}
		if bound, ok := o.bound(o.t.Feature(i), child); ok && max(n.Bound, bound) <= cutoff {
			o.children = append(o.children, search.Node{
				Bound: max(n.Bound, bound),
				Order: int64(child),
				Item:  int64(child),
			})
		}
	}
	return search.Opened{Children: o.children}, nil
}

// bound returns a lower bound on the distance to the inputs that reach node i, whose parent
// tests feature f; in ℓ∞ only that they differ from the parent's. It returns false when
// there are none.
func (o *treeOpener) bound(f, i int) (float64, bool) {
	side := o.t.Interval(i, f)
	if o.q.Domain != nil {
		side = geometry.Intersect(side, o.q.Domain[f])
	}
	switch {
	case geometry.Empty(side):
		return 0, false
	case o.q.Norm == polytope.LInf:
		return geometry.Gap(side, o.q.X[f]), true
	case o.q.Domain != nil:
		return o.q.Cost.BoundBox(o.region(i), o.q.X), true
	}
	return o.pathBound(i), true
}

// pathBound returns a lower bound on the distance to the inputs that reach node i,
// without a domain: only the features on its path count, which it numbers.
func (o *treeOpener) pathBound(i int) float64 {
	o.path, o.x = o.path[:0], o.x[:0]
	clear(o.numbers)
	for i > 0 {
		parent := int(o.t.Parents[i])
		f := o.t.Feature(parent)
		number, known := o.numbers[f]
		if !known {
			number = len(o.path)
			o.numbers[f] = number
			o.path, o.x = append(o.path, polytope.Line()), append(o.x, o.q.X[f])
		}
		o.path[number] = geometry.Intersect(o.path[number], o.t.Side(parent, i))
		i = parent
	}
	return o.q.Cost.BoundBox(o.path, o.x)
}

// region returns the inputs of the domain that reach node i. It is overwritten by the next call.
func (o *treeOpener) region(i int) polytope.Box {
	for f := range o.box {
		o.box[f] = polytope.Line()
	}
	copy(o.box, o.q.Domain)
	o.t.Restrict(o.box, i)
	return o.box
}

// answer returns the point of a leaf nearest to X.
func (o *treeOpener) answer(n search.Node) *search.Answer {
	leaf := int(n.Item)
	if !o.q.Reaches(int(o.t.Labels[leaf])) {
		return nil
	}
	z, ok := geometry.InsideBox(nil, o.region(leaf), o.q.X)
	if !ok { // it holds real numbers, but no float64
		z = nil
	}
	return cellpoint.Answer(&o.q, n, z)
}
