package orderk

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/neighbors"
	"github.com/seed-1a7dc1f9/facet/internal/nnindex"
	"github.com/seed-1a7dc1f9/facet/internal/search"
)

// resolve looks at the k nearest rows of a point that meets the quota. If their
// vote answers the query and their cell holds an input there, it is the answer.
// Otherwise some other set of k rows must do, one that lacks a member of this one.
// A row that has left must have been overtaken by another one.
func (o *opener) resolve(
	ctx context.Context, n search.Node, d *decisions, at *point, c *children,
) (*search.Answer, error) {
	members, overtaken := o.members(d, at)
	if overtaken >= 0 {
		o.branchOnOutsider(n, d, members, overtaken, c)
		return nil, nil
	}
	if len(members) < o.k {
		return nil, nil
	}
	if surplus := o.surplus(d, at); len(surplus) > 0 {
		branchOnMember(n, d, surplus, c)
		return nil, nil
	}
	var answer *search.Answer
	if o.Reaches(o.table.VoteOf(members)) && o.table.Possible(members) {
		var err error
		answer, err = o.witness(ctx, n, d, at, members)
		if err != nil || (answer != nil && answer.Example != nil) {
			return answer, err
		}
	}
	branchOnMember(n, d, members, c)
	return answer, nil
}

// rankedRow is a row in the order of distance, with ties that decisions settle.
type rankedRow struct {
	nnindex.Neighbor
	tier int8
}

func (s rankedRow) compare(o rankedRow) int {
	return cmp.Or(cmp.Compare(s.Squared, o.Squared), cmp.Compare(s.tier, o.tier),
		cmp.Compare(s.ID, o.ID))
}

// rank ranks a row at a squared distance; one that precedes or follows the pivot by
// decision does so for all rounding errors.
func (d *decisions) rank(id int32, squared, pivot float64) rankedRow {
	s := rankedRow{nnindex.Neighbor{Squared: squared, ID: id}, 0}
	switch {
	case d.marks[id]&precedes != 0:
		s.Squared, s.tier = min(squared, pivot), -1
	case d.marks[id]&follows != 0:
		s.Squared, s.tier = max(squared, pivot), 1
	}
	return s
}

// members returns the k rows that are neighbours at a point, those that are so by
// decision included and those that are not excluded. If too few rows come before a
// row that is no neighbour by decision, that one is returned as overtaken, −1 if
// not: some row must still overtake it.
func (o *opener) members(d *decisions, at *point) (members []int32, overtaken int32) {
	members, overtaken = append(members, d.in...), -1
	var order []rankedRow
	if len(d.out) > 0 {
		overtaken = slices.MinFunc(d.out, o.byDistance(at))
		order = o.rowsBefore(d, at, overtaken, true)
	} else {
		order = o.nearestRows(d, at)
	}
	for _, s := range order {
		if len(members) == o.k {
			break
		}
		if !d.decided(s.ID) {
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
func (o *opener) surplus(d *decisions, at *point) []int32 {
	if len(d.in) == 0 {
		return nil
	}
	var before []int32
	for _, s := range o.rowsBefore(d, at, slices.MaxFunc(d.in, o.byDistance(at)), false) {
		if !d.decided(s.ID) {
			before = append(before, s.ID)
		}
	}
	if most := o.k - len(d.in); len(before) > most {
		return before[:most+1]
	}
	return nil
}

// nearestRows returns in order more than k nearest rows, so that k remain when
// those without a say are left out.
func (o *opener) nearestRows(d *decisions, at *point) []rankedRow {
	o.nearest.Reset(min(o.k+len(d.marked)+1, o.table.Len()), math.Inf(1))
	o.table.Trees.Nearest(at.z, &o.nearest)
	pivot := at.squared(d.pivot().x)
	var order []rankedRow
	add := func(id int32, p []float64) bool {
		order = append(order, d.rank(id, at.squared(p), pivot))
		return true
	}
	if last := o.nearest.Last().Squared; at.drift > neighbors.Spread*math.Sqrt(last) {
		// At least these rows, and those that the rounding of z may have put behind them.
		o.table.Trees.Within(at.z, at.widened(last), add)
	} else {
		for _, n := range o.nearest.All() {
			add(n.ID, o.table.Row(n.ID))
		}
	}
	slices.SortFunc(order, rankedRow.compare)
	return order
}

// rowsBefore returns in order the rows that come before row q by more than
// rounding or, if ties count too, not after it by more than that.
func (o *opener) rowsBefore(d *decisions, at *point, q int32, ties bool) []rankedRow {
	pivot, limit := at.squared(d.pivot().x), at.squared(o.table.Row(q))
	tolerance := at.tolerance(limit)
	var order []rankedRow
	at.within(o.table.Trees, limit+tolerance, func(id int32, squared float64) bool {
		before := ties && !o.comesBefore(at, q, id, squared-limit, tolerance) ||
			!ties && o.comesBefore(at, id, q, limit-squared, tolerance)
		if before && id != q {
			order = append(order, d.rank(id, squared, pivot))
		}
		return true
	})
	slices.SortFunc(order, rankedRow.compare)
	return order
}
