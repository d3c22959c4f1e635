//go:build lpsolve

package milp

import (
	"math"
	"sort"

	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// axis is one feature, cut by the borders of the ensemble into intervals. Cut k
// lies between the intervals k−1 and k. Distances grow from home outwards.
type axis struct {
	intervals []interval // from left to right
	home      int        // the interval nearest to x
}

// interval is what lies between two neighbouring borders, within the domain.
type interval struct {
	away float64 // the distance of x from the closed interval
	at   float64 // the float64 of the interval nearest to x
}

// newAxis lists the intervals that hold some float64. It has none when the domain
// holds none.
func newAxis(borders trees.Borders, domain polytope.Interval, x float64) axis {
	var a axis
	for i := range int32(len(borders) + 1) {
		side := geometry.Intersect(domain, borders.Side(i, i))
		at, ok := geometry.Inside(side, x)
		if !ok || geometry.Empty(side) {
			continue
		}
		away := math.Abs(x - geometry.Nearest(side, x))
		a.intervals = append(a.intervals, interval{away: away, at: at})
	}
	a.findHome(x)
	return a
}

// findHome sets home to the interval that x lies in, or else to the nearest one. A
// neighbour of the interval of x is as near when x lies on the border of both.
func (a *axis) findHome(x float64) {
	for i, s := range a.intervals {
		if h := a.intervals[a.home]; s.at == x || (h.at != x && s.away < h.away) {
			a.home = i
		}
	}
}

// left returns how many intervals lie left of a border.
func (a axis) left(b trees.Border) int {
	return sort.Search(len(a.intervals), func(i int) bool { return !b.Low(a.intervals[i].at) })
}

// farthest returns the largest distance of an interval.
func (a axis) farthest() float64 {
	return max(a.intervals[0].away, a.intervals[len(a.intervals)-1].away)
}

// part returns the intervals from lo to hi−1.
func (a axis) part(lo, hi int) axis {
	return axis{intervals: a.intervals[lo:hi], home: min(max(a.home, lo), hi-1) - lo}
}

// within returns the intervals up to a distance from x, of which home is one.
func (a axis) within(radius float64) axis {
	lo, hi := a.home, a.home+1
	for lo > 0 && a.intervals[lo-1].away <= radius {
		lo--
	}
	for hi < len(a.intervals) && a.intervals[hi].away <= radius {
		hi++
	}
	return a.part(lo, hi)
}
