package orderk

import (
	"math"
	"math/bits"
	"slices"

	"github.com/seed-1a7dc1f9/facet/classifier/search"
	"github.com/seed-1a7dc1f9/facet/internal/neighbors"
	"github.com/seed-1a7dc1f9/facet/internal/nnindex"
)

// orderSearch is the search of one query for k > 1. It does not change once made.
//
// The k neighbours of an answer hold at least seats rows of the side that the
// query wants, so some row j of the side, the pivot, is the seats-th nearest of
// the side and at most spare rows of other labels, the rivals, are nearer. A part
// of the search is a pivot and decisions on other rows: rivals that may be nearer
// than the pivot (at most spare), rivals that may not, and rows of the side that
// are nearer. Each decision but the first is one neighbors.Bisector, and the nearest point
// that satisfies all of them bounds the part.
//
// Where that point has too many rivals before the pivot, the part is split by the
// first of the deepest spare+1 that is kept off (forceOff); where it has too few
// of the side, by the first row that comes forward (bringOn). With two classes a
// point that needs neither answers the query. With more, or where the neighbours
// of the point are the corner of a cell without interior, the part is split
// further by the members of the set of neighbours (resolve).
//
// A part costs one program, warm-started from the part above, and a query of the
// k-d trees around its solution. Their number is exponential in k in the worst
// case. Parts are bounded one row ahead before they are solved, and rows that come
// forward are taken up a few at a time, in the order of bounds that hold for the
// pivot whatever else is decided.
type orderSearch struct {
	table  *neighbors.Table
	k      int
	q      search.Query
	quota  neighbors.Quota
	rivals neighbors.Trees
	own    neighbors.Trees
	near   []float64 // the rivals nearest to X, flat, ascending
	nearID []int32
	square []float64  // their squared distances from X
	span   int64      // of the orders of each pivot
	close  []closeRow // rows of the side near X, by what bounds them
	field  *field     // laid by the first node that is opened
}

func New(table *neighbors.Table, k int, q search.Query) search.Search {
	return newSearch(table, k, q)
}

func newSearch(table *neighbors.Table, k int, q search.Query) *orderSearch {
	s := &orderSearch{table: table, k: k, q: q, quota: table.Quota(k, q), span: int64(1) << (62 - bits.Len(uint(table.Len())))}
	held := 0
	for label, t := range table.Trees {
		switch {
		case t == nil:
		case s.quota.Side[label]:
			s.own = append(s.own, t)
			held += len(t.IDs)
		default:
			s.rivals = append(s.rivals, t)
		}
	}
	if s.quota.Seats == 0 || held < s.quota.Seats {
		s.own = nil
		return s
	}
	s.gather()
	s.survey()
	return s
}

// gather finds the rivals nearest to X.
func (s *orderSearch) gather() {
	var nearest nnindex.Nearest
	nearest.Reset(neighbors.NearRivals+s.quota.Spare, math.Inf(1))
	for _, t := range s.rivals {
		t.Nearest(s.q.X, &nearest)
	}
	all := nearest.All()
	slices.SortFunc(all, nnindex.Neighbor.Compare)
	s.near = make([]float64, 0, len(all)*s.table.Dim)
	for _, n := range all {
		p := s.table.Row(n.ID)
		s.near = append(s.near, p...)
		s.nearID = append(s.nearID, n.ID)
		s.square = append(s.square, n.Squared)
	}
}

func (s *orderSearch) rival(i int) []float64 {
	return s.near[i*s.table.Dim : (i+1)*s.table.Dim]
}

// Roots returns one node, which opens into the roots of the trees of the side.
func (s *orderSearch) Roots() []search.Node {
	if s.own == nil {
		return nil
	}
	return []search.Node{{Item: pack(stageBegin, 0, 0)}}
}

// orderOf returns the first order of the parts of pivot j.
func (s *orderSearch) orderOf(j int32) int64 { return int64(j) * s.span }

// ranked is a row with what it is ranked by.
type ranked struct {
	value float64
	id    int32
}

// podium keeps the rows of the largest values, in descending order; of equal
// values the smaller row comes first.
type podium struct {
	most int
	rows []ranked
}

func (p *podium) reset(most int) { p.most, p.rows = most, p.rows[:0] }

// full reports whether as many values as asked for are held.
func (p *podium) full() bool { return len(p.rows) == p.most }

