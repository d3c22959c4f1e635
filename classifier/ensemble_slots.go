package classifier

import (
	"math"

	"github.com/seed-1a7dc1f9/facet/polytope"
)

// slots are the slots of the grid seen from X.
type slots struct {
	*grid
	q      Query
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
// which meet the domain.
func (s *slots) gap(f, lo, hi int32) float64 {
	switch at := s.at[f]; {
	case at < lo:
		return s.borders[f][lo-1].end - s.q.X[f]
	case at > hi:
		return s.q.X[f] - s.borders[f][hi].end
	}
	if s.q.Domain == nil {
		return 0
	}
	return math.Abs(s.q.X[f] - s.side(int(f), s.at[f], s.at[f]).Closest(s.q.X[f]))
}

// scale returns a gap as it counts in reach: the reach of a box is the sum of its
// scaled gaps or, in ℓ∞, their maximum.
func (s *slots) scale(gap float64) float64 {
	if s.q.Norm == polytope.L2 {
		return gap * gap
	}
	return gap
}

// join adds a scaled gap to a reach in which the feature has counted before.
func (s *slots) join(reach, gap, before float64) float64 {
	if s.q.Norm == polytope.LInf {
		return max(reach, gap)
	}
	return reach + (gap - before)
}

// unscale returns the distance of a reach.
func (s *slots) unscale(reach float64) float64 {
	if s.q.Norm == polytope.L2 {
		return math.Sqrt(max(0, reach))
	}
	return reach
}
