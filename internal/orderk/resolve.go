package orderk

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/classifier/search"
	"github.com/seed-1a7dc1f9/facet/internal/neighbors"
	"github.com/seed-1a7dc1f9/facet/internal/nnindex"
)

// resolve looks at the k nearest rows of a point that meets the quota. If their
// vote answers the query and their cell has an interior there, it is the answer.
// Otherwise some other set of k rows must do, one that lacks a member of this one.
// A row that has left must have been overtaken by another one.
func (o *orderOpener) resolve(ctx context.Context, n search.Node, p *orderPart, cutoff float64) (*search.Answer, error) {
	members, overtaken := o.members(p)
	if overtaken >= 0 {
		o.overtake(n, p, cutoff, members, overtaken)
		return nil, nil
	}
	if len(members) < o.k {
		return nil, nil
	}
	if surplus := o.surplus(p); len(surplus) > 0 {
		o.expel(n, p, cutoff, surplus)
		return nil, nil
	}
	if o.q.Reaches(o.table.VoteOf(members, o.votes)) && o.table.Possible(members) {
		o.keep(p)
		answer, err := o.witness(ctx, n, members)
		if err != nil || (answer != nil && answer.Example != nil) {
			return answer, err
		}
		o.expel(n, p, cutoff, members)
		return answer, nil
	}
	o.expel(n, p, cutoff, members)
	return nil, nil
}

// standing is a row in the order of distance, with ties that decisions settle.
type standing struct {
	nnindex.Neighbor
	tier int8
}

func (s standing) compare(o standing) int {
	return cmp.Or(cmp.Compare(s.Squared, o.Squared), cmp.Compare(s.tier, o.tier), cmp.Compare(s.ID, o.ID))
}

// members returns the k rows that are neighbours at the current point, those that
// are so by decision included and those that are not excluded. If too few rows
// come before a row that is no neighbour by decision, that one is returned as
// overtaken, −1 if not: some row must still overtake it.
func (o *orderOpener) members(p *orderPart) (members []int32, overtaken int32) {
	members = append(members, o.in...)
	overtaken = o.nearestOf(o.out, math.Inf(1))
	var order []standing
	if overtaken >= 0 {
		order = o.rowsBefore(p, overtaken, true)
	} else {
		order = o.nearestRows(p)
	}
	for _, s := range order {
		if len(members) == o.k {
			break
		}
		if o.marks[s.ID]&(isIn|isOut) == 0 {
			members = append(members, s.ID)
		}
	}
	if len(members) == o.k {
		overtaken = -1
	}
	slices.Sort(members)
	return members, overtaken
}

// surplus returns rows that cannot all be neighbours, because they come before a
// row that is one by decision and are too many; none if there is no such row.
func (o *orderOpener) surplus(p *orderPart) []int32 {
	if len(o.in) == 0 {
		return nil
	}
	var before []int32
	for _, s := range o.rowsBefore(p, o.farthestOf(o.in), false) {
		if o.marks[s.ID]&(isIn|isOut) == 0 {
			before = append(before, s.ID)
		}
	}
	if most := o.k - len(o.in); len(before) > most {
		return before[:most+1]
	}
	return nil
}

// nearestRows returns in order more than k nearest rows, so that k remain when
// those without a say are left out.
func (o *orderOpener) nearestRows(p *orderPart) []standing {
	o.nearest.Reset(min(o.k+len(o.marked)+1, o.table.Len()), math.Inf(1))
	for _, t := range o.all() {
		t.Nearest(o.z, &o.nearest)
	}
	reach := o.squared(p.pivot.id)
	var order []standing
	add := func(id int32) {
		order = append(order, o.standing(nnindex.Neighbor{Squared: o.squared(id), ID: id}, reach))
	}
	if last := o.nearest.Last().Squared; o.drift > neighbors.Spread*math.Sqrt(last) {
		// At least these rows, and those that the rounding of z may have put behind them.
		for _, t := range o.all() {
			t.Within(o.z, o.widened(last), func(i int, _ float64) bool {
				add(t.IDs[i])
				return true
			})
		}
	} else {
		for _, n := range o.nearest.All() {
			add(n.ID)
		}
	}
	slices.SortFunc(order, standing.compare)
	return order
}

