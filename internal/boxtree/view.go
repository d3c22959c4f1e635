package boxtree

import (
	"github.com/seed-1a7dc1f9/facet/classifier/search"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// view is the grid seen from X.
type view struct {
	*grid
	q      search.Query
	at     []int32 // slot of X by feature, or the nearest to it that meets the domain
	domain box     // slots that meet the domain
}

// newView returns false when no slot of some feature meets the domain.
func newView(g *grid, q search.Query) (v view, ok bool) {
	v = view{grid: g, q: q, at: make([]int32, len(g.borders)), domain: make(box, len(g.borders))}
	for f, borders := range g.borders {
		d := v.meetDomain(f)
		if d.lo > d.hi {
			return v, false
		}
		v.domain[f] = d
		v.at[f] = min(max(borders.Slot(q.X[f]), d.lo), d.hi)
	}
	return v, true
}

// meetDomain returns the slots of a feature that meet the domain.
func (v *view) meetDomain(f int) span {
	s := span{0, int32(len(v.borders[f]))}
	if v.q.Domain == nil {
		return s
	}
	for s.lo <= s.hi && v.side(f, span{s.lo, s.lo}).Empty() {
		s.lo++
	}
	for s.lo <= s.hi && v.side(f, span{s.hi, s.hi}).Empty() {
		s.hi--
	}
	return s
}

// side returns the values of slots within the domain.
func (v *view) side(f int, s span) polytope.Interval {
	i := v.borders[f].Side(s.lo, s.hi)
	if v.q.Domain != nil {
		i = i.Intersect(v.q.Domain[f])
	}
	return i
}

// gap returns the distance from X to the slots lo ≤ s ≤ hi of feature f, some of
// which meet the domain, rounded down. That keeps the order of distances, so in ℓ∞
// the gap of the nearest is that of the infimum.
func (v *view) gap(f, lo, hi int32) float64 {
	switch at := v.at[f]; {
	case at < lo:
		return precise.SubDown(v.borders[f][lo-1].End, v.q.X[f])
	case at > hi:
		return precise.SubDown(v.q.X[f], v.borders[f][hi].End)
	}
	if v.q.Domain == nil {
		return 0
	}
	return v.side(int(f), span{v.at[f], v.at[f]}).Bound(v.q.X[f])
}

// slotsWithin returns the slots of a feature within a limit to the reach, to which others
// add some.
func (v *view) slotsWithin(m *metric, f int32, others, limit float64) span {
	s, domain := span{v.at[f], v.at[f]}, v.domain[f]
	for s.lo > domain.lo && others+m.scale(v.gap(f, s.lo-1, s.lo-1)) <= limit {
		s.lo--
	}
	for s.hi < domain.hi && others+m.scale(v.gap(f, s.hi+1, s.hi+1)) <= limit {
		s.hi++
	}
	return s
}

// cellReach returns the reach of the cell with one slot of each feature.
func (v *view) cellReach(m *metric, cell []int32) float64 {
	reach := 0.0
	for f, slot := range cell {
		reach = m.join(reach, m.scale(v.gap(int32(f), slot, slot)), 0)
	}
	return reach
}

// extent returns the smallest distance to a slot that is not zero, and the largest; two
// zeros if there is none.
func (v *view) extent() (least, most float64) {
	for f, at := range v.at {
		d := v.domain[f]
		for _, slot := range [...]int32{d.lo, d.hi, at, at - 1, at - 2, at + 1, at + 2} { // slot at may be at X
			slot = min(max(slot, d.lo), d.hi)
			gap := v.gap(int32(f), slot, slot)
			if most = max(most, gap); gap > 0 && (gap < least || least == 0) {
				least = gap
			}
		}
	}
	return least, most
}
