package oblique

import (
	"math/bits"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// Model is a vote of linear decision trees, and the grid of their tests. The hard vote of one is
// the tree, which needs no grid.
type Model struct {
	*trees.Ensemble[*trees.Oblique]
	grid *grid // nil if a tree decides alone
}

// NewModel returns the vote of trees, at least one, with the same features and classes. Its
// errors wrap trees.ErrModel.
func NewModel(members []*trees.Oblique, v trees.Vote) (*Model, error) {
	e, err := trees.NewEnsemble(members, v)
	if err != nil {
		return nil, err
	}
	m := &Model{Ensemble: e}
	if len(members) > 1 || v.Rule != trees.Hard {
		m.grid, err = newGrid(e)
	}
	return m, err
}

// sure reports whether x reaches its leaves in any arithmetic at least as good as float64.
func (m *Model) sure(x []float64) bool {
	return !slices.ContainsFunc(m.Trees, func(t *trees.Oblique) bool { return !t.Sure(x) })
}

// New searches a vote: branch and bound over conjunctions of tests. With more than two
// classes there is one such search for each label that answers. A tree that decides alone is
// searched by its nodes.
func New(m *Model, q search.Query) search.Search {
	if m.grid == nil {
		return newTreeSearch(m.Trees[0], q)
	}
	return newSearch(m, q)
}

func newSearch(m *Model, q search.Query) *voteSearch {
	s := &voteSearch{m: m, g: m.grid, q: q, gaps: make([][]gap, len(m.grid.borders))}
	for i, borders := range s.g.borders {
		d := &s.g.directions[i]
		s.gaps[i] = make([]gap, len(borders))
		for k, b := range borders {
			s.gaps[i][k] = gap{
				low:  d.Distance(&s.q, q.X, b, true),
				high: d.Distance(&s.q, q.X, b, false),
			}
		}
	}
	for label := range m.Classes {
		if q.Reaches(label) {
			s.margins = append(s.margins, m.Margins(&s.q, label))
		}
	}
	return s
}

// voteSearch is the search of one query. It does not change once made.
type voteSearch struct {
	m       *Model
	g       *grid
	q       search.Query
	gaps    [][]gap          // of each border of each direction
	margins [][]trees.Margin // of each label that answers over those it must beat
}

// gap holds lower bounds on the distances from X to the two sides of a border, within
// the domain.
type gap struct{ low, high float64 }

// away returns a lower bound on the distance from X to an interval.
func (s *voteSearch) away(r interval) float64 {
	gaps, bound := s.gaps[r.direction], 0.0
	if r.lo > 0 {
		bound = gaps[r.lo-1].high
	}
	if int(r.hi) < len(gaps) {
		bound = max(bound, gaps[r.hi].low)
	}
	return bound
}

// holds reports whether a point lies in an interval but for rounding.
func (s *voteSearch) holds(r interval, point []float64) bool {
	d, borders := &s.g.directions[r.direction], s.g.borders[r.direction]
	return (r.lo == 0 || d.Contains(point, borders[r.lo-1], false)) &&
		(int(r.hi) == len(borders) || d.Contains(point, borders[r.hi], true))
}

// misses returns a lower bound on how far a point lies from an interval.
func (s *voteSearch) misses(r interval, point []float64) float64 {
	d, borders := &s.g.directions[r.direction], s.g.borders[r.direction]
	far := 0.0
	if r.lo > 0 {
		far = d.Distance(&s.q, point, borders[r.lo-1], false)
	}
	if int(r.hi) < len(borders) {
		far = max(far, d.Distance(&s.q, point, borders[r.hi], true))
	}
	return far
}

// node is an unopened part of the search: the tests decided for its parent and one more.
type node struct {
	parent     *node    // nil for a root
	interval   interval // the part of one direction that is left
	span       int64    // width of the range of orders of this node
	candidates *candidates
	// point is the closest point of the polyhedron if that of the parent is, nil while it
	// is not known.
	point []float64
}

// Roots returns the whole domain once for each label that answers, with the index of its
// margins for an Item.
func (s *voteSearch) Roots() []search.Node {
	if len(s.margins) == 0 {
		return nil
	}
	root := &node{span: 1 << (62 - bits.Len(uint(len(s.margins)))), candidates: s.all()}
	if s.q.Allows(s.q.X) {
		root.point = s.q.X
	}
	var roots []search.Node
	for i := range s.margins {
		roots = append(roots, search.Node{Order: int64(i) * root.span, Item: int64(i), State: root})
	}
	return roots
}

// NodeBytes is the memory that a waiting node may take, most of it half-spaces.
func (s *voteSearch) NodeBytes() int { return 8192 }

func (s *voteSearch) NewOpener() search.Opener {
	return &opener{
		voteSearch: s,
		region:     newRegion(s.g, s.m.Dim()),
		sum:        make([]float64, s.m.Classes),
	}
}
