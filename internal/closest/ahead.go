package closest

import (
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/precise"
)

// Ahead returns a certified lower bound on ‖u‖ over all u that satisfy the rows
// and a·u ≤ b as well, a of dual length 1: what one step of the dual method from
// the current multipliers proves, or Bound if that is more. The program stays as
// it was. It costs one pass over the active rows.
func (p *Program) Ahead(a []float64, b, err float64) float64 {
	if p.broken || !precise.Finite(b) {
		return p.bound
	}
	r := p.rows.add(a, b, err)
	defer p.rows.cut(r)
	if p.rows.slack(r, p.u) >= 0 {
		return p.bound
	}
	step := p.method.step(r)
	bound := p.combine(func(visit func(int, float64)) {
		p.method.stepped(step, visit)
		visit(r, after(0, -1, step))
	})
	return max(p.bound, bound)
}

// step goes on where the ratio test would stop, at a tied coordinate whose gradient
// reaches zero: that coordinate may change its sign. The bound at step s, −Σλb over
// ‖Σλa‖₁, is a linear function over a convex one that changes its slope only
// there, so it rises to a single top. Only a multiplier that reaches zero ends
// the way.
func (m *linf) step(r int) float64 {
	if len(m.active) == 0 {
		return math.Inf(1)
	}
	m.rho = grow(m.rho, len(m.active))
	m.entering(r)
	_, _, first := m.ratio()
	start, slope, end := m.way(r)
	best, most := min(first, end), 0.0
	for s := best; ; {
		length, next := 0.0, math.Inf(1)
		for j, a := range m.alpha {
			length += math.Abs(m.grad[j] + s*a)
			if at := -m.grad[j] / a; at > s && at < next {
				next = at
			}
		}
		value := (start + s*slope) / length
		if !(value > most) {
			return best
		}
		best, most = s, value
		if s = min(next*(1+0x1p-40), end); s == best || math.IsInf(s, 1) {
			return best
		}
	}
}

func (m *l1) step(r int) float64 {
	m.entering(r)
	_, _, limit := m.ratio()
	return limit
}

// way returns what −Σλb is along the steps, start + s·slope, and where a multiplier
// reaches zero.
func (m *linf) way(r int) (start, slope, end float64) {
	slope, end = -m.rows.b[r], math.Inf(1)
	for i, a := range m.active {
		start -= m.lambda[i] * m.rows.b[a]
		slope += m.rho[i] * m.rows.b[a]
		if m.rho[i] > 0 {
			end = min(end, max(0, m.lambda[i])/m.rho[i])
		}
	}
	return start, slope, end
}

func (m *l2) step(r int) float64 {
	residual := m.split(m.rows.row(r))
	m.directions()
	_, partial := m.block()
	if residual > dependent {
		return min(partial, max(0, -m.rows.slack(r, m.u))/(residual*residual))
	}
	return partial
}
