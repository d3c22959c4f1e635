package closest

import (
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
)

// certify raises the bound to the one that the current multipliers prove.
func (p *Program) certify() {
	p.bound = max(p.bound, p.combination())
}

// Proves returns the lower bound that multipliers found by other means prove for
// the rows, 0 if none; lambda[i] belongs to row i divided by its length. Negative
// multipliers count as 0.
func (p *Program) Proves(lambda []float64) float64 {
	return p.proven(func(visit func(int, float64)) {
		for i, l := range lambda {
			visit(i, l)
		}
	})
}

// combination returns the bound that the current multipliers prove.
func (p *Program) combination() float64 { return p.proven(p.method.multipliers) }

// proven returns the bound that multipliers prove.
func (p *Program) proven(multipliers func(visit func(int, float64))) float64 {
	if len(p.rows.Unit) > 0 {
		return p.combinePriced(multipliers)
	}
	return p.combine(multipliers)
}

// combine returns the distance from the origin to the half-space Σλ_i a_i·u ≤ Σλ_i b_i, less the
// error that rounding may have added.
func (p *Program) combine(multipliers func(visit func(int, float64))) float64 {
	clear(p.g)
	p.sums = sums{}
	multipliers(p.visit)
	// Each of the n terms is rounded when multiplied and at every addition, and
	// dividing a row by its length has cost it d+1 roundings of its own.
	rounding := 2 * precise.Roundoff * (p.sums.n + float64(p.d) + 4)
	offset := p.sums.offset - 2*p.sums.err*(p.sums.n+4) - rounding*precise.Roundoff
	length := geometry.DualLength(p.rows.Norm, p.g) + rounding*p.sums.mass
	if bound := offset / length * (1 - 4*precise.Roundoff); bound > 0 && bound <= math.MaxFloat64 {
		return bound
	}
	return 0 // no bound is proved, or the multipliers are not numbers
}

// sums are the sums that combine needs beside Σλ_i a_i.
type sums struct {
	offset float64 // −Σλ_i b_i
	err    float64 // rounding of one term, summed
	mass   float64 // Σλ_i
	n      float64 // number of terms
}

// include adds λ times row i to the combination.
func (p *Program) include(i int, lambda float64) {
	if lambda <= 0 {
		return
	}
	p.rows.addTo(p.g, lambda, i)
	b := p.rows.b[i]
	p.sums.offset -= lambda * b
	p.sums.err += lambda * (math.Abs(b)*precise.Roundoff + p.rows.err[i])
	p.sums.mass += lambda
	p.sums.n++
}

// largest returns the largest right-hand side of the active rows.
func (p *Program) largest() float64 {
	largest := 0.0
	p.method.multipliers(func(i int, lambda float64) {
		if lambda > 0 {
			largest = max(largest, math.Abs(p.rows.b[i]))
		}
	})
	return largest
}

// Ahead returns a certified lower bound on ‖u‖ over all u that satisfy the rows
// and a·u ≤ b as well, a of dual length 1: the bound that one step of the dual method from the
// current multipliers proves, or Bound if that is more. The program stays as it was. It costs one
// pass over the active rows.
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
	bound := p.proven(func(visit func(int, float64)) {
		p.method.stepped(r, step, visit)
	})
	return max(p.bound, bound)
}

// step goes on where the ratio test would stop, at a tied coordinate whose gradient
// reaches zero: that coordinate may change its sign. The bound at step s, −Σλb over
// ‖Σλa‖₁, is a linear function over a convex one that changes its slope only
// there, so it rises to a single top. Only a multiplier that reaches zero ends
// the way.
func (m *linf) step(r int) float64 {
	m.ahead = 0
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
			g := m.grad[j] + s*a
			length += math.Abs(g) / m.rows.Price(j, -g)
			if at := -m.grad[j] / a; at > s && at < next {
				next = at
			}
		}
		value := (start + s*slope) / length
		// from a little below, as perturbed costs make steps that gain very little
		if !m.rows.none() {
			value = m.confined(max(value, most*(1-waivable)), s, start+s*slope)
		}
		if !(value > most) {
			return best
		}
		best, most, m.ahead = s, value, value
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

// way returns −Σλb along the steps, start + s·slope, and where a multiplier reaches zero.
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
	if !m.rows.none() {
		if !m.taken {
			_ = m.solve() // which gives box the rows
		}
		m.rho = grow(m.rho, len(m.active))
		return m.box.Ahead(m.rows.row(r), m.rows.b[r], m.rho)
	}
	residual := m.split(m.rows.row(r))
	m.directions()
	_, partial := m.block()
	if residual > dependent {
		return min(partial, max(0, -m.rows.slack(r, m.u))/(residual*residual))
	}
	return partial
}
