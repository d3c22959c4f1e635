//go:build lpsolve

package milp

import (
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// space is a box of intervals: one axis for each feature.
type space []axis

// newSpace cuts the domain, nil for R^d; it returns false when no float64 of
// some feature lies in it.
func newSpace(borders []trees.Borders, domain polytope.Box, x []float64) (space, bool) {
	s := make(space, len(x))
	for j := range s {
		side := polytope.Line()
		if domain != nil {
			side = domain[j]
		}
		s[j] = newAxis(borders[j], side, x[j])
		if len(s[j].intervals) == 0 {
			return nil, false
		}
	}
	return s, true
}

// within leaves out the intervals beyond a distance from x; it returns false when
// no interval is left.
func (s space) within(radius float64) (space, bool) {
	near := make(space, len(s))
	for j, a := range s {
		if a.intervals[a.home].away > radius {
			return nil, false
		}
		near[j] = a.within(radius)
	}
	return near, true
}

// split divides the space at cut k of feature j.
func (s space) split(j, k int) (left, right space) {
	left, right = slices.Clone(s), slices.Clone(s)
	left[j] = s[j].part(0, k)
	right[j] = s[j].part(k, len(s[j].intervals))
	return left, right
}

// farthest returns the norm of the largest distance of each feature.
func (s space) farthest(norm polytope.Norm) float64 {
	away := make([]float64, len(s))
	for j, a := range s {
		away[j] = a.farthest()
	}
	return geometry.Length(norm, away)
}

// firstIntervals is how many intervals lie within the first radius.
const firstIntervals = 8

// radii returns growing distances, within each of which lie about twice as many
// intervals as within the one before. The last one leaves nothing out.
func (s space) radii(norm polytope.Norm) []float64 {
	var away []float64
	for _, a := range s {
		for _, interval := range a.intervals {
			away = append(away, interval.away)
		}
	}
	slices.Sort(away)
	var radii []float64
	for n := firstIntervals; n < len(away); n *= 2 {
		radii = append(radii, away[n])
	}
	radii = append(radii, s.farthest(norm))
	return slices.Compact(radii)
}