// rowsBefore returns in order the rows that come before row q by more than
// rounding or, if ties count too, not after it by more than that.
func (o *orderOpener) rowsBefore(p *orderPart, q int32, ties bool) []standing {
	reach, limit := o.squared(p.pivot.id), o.squared(q)
	blur := o.blur(limit)
	var order []standing
	o.visit(o.all(), limit+blur, func(id int32, squared float64) {
		before := false
		if ties {
			before = !o.comesBefore(q, id, squared-limit, blur)
		} else {
			before = o.comesBefore(id, q, limit-squared, blur)
		}
		if before && id != q {
			order = append(order, o.standing(nnindex.Neighbor{Squared: squared, ID: id}, reach))
		}
	})
	slices.SortFunc(order, standing.compare)
	return order
}

// visit calls f for every row of the trees within a squared distance of X+u.
func (o *orderOpener) visit(trees neighbors.Trees, limit float64, f func(id int32, squared float64)) {
	for _, t := range trees {
		o.within(t, limit, func(i int, squared float64) bool {
			f(t.IDs[i], squared)
			return true
		})
	}
}

// within visits the rows of a tree within a squared distance of X+u, until visit
// returns false. The tree is asked about z.
func (o *orderOpener) within(t *nnindex.Tree, limit float64, visit func(position int, squared float64) bool) bool {
	return t.Within(o.z, o.widened(limit), func(i int, _ float64) bool {
		squared := nnindex.Moved(o.q.X, o.u, t.Point(i))
		return squared > limit || visit(i, squared)
	})
}

// widened returns a squared distance from z within which all lies that is within
// one from X+u, or the other way round.
func (o *orderOpener) widened(squared float64) float64 {
	reach := math.Sqrt(squared)
	// What leads from X to a row is rounded by a share of itself.
	reach += o.drift + 0x1p-52*(reach+o.length)
	return reach * reach * (1 + neighbors.Spread)
}

// standing ranks a row; one that precedes or follows the pivot by decision does
// so whatever rounding says.
func (o *orderOpener) standing(n nnindex.Neighbor, reach float64) standing {
	s := standing{Neighbor: n}
	switch {
	case o.marks[n.ID]&precedes != 0:
		s.Squared, s.tier = min(s.Squared, reach), -1
	case o.marks[n.ID]&follows != 0:
		s.Squared, s.tier = max(s.Squared, reach), 1
	}
	return s
}

// expel makes the parts in which the first of the members that is no neighbour is
// the first, the second, … of those on which nothing is decided.
func (o *orderOpener) expel(n search.Node, p *orderPart, cutoff float64, members []int32) {
	var list []int32
	for _, m := range members {
		if o.marks[m]&isIn == 0 {
			list = append(list, m)
		}
	}
	span := p.span
	for i := range list {
		child := &orderPart{parent: p, pivot: p.pivot, kind: leavePart, at: int32(i), list: list}
		child.span = span / int64(i+2)
		o.push(search.Node{Bound: n.Bound, Order: n.Order, State: child}, cutoff)
		n.Order += child.span
		span -= child.span
	}
}

// overtake makes the parts in which one more row than those counted is a neighbour
// and comes before row q, which is none.
func (o *orderOpener) overtake(n search.Node, p *orderPart, cutoff float64, counted []int32, q int32) {
	if len(o.in) == o.k {
		return
	}
	rival := o.table.Row(q)
	reach := nnindex.Squared(o.q.X, rival)
	var queue []ranked
	for _, t := range o.all() {
		for i, id := range t.IDs {
			x := t.Point(i)
			b := neighbors.BisectorBound(nnindex.Squared(o.q.X, x), reach, neighbors.DualDistance(o.q.Norm, x, rival), o.table.Dim)
			queue = append(queue, ranked{b, id})
		}
	}
	slices.SortFunc(queue, ascending)
	l := &line{part: p, model: orderPart{kind: enterPart, rival: q}, need: 1, counted: counted, queue: queue, span: p.span}
	o.advance(n, l, cutoff)
}

// all returns the trees of all labels.
func (o *orderOpener) all() neighbors.Trees {
	return append(append(neighbors.Trees(nil), o.own...), o.rivals...)
}
