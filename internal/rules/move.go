package rules

import (
	"cmp"
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Move holds the rules about one feature that is no member of a group.
type Move struct {
	Feature                   // its prices filled in
	x       float64           // NaN if it is missing
	flat    bool              // any change costs a price, however far it goes
	stays   bool              // at x, against all other rules
	own     bool              // a category that x has is one, even if it is no code
	ends    polytope.Interval // where the rules let it go
	free    polytope.Interval // the same, or a part that is asked about
	limits  polytope.Interval // of how far it may move
}

// move compiles the rules about a feature.
func (r *Rules) move(feature int) Move {
	m := Move{x: r.X[feature], flat: r.Changes}
	if r.Features != nil {
		m.Feature = r.Features[feature]
	}
	m.free, m.limits = polytope.Line(), polytope.Line()
	if r.Domain != nil {
		m.free = r.Domain[feature]
	}
	m.Up, m.Down = cmp.Or(m.Up, 1), cmp.Or(m.Down, 1)
	if m.Categorical {
		m.Step, m.Down, m.flat = 1, m.Up, true
		m.own = m.free.Contains(m.x)
		m.free = geometry.Intersect(m.free, codes(m.Codes))
	}
	m.stays = m.Frozen || (m.missing() && m.Missing == KeepMissing)
	if !m.missing() {
		m.limit()
	}
	m.ends = m.free
	return m
}

// within returns the move with its allowed values cut down to an interval.
func (m *Move) within(i polytope.Interval) *Move {
	part := *m
	part.own = m.own && i.Contains(m.x)
	if part.free = geometry.Intersect(m.free, i); part.own == m.own && part.free == m.free {
		return m
	}
	return &part
}

// codes returns the interval of the codes of a category, of so many, or of any number if that is 0.
func codes(count int) polytope.Interval {
	if count == 0 {
		return polytope.Interval{Lo: 0, Hi: math.Inf(1)}
	}
	return polytope.Interval{Lo: 0, Hi: float64(count - 1)}
}

func (m *Move) missing() bool { return math.IsNaN(m.x) }

// MayMiss reports whether the feature may be missing.
func (m *Move) MayMiss() bool { return m.missing() || (m.Missing == MayMiss && !m.stays) }

// Fixed reports whether the feature stays where it is, against all other rules.
func (m *Move) Fixed() bool { return m.stays }

// MissingPrice returns the price of a missing value; false if it may not be.
func (m *Move) MissingPrice() (float64, bool) {
	switch {
	case m.missing():
		return 0, true
	case m.MayMiss() && !math.IsInf(m.Up, 1):
		return m.Up, true
	}
	return 0, false
}

// limit takes the limits of moves from x off the free interval.
func (m *Move) limit() {
	up, down := m.farthest(m.Up, m.MaxUp, m.MaxUpPart), m.farthest(m.Down, m.MaxDown, m.MaxDownPart)
	if !math.IsInf(up, 1) {
		m.limits.Hi, m.limits.HiOpen = m.farthestPoint(m.x, up)
	}
	if !math.IsInf(down, 1) {
		m.limits.Lo, m.limits.LoOpen = m.farthestPoint(-m.x, down)
		m.limits.Lo = -m.limits.Lo
	}
	m.free = geometry.Intersect(m.free, m.limits)
}

// farthestPoint returns how far up a move from v may go that may rise by so much, among reals:
// where that is 0, to v, however close a grid value is.
func (m *Move) farthestPoint(v, most float64) (end float64, open bool) {
	switch {
	case most == 0:
		return v, false
	case m.Step == 0:
		return precise.End(v, most)
	}
	return precise.AddDown(v, most) + m.tolerance(), false
}

// farthest returns how far the feature may move one way.
func (m *Move) farthest(price, most, part float64) float64 {
	far := math.Inf(1)
	if math.IsInf(price, 1) {
		far = 0
	}
	if most > 0 {
		far = min(far, most)
	}
	if part > 0 {
		far = min(far, part*math.Abs(m.x))
	}
	return far
}

// Cost returns the cost of a move to z, whether or not it is allowed.
func (m *Move) Cost(z float64) float64 {
	switch {
	case z == m.x, math.IsNaN(z) && m.missing():
		return 0
	case math.IsNaN(z), m.missing(), m.flat && z > m.x:
		return m.Up
	case m.flat:
		return m.Down
	case z > m.x:
		return m.Up * (z - m.x)
	}
	return m.Down * (m.x - z)
}

// Price returns the price of an interval of numbers; false if none of them is allowed.
func (m *Move) Price(side polytope.Interval) (price float64, ok bool) {
	i := geometry.Intersect(side, m.free)
	switch {
	case m.stays:
		return 0, side.Contains(m.x)
	case m.own && side.Contains(m.x):
		return 0, true
	case geometry.Empty(i), m.missing() && math.IsInf(m.Up, 1):
		return 0, false
	case m.Step > 0:
		z, ok := m.nearest(i)
		if z == m.x {
			return 0, ok
		}
		return m.far(z, z > m.x), ok
	case i.Contains(m.x):
		return 0, true
	}
	return m.far(geometry.Nearest(i, m.x), i.Lo >= m.x), true
}

// far returns the cost of a move up, or down, as far as z, rounded down.
func (m *Move) far(z float64, up bool) float64 {
	switch {
	case m.missing(), m.flat && up:
		return m.Up
	case m.flat:
		return m.Down
	case up:
		return precise.MulDown(m.Up, precise.SubDown(z, m.x))
	}
	return precise.MulDown(m.Down, precise.SubDown(m.x, z))
}

// Nearest returns the allowed float64 in an interval that is nearest to a number; false if there is
// none.
func (m *Move) Nearest(side polytope.Interval, to float64) (z float64, ok bool) {
	i := geometry.Intersect(side, m.free)
	switch {
	case m.stays:
		return m.x, side.Contains(m.x)
	case geometry.Empty(i):
		return 0, false
	case m.Step == 0:
		return geometry.Inside(i, to)
	}
	for v := range m.around(geometry.Nearest(i, to)) {
		if i.Contains(v) && (!ok || math.Abs(v-to) < math.Abs(z-to)) {
			z, ok = v, true
		}
	}
	return z, ok
}

// Hull returns the smallest interval that holds the allowed numbers of one; of a feature with a
// step those that float64 hold.
func (m *Move) Hull(side polytope.Interval) polytope.Interval {
	i := geometry.Intersect(side, m.free)
	if m.Step > 0 {
		whole := i
		for _, end := range [...]*float64{&i.Lo, &i.Hi} {
			if z, ok := m.OnGrid(whole, *end); ok {
				*end = z
			}
		}
		i.LoOpen, i.HiOpen = false, false
	}
	return i
}

// Value returns the allowed float64 in an interval that costs least; false if there is none.
func (m *Move) Value(side polytope.Interval) (z float64, ok bool) {
	i := geometry.Intersect(side, m.free)
	switch {
	case m.stays:
		return m.x, side.Contains(m.x)
	case m.own && side.Contains(m.x):
		return m.x, true
	case geometry.Empty(i):
		return 0, false
	case m.Step > 0:
		return m.nearest(i)
	case m.missing():
		return geometry.Inside(i, 0)
	}
	return geometry.Inside(i, m.x)
}
