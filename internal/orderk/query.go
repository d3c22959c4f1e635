package orderk

import (
	"math"
	"math/bits"

	"github.com/seed-1a7dc1f9/facet/classifier/search"
	"github.com/seed-1a7dc1f9/facet/internal/bisectors"
	"github.com/seed-1a7dc1f9/facet/internal/neighbors"
	"github.com/seed-1a7dc1f9/facet/internal/nnindex"
)

// New returns the search for the nearest answer to a query for the vote of k > 1
// neighbours.
func New(table *neighbors.Table, k int, q search.Query) search.Search { return newQuery(table, k, q) }

// query is the search of one query. It does not change once made.
type query struct {
	search.Query
	neighbors.Quota
	table       *neighbors.Table
	k           int
	own, rivals neighbors.Trees  // of the side, of the other labels
	near        neighbors.Rivals // the rivals nearest to X
	close       []candidate      // rows of the side nearest to X, nearest first
	span        int64            // of the orders of each pivot
}

const (
	// mostClose is how many rows of the side beyond the seats are looked at before
	// the search begins.
	mostClose = 32
	// fewRivals is how many rivals beyond spare bound a tree node or a row whose turn
	// has not come.
	fewRivals = 4
)

func newQuery(table *neighbors.Table, k int, q search.Query) *query {
	s := &query{
		Query: q, Quota: table.Quota(k, q), table: table, k: k,
		span: int64(1) << (62 - bits.Len(uint(table.Len()))),
	}
	if s.Seats == 0 {
		return s
	}
	s.own, s.rivals = table.Sides(q)
	s.near = table.Rivals(s.rivals, &s.Query, neighbors.NearRivals+s.Spare)
	var top neighbors.TopK
	for _, n := range s.own.First(q.X, s.Seats+mostClose) {
		p := table.Row(n.ID)
		r := s.candidate(p, n.ID)
		r.bound = s.boundFew(&top, p, r.square)
		s.close = append(s.close, r)
	}
	return s
}

// Roots returns one node, which opens into the pivots. Nodes without a part have a
// candidate set for State and, for Item, the index of the first of the pivots there that
// they stand for, or the complement of the one row that is taken for the pivot.
func (s *query) Roots() []search.Node {
	if s.Seats == 0 {
		return nil
	}
	return []search.Node{{}}
}

func (s *query) NewOpener() search.Opener {
	d := s.table.Dim
	o := &opener{
		query: s, program: bisectors.Of(&s.Query, s.size()), a: make([]float64, d), point: point{x: s.X, z: make([]float64, d)},
		decisions: decisions{marks: make([]uint8, s.table.Len())},
	}
	return o
}

// orderOf returns the first order of the parts of pivot j.
func (s *query) orderOf(j int32) int64 { return int64(j) * s.span }

// answers reports whether a point of the domain answers the query.
func (s *query) answers(z []float64) bool {
	return s.Domain.Contains(z) && s.Reaches(s.table.Vote(z, s.k))
}

// boundAll collects in top what each of the most nearest rivals bounds row p of the
// side by, as the pivot or as a row before it: all but spare rivals must come after.
func (s *query) boundAll(top *neighbors.TopK, p []float64, squared float64, most int) {
	top.Reset(s.Spare + 1)
	for i := range min(s.near.Len(), most) {
		if s.near.First[i].Squared >= squared {
			break
		}
		if b := s.near.ConfinedBound(i, p, squared, s.near.Bound(i, p, squared)); b > 0 {
			top.Offer(b, s.near.First[i].ID)
		}
	}
}

// boundFew returns what a few rivals bound a row of the side by.
func (s *query) boundFew(top *neighbors.TopK, p []float64, squared float64) float64 {
	s.boundAll(top, p, squared, s.Spare+fewRivals)
	return max(0, top.Least())
}

// boundBox is boundFew for all rows in the box of a tree node. It overwrites reach.
func (s *query) boundBox(top *neighbors.TopK, t *nnindex.Tree, node int, reach []float64) float64 {
	squared := t.ToBox(node, s.X)
	lo, hi := t.Box(node)
	top.Reset(s.Spare + 1)
	for i := range min(s.near.Len(), s.Spare+fewRivals) {
		if s.near.First[i].Squared >= squared {
			break
		}
		top.Offer(s.near.BoxBound(i, lo, hi, squared, reach), s.near.First[i].ID)
	}
	return max(0, top.Least())
}

// size returns a distance near those that matter.
func (s *query) size() float64 {
	if len(s.close) == 0 {
		return 0
	}
	return math.Sqrt(s.close[len(s.close)-1].square)
}