// least returns the least value held, 0 as long as there is room.
func (p *podium) least() float64 {
	if len(p.rows) < p.most {
		return 0
	}
	return p.rows[len(p.rows)-1].value
}

func (p *podium) offer(r ranked) {
	i := len(p.rows)
	if i < p.most {
		p.rows = append(p.rows, r)
	} else if i--; !r.before(p.rows[i]) {
		return
	}
	for ; i > 0 && r.before(p.rows[i-1]); i-- {
		p.rows[i] = p.rows[i-1]
	}
	p.rows[i] = r
}

func (r ranked) before(o ranked) bool {
	return r.value > o.value || (r.value == o.value && r.id < o.id)
}

// ids returns the rows held.
func (p *podium) ids() []int32 {
	ids := make([]int32, len(p.rows))
	for i, r := range p.rows {
		ids[i] = r.id
	}
	return ids
}

// boundBox bounds every pivot in the box of a tree node: all but spare rivals
// must not be nearer than it. Of the few nearest rivals each bounds it by the
// smallest numerator over the largest denominator.
func (o *orderOpener) boundBox(t *nnindex.Tree, node int) float64 {
	s := o.orderSearch
	cand := t.ToBox(node, s.q.X)
	lo, hi := t.Box(node)
	o.top.reset(s.quota.Spare + 1)
	for i := range min(len(s.square), s.quota.Spare+fewRivals) {
		if s.square[i] >= cand {
			break
		}
		for j, r := range s.rival(i) {
			o.a[j] = max(r-lo[j], hi[j]-r)
		}
		o.top.offer(ranked{neighbors.BisectorBound(cand, s.square[i], s.q.Norm.Dual().Length(o.a), s.table.Dim), 0})
	}
	return o.top.least()
}

// fewRivals is how many rivals beyond spare bound a tree node or a row whose turn
// has not come.
const fewRivals = 4

// boundRow offers to o.top what each of the most nearest rivals bounds pivot p by.
func (o *orderOpener) boundRow(p []float64, cand float64, most int) {
	s := o.orderSearch
	o.top.reset(s.quota.Spare + 1)
	for i := range min(len(s.square), most) {
		if s.square[i] >= cand {
			break
		}
		if b := neighbors.BisectorBound(cand, s.square[i], neighbors.DualDistance(s.q.Norm, s.rival(i), p), s.table.Dim); b > 0 {
			o.top.offer(ranked{b, s.nearID[i]})
		}
	}
}

// openSide makes the nodes of the next pivots.
func (o *orderOpener) openSide(n search.Node, first int, cutoff float64) {
	side := o.field.side
	end := min(first+batch, len(side))
	for _, r := range side[first:end] {
		o.push(search.Node{
			Bound: max(n.Bound, r.alone), Order: o.orderOf(r.id),
			Item: pack(stageRow, 0, int(r.id)),
		}, cutoff)
	}
	if end < len(side) {
		o.push(search.Node{Bound: max(n.Bound, side[end].alone), Item: pack(stageSide, 0, end)}, cutoff)
	}
}

// openRow makes the parts of a pivot: the first of the rivals that are nearest in
// comparison is kept off, or the one before it may be nearer and the second is
// kept off, and so on. A pivot with few rivals before it starts from X itself.
func (o *orderOpener) openRow(n search.Node, id int32, cutoff float64) {
	p := o.table.Row(id)
	root := &orderPart{pivot: &pivot{id: id, x: p}, kind: rootPart, span: o.span}
	if n.Bound = o.boundByPartners(root.pivot, n.Bound, cutoff); n.Bound > cutoff {
		return
	}
	o.boundRow(p, nnindex.Squared(o.q.X, p), len(o.square))
	if !o.top.full() {
		o.push(search.Node{Bound: n.Bound, Order: n.Order, State: root}, cutoff)
		return
	}
	o.forceOff(n, root, cutoff, func(r ranked) float64 { return r.value })
}

func (o *orderOpener) push(n search.Node, cutoff float64) {
	if n.Bound <= cutoff {
		o.children = append(o.children, n)
	}
}

const (
	stageBegin = iota
	stageSide
	stageRow
)

func pack(stage, label, index int) int64 {
	return int64(stage)<<60 | int64(label)<<32 | int64(index)
}

func unpack(item int64) (stage, label, index int) {
	return int(item >> 60), int(item >> 32 & (1<<28 - 1)), int(item & (1<<32 - 1))
}
