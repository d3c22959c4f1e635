//go:build lpsolve

package milp

import (
	"math"
	"sort"

	"github.com/seed-1a7dc1f9/facet/internal/trees"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// axis is one feature, cut by the borders of the ensemble into slots. Cut k
// lies between the slots k−1 and k. Distances grow from home outwards.
type axis struct {
	slots []slot // from left to right
	home  int    // the slot nearest to x
}

// slot is an interval between two neighbouring borders, within the domain.
type slot struct {
	away float64 // the distance of x from the closed interval
	at   float64 // the float64 of the interval nearest to x
}

// newAxis lists the slots that hold some float64. It has none when the domain
// holds none.
func newAxis(borders trees.Borders, domain polytope.Interval, x float64) axis {
	var a axis
	for i := range int32(len(borders) + 1) {
		side := domain.Intersect(borders.Side(i, i))
		at, ok := side.Inside(x)
		if !ok || side.Empty() {
			continue
		}
		a.slots = append(a.slots, slot{away: math.Abs(x - side.Closest(x)), at: at})
	}
	a.findHome(x)
	return a
}

// findHome sets home to the slot that x lies in, or else to the nearest one. A
// neighbour of the slot of x is as near when x lies on the border of both.
func (a *axis) findHome(x float64) {
	for i, s := range a.slots {
		if h := a.slots[a.home]; s.at == x || (h.at != x && s.away < h.away) {
			a.home = i
		}
	}
}

// left returns how many slots lie left of a border.
func (a axis) left(b trees.Border) int {
	return sort.Search(len(a.slots), func(i int) bool { return !b.Low(a.slots[i].at) })
}

// farthest returns the largest distance of a slot.
func (a axis) farthest() float64 {
	return max(a.slots[0].away, a.slots[len(a.slots)-1].away)
}

// part returns the slots from lo to hi−1.
func (a axis) part(lo, hi int) axis {
	return axis{slots: a.slots[lo:hi], home: min(max(a.home, lo), hi-1) - lo}
}

// within returns the slots up to a distance from x, of which home is one.
func (a axis) within(radius float64) axis {
	lo, hi := a.home, a.home+1
	for lo > 0 && a.slots[lo-1].away <= radius {
		lo--
	}
	for hi < len(a.slots) && a.slots[hi].away <= radius {
		hi++
	}
	return a.part(lo, hi)
}
