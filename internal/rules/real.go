package rules

import (
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Real returns the prices and the domain that mean the same as rules of real numbers; prices are
// nil if all are 1. The domain is empty if no input obeys them.
func (m *Moves) Real() (*polytope.Prices, polytope.Box) {
	if m.Features == nil {
		return nil, m.Domain
	}
	p := &polytope.Prices{Up: make([]float64, len(m.X)), Down: make([]float64, len(m.X))}
	domain := make(polytope.Box, len(m.X))
	for j, own := range m.Each {
		p.Up[j], p.Down[j], domain[j] = own.Up, own.Down, own.held()
		switch {
		case own.stays:
			domain[j] = polytope.Interval{Lo: own.x, Hi: own.x}
			p.Up[j], p.Down[j] = math.Inf(1), math.Inf(1)
		case own.Categorical:
			domain[j] = own.withOwn()
		}
	}
	return Priced(p), domain
}

// held returns the interval of the allowed float64, whose ends by the limits of moves are closed
// ones, which all classifiers and proofs know.
func (m *Move) held() polytope.Interval {
	i := m.free
	if i.HiOpen && m.limits.HiOpen && i.Hi == m.limits.Hi {
		i.Hi, i.HiOpen = math.Nextafter(i.Hi, math.Inf(-1)), false
	}
	if i.LoOpen && m.limits.LoOpen && i.Lo == m.limits.Lo {
		i.Lo, i.LoOpen = math.Nextafter(i.Lo, math.Inf(1)), false
	}
	return i
}

// withOwn returns the interval from the least to the greatest value of a category. Besides codes
// that it may have it holds none but that of X.
func (m *Move) withOwn() polytope.Interval {
	if !m.own {
		return m.free
	}
	i := m.free
	if geometry.Empty(i) {
		return polytope.Interval{Lo: m.x, Hi: m.x}
	}
	i.Lo, i.Hi = min(i.Lo, m.x), max(i.Hi, m.x)
	return i
}

// Codes returns of each feature how many codes it may take as a category, 0 for a number; nil if
// none is a category. If a category may take any, there are no codes and anyCode is the first
// such feature; else it is -1.
func (m *Moves) Codes() (codes []int, anyCode int) {
	for j, move := range m.Each {
		if kind, _ := move.beyondReal(); kind&Categories == 0 {
			continue
		}
		if codes == nil {
			codes = make([]int, len(m.X))
		}
		if codes[j] = move.Codes; move.Codes == 0 {
			return nil, j
		}
	}
	return codes, -1
}

// Priced returns prices, nil if all are 1.
func Priced(p *polytope.Prices) *polytope.Prices {
	other := func(price float64) bool { return price != 1 }
	if p == nil || !slices.ContainsFunc(p.Up, other) && !slices.ContainsFunc(p.Down, other) {
		return nil
	}
	return p
}
