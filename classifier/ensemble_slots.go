package classifier

import (
	"github.com/seed-1a7dc1f9/facet/classifier/search"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// slots are the slots of the grid seen from X.
type slots struct {
	*grid
	q      search.Query
	at     []int32 // slot of X by feature, or the nearest to it that meets the domain
	lo, hi []int32 // slots that meet the domain
}

// place finds the slots of X and of the domain. It returns false when the domain
// holds none in some feature.
func (s *slots) place() bool {
	dim := len(s.borders)
	room := make([]int32, 3*dim)
	s.at, s.lo, s.hi = room[:dim], room[dim:2*dim], room[2*dim:]
	for f, borders := range s.borders {
		s.hi[f] = int32(len(borders))
		if s.q.Domain != nil {
			if s.lo[f], s.hi[f] = s.within(f); s.lo[f] > s.hi[f] {
				return false
			}
		}
		s.at[f] = min(max(s.slot(f, s.q.X[f]), s.lo[f]), s.hi[f])
	}
	return true
}

// extent returns the smallest distance to a slot that is not zero, and the largest; two
// zeros if there is none.
func (s *slots) extent() (least, most float64) {
	look := func(gap float64) {
		if most = max(most, gap); gap > 0 && (gap < least || least == 0) {
			least = gap
		}
	}
	for f := range s.at {
		f, at, lo, hi := int32(f), s.at[f], s.lo[f], s.hi[f]
		look(s.gap(f, lo, lo))
		look(s.gap(f, hi, hi))
		for _, slot := range [...]int32{at, at - 1, at - 2, at + 1, at + 2} { // the first may be at X
			look(s.gap(f, min(max(slot, lo), hi), min(max(slot, lo), hi)))
		}
	}
	return least, most
}

// within returns the first and the last slot of a feature that meet the domain.
func (s *slots) within(f int) (lo, hi int32) {
	lo, hi = 0, int32(len(s.borders[f]))
	for lo <= hi && s.side(f, lo, lo).Empty() {
		lo++
	}
	for lo <= hi && s.side(f, hi, hi).Empty() {
		hi--
	}
	return lo, hi
}

// side returns the values of the slots lo ≤ s ≤ hi within the domain.
func (s *slots) side(f int, lo, hi int32) polytope.Interval {
	i := polytope.Line()
	borders := s.borders[f]
	if lo > 0 {
		i.Lo, i.LoOpen = borders[lo-1].end, borders[lo-1].closed
	}
	if int(hi) < len(borders) {
		i.Hi, i.HiOpen = borders[hi].end, !borders[hi].closed
	}
	if s.q.Domain != nil {
		i = i.Intersect(s.q.Domain[f])
	}
	return i
}

// gap returns the distance from X to the slots lo ≤ s ≤ hi of feature f, some of
// which meet the domain, rounded down. That keeps the order of distances, so in ℓ∞
// the gap of the nearest is that of the infimum.
func (s *slots) gap(f, lo, hi int32) float64 {
	switch at := s.at[f]; {
	case at < lo:
		return precise.SubDown(s.borders[f][lo-1].end, s.q.X[f])
	case at > hi:
		return precise.SubDown(s.q.X[f], s.borders[f][hi].end)
	}
	if s.q.Domain == nil {
		return 0
	}
	return s.side(int(f), s.at[f], s.at[f]).Bound(s.q.X[f])
}
