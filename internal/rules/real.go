package rules

import (
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Real returns the prices and the domain that say what rules of real numbers do; prices are nil if
// all are 1. The domain is empty if no input obeys them.
func (r *Rules) Real() (*polytope.Prices, polytope.Box) {
	if r.Features == nil {
		return nil, r.Domain
	}
	p := &polytope.Prices{Up: make([]float64, len(r.X)), Down: make([]float64, len(r.X))}
	domain := make(polytope.Box, len(r.X))
	for j := range r.Features {
		m := r.move(j)
		if domain[j] = m.free; m.stays {
			domain[j] = polytope.Interval{Lo: m.x, Hi: m.x}
			m.Up, m.Down = math.Inf(1), math.Inf(1)
		}
		p.Up[j], p.Down[j] = m.Up, m.Down
	}
	return Priced(p), domain
}

// Priced returns prices, nil if all are 1.
func Priced(p *polytope.Prices) *polytope.Prices {
	other := func(price float64) bool { return price != 1 }
	if p == nil || !slices.ContainsFunc(p.Up, other) && !slices.ContainsFunc(p.Down, other) {
		return nil
	}
	return p
}
