package orderk

import (
	"context"
	"math"
	"math/bits"
	"sync"

	"github.com/seed-1a7dc1f9/facet/internal/neighbors"
	"github.com/seed-1a7dc1f9/facet/internal/neighbors/orderk/bisectors"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/polytope/native"
)

// New returns the search for the nearest answer to a query for the vote of k > 1
// neighbours.
func New(table *neighbors.Table, k int, q search.Query) search.Search {
	return newQuery(table, k, q)
}

// query is the search of one query. It does not change once made, but for the rows that surround
// finds.
type query struct {
	search.Query
	neighbors.Quota
	table       *neighbors.Table
	k           int
	own, rivals neighbors.Trees // of supporting rows, and of rivals
	span        int64           // of the orders of each pivot
	patience    int             // how many nodes are opened before sets of rows are decided about

	once   sync.Once // for around
	around surroundings
}

const (
	// mostClose is how many supporting rows beyond those required are looked at before
	// the search begins.
	mostClose = 32
	// fewRivals is how many rivals beyond those allowed bound a tree node or a row whose turn
	// has not come.
	fewRivals = 4
)

func newQuery(table *neighbors.Table, k int, q search.Query) *query {
	if len(q.Linear) > 0 {
		q.Any = false // an answer that comes to hand may break them
	}
	s := &query{
		Query: q, Quota: table.Quota(k, q), table: table, k: k,
		span: int64(1) << (62 - bits.Len(uint(table.Len()))),
	}
	if s.Required == 0 {
		return s
	}
	s.own, s.rivals = table.SupportAndRivals(q)
	if _, ok := q.Solver.(native.Solver); ok && s.Required > fewRequired {
		s.patience = max(1, patience>>s.Required)
	}
	return s
}

// surroundings are the rows near X.
type surroundings struct {
	near neighbors.Rivals // the rivals nearest to X, and
	few  neighbors.Rivals // the first of them
	// supporting rows nearest to X, nearest first; none where any answer will do
	close []candidate
}

// surround returns the rows near X, which are found when somebody first asks for them.
func (s *query) surround() *surroundings {
	s.once.Do(s.survey)
	return &s.around
}

func (s *query) survey() {
	most := neighbors.NearRivals
	if s.Any {
		most = askedRivals
	}
	a := &s.around
	a.near = s.table.Rivals(s.rivals, &s.Query, most+s.Allowed)
	if a.few = a.near.Head(s.Allowed + fewRivals); s.Any {
		return // no first answer is looked for
	}
	var top neighbors.TopK
	for _, n := range s.own.First(s.X, s.Required+mostClose) {
		p := s.table.Row(n.ID)
		r := s.candidate(p, n.ID)
		r.bound = a.few.BoundAll(&top, p, r.square, s.Allowed)
		a.close = append(a.close, r)
	}
}

// Roots returns one node, which opens into the pivots. Search nodes without a state of theirs have
// a candidate set for State and, for Item, the index of the first of the pivots there that they
// stand for. That of onePivot is the row that is taken for the pivot.
func (s *query) Roots() []search.Node {
	if s.Required == 0 {
		return nil
	}
	return []search.Node{{}}
}

// NodeBytes is the memory that a waiting node may take, most of it candidates.
func (s *query) NodeBytes() int { return 1024 }

func (s *query) NewOpener() search.Opener {
	d := s.table.Dim
	o := &opener{
		query: s, ctx: context.Background(), a: make([]float64, d),
		point:     point{x: s.X, z: make([]float64, d)},
		decisions: decisions{marks: make([]uint8, s.table.Len())},
	}
	return o
}

// prepare makes the program, which every node but the first is opened with.
func (o *opener) prepare() {
	if o.program != nil {
		return
	}
	if o.surroundings == nil {
		o.surroundings = o.surround()
	}
	o.program = bisectors.Of(&o.Query, o.size())
}

// orderOf returns the first order of the nodes of pivot j.
func (s *query) orderOf(j int32) int64 { return int64(j) * s.span }

// answers reports whether a point of the domain answers the query.
func (s *query) answers(z []float64) bool {
	return s.Allows(z) && s.Reaches(s.table.Vote(z, s.k))
}

// size returns a distance near those that matter.
func (o *opener) size() float64 {
	if n := len(o.close); n > 0 {
		return math.Sqrt(o.close[n-1].square)
	}
	if n := o.near.Len(); n > 0 {
		return math.Sqrt(o.near.First[n-1].Squared)
	}
	return 0
}
