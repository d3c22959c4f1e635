package rules

import (
	"iter"
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Grid values are Origin + k·Step, rounded, for numbers k up to mostNumber. One within a
// billionth of a step of x, or beyond the end of where the feature may go, is that instead: so
// decimal fractions mean the number that is written.
const (
	mostNumber = 0x1p53
	billionth  = 1e-9
)

// tolerance is by how much a value may miss the grid. Codes are exact: a number beside a code is
// not that category.
func (m *Move) tolerance() float64 {
	if m.Categorical {
		return 0
	}
	return billionth * m.Step
}

// value returns the grid value of a number.
func (m *Move) value(k float64) float64 {
	v := m.Origin + float64(k*m.Step)
	switch blur := m.tolerance(); {
	case math.Abs(v-m.x) <= blur:
		return m.x
	case v > m.ends.Hi && v-m.ends.Hi <= blur:
		return m.ends.Hi
	case v < m.ends.Lo && m.ends.Lo-v <= blur:
		return m.ends.Lo
	}
	return v
}

// number returns the number of the grid value nearest to v.
func (m *Move) number(v float64) float64 {
	return min(max(math.Round((v-m.Origin)/m.Step), -mostNumber), mostNumber)
}

// onGrid reports whether z is a grid value. Far from Origin, rounding may have moved its number by
// one.
func (m *Move) onGrid(z float64) bool {
	k := m.number(z)
	return m.value(k) == z || m.value(k-1) == z || m.value(k+1) == z
}

// around lists grid values beside a number, ascending.
func (m *Move) around(v float64) iter.Seq[float64] {
	return func(yield func(float64) bool) {
		middle := m.number(v)
		for off := -2.0; off <= 2; off++ { // beyond mostNumber, k + 1 is k
			if !yield(m.value(min(max(middle+off, -mostNumber), mostNumber))) {
				return
			}
		}
	}
}

// nearest returns the grid value in an interval that costs least, or is nearest to 0 if x is
// missing; false if there is none.
func (m *Move) nearest(i polytope.Interval) (z float64, ok bool) {
	from := m.x
	if m.missing() {
		from = 0
	}
	least := math.Inf(1)
	for v := range m.around(geometry.Nearest(i, from)) {
		if !i.Contains(v) {
			continue
		}
		cost := 0.0
		switch {
		case m.missing():
			cost = math.Abs(v)
		case v != m.x:
			// rounded down: of two values that seem equally far, neither may cost less than the
			// price
			cost = m.far(v, v > m.x)
		}
		if cost < least || (cost == least && math.Abs(v-from) < math.Abs(z-from)) {
			z, least, ok = v, cost, true
		}
	}
	return z, ok
}

// OnGrid returns the allowed grid value in an interval that is nearest to a number; false if there
// is none.
func (m *Move) OnGrid(side polytope.Interval, to float64) (z float64, ok bool) {
	i, least := geometry.Intersect(side, m.free), math.Inf(1)
	if geometry.Empty(i) {
		return 0, false
	}
	middle := m.number(geometry.Nearest(i, to))
	for off := -2.0; off <= 2; off++ {
		v := m.value(min(max(middle+off, -mostNumber), mostNumber))
		if far := math.Abs(v - to); i.Contains(v) && far < least {
			z, least, ok = v, far, true
		}
	}
	return z, ok
}
