package closest

import (
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// linf is the dual simplex for min t subject to the rows and −t ≤ u_j ≤ t.
//
// A vertex has q active rows; q−1 coordinates are free, the basic ones, and all
// others tied: u_j = s_j·t, with sign s_j, 0 for a free one. The unknowns (t,
// u_free), in primal, solve M·(t, u_free) = b_active, where column 0 of M is
// Σ_tied s_j a_ij. The multipliers solve λᵀM = −(1, 0, …, 0), and the gradient
// g_j = Σλ_i a_ij of a tied coordinate has the sign of −s_j. Where a direction has a price
// s_j is the move that a cost of 1 pays for in it.
type linf struct {
	vertex
	stopped
}

// unit returns s_j of a sign.
func (m *linf) unit(j int, sign float64) float64 { return sign / m.rows.Price(j, sign) }

func (m *linf) repair(r int) (bool, error) {
	switch {
	case len(m.active) == 0:
		if ok, err := m.single(r); !ok || err != nil {
			return ok, err
		}
	case m.rows.isFace(r): // where coordinates stop below
	default:
		if ok, err := m.pivot(r, -1); !ok || err != nil {
			return ok, err
		}
	}
	// A free coordinate that has outgrown t, or passed its face, is tied or stopped again.
	for range 50 * (len(m.sign) + 20) {
		if stops, err := m.stop(); err != nil {
			return false, err
		} else if stops {
			continue
		}
		k := m.outgrown()
		if k < 0 {
			return true, nil
		}
		if ok, err := m.pivot(-1, k); err != nil {
			return false, err
		} else if !ok {
			return false, polytope.ErrNumerical
		}
	}
	return false, polytope.ErrNumerical
}

// single solves the problem of one row in closed form.
func (m *linf) single(r int) (bool, error) {
	a := m.rows.row(r)
	if precise.MaxAbs(a) == 0 {
		m.failed = r
		return false, nil
	}
	for j, e := range a {
		if e == 0 {
			e = m.costs[j]
		}
		m.sign[j] = m.unit(j, -math.Copysign(1, e))
	}
	m.active = append(m.active, r)
	return true, m.solve()
}

// solve factorises the basis and computes the point and the multipliers.
func (m *linf) solve() error {
	m.begin()
	for i, r := range m.active {
		if m.stops > 0 {
			m.primal[i] -= m.rows.dot(r, m.at)
		}
	}
	if !m.build(1, func(r int, entries []float64) { entries[0] = m.rows.dot(r, m.sign) }) {
		return polytope.ErrNumerical
	}
	m.basis.Solve(m.primal)
	m.lambda[0] = -1
	for j, s := range m.sign {
		m.lambda[0] -= s * m.costs[j]
	}
	for c, j := range m.basic {
		m.lambda[1+c] = -m.costs[j]
	}
	m.basis.SolveT(m.lambda)
	m.graded = false
	return nil
}

// outgrown returns the position among the free coordinates of the one that
// exceeds t most, −1 when none does.
func (m *linf) outgrown() int {
	t := m.primal[0]
	worst, most := -1, t+feasibility*math.Abs(t)
	for c, u := range m.primal[1:] {
		a := math.Abs(u) * m.rows.Price(m.basic[c], u)
		if allowance := m.rows.till(m.basic[c], u); allowance < t {
			a += t - allowance
		}
		if a > most {
			worst, most = c, a
		}
	}
	return worst
}

// pivot lets row r enter or, when r < 0, ties the k-th free coordinate, and takes out the row that
// blocks the dual step first. It returns false when no row does.
func (m *linf) pivot(r, k int) (bool, error) {
	q := len(m.active)
	m.rho = grow(m.rho, q)
	clear(m.alpha)
	if r >= 0 {
		m.entering(r)
	} else {
		m.fixing(k)
	}
	leave, enter, _ := m.ratio()
	switch {
	case leave < 0 && enter < 0:
		m.failed = r
		return false, nil
	case r >= 0 && enter >= 0:
		m.active = append(m.active, r)
		m.basic = append(m.basic, enter)
		m.release(enter)
	case r >= 0:
		m.active[leave] = r
	case enter >= 0:
		m.fix(k)
		m.basic[k] = enter
		m.release(enter)
	default:
		m.fix(k)
		m.basic = slices.Delete(m.basic, k, k+1)
		m.active = slices.Delete(m.active, leave, leave+1)
	}
	return true, m.solve()
}

// fixing writes to rho the row that ties the k-th free coordinate, or stops it.
func (m *linf) fixing(k int) {
	clear(m.rho)
	u := m.primal[1+k]
	m.rho[0], m.rho[1+k] = -1, 1/m.unit(m.basic[k], math.Copysign(1, u))
	if m.rows.till(m.basic[k], u) < m.primal[0] {
		m.rho[0] = 0
	}
}

// fix ties the k-th free coordinate, or stops it.
func (m *linf) fix(k int) {
	j, u := m.basic[k], m.primal[1+k]
	m.sign[j] = m.unit(j, math.Copysign(1, u))
	if m.rows.till(j, u) < m.primal[0] {
		m.halt(j)
	}
}

// entering writes to rho and alpha the row that is to enter, in terms of the basis.
func (m *linf) entering(r int) {
	row := m.rows.row(r)
	m.rho[0] = m.rows.dot(r, m.sign)
	for c, j := range m.basic {
		m.rho[1+c] = row[j]
	}
	copy(m.alpha, row)
}

// ratio computes how the multipliers and gradients change with the multiplier of the row that rho
// and alpha hold, and is the ratio test: which of them reaches zero first.
func (m *linf) ratio() (leave, enter int, limit float64) {
	m.basis.SolveT(m.rho)
	m.grade()
	m.approach()
	if m.rows.Prices != nil {
		return m.pricedRatio()
	}
	tiny := negligible * (1 + precise.SumAbs(m.rho))
	d := len(m.sign)
	alpha, grad, rate, allowance := m.alpha[:d], m.grad[:d], m.rate[:d], m.allowance[:d]
	for j, s := range m.sign {
		if m.stops > 0 {
			s += m.toward[j]
		}
		if rate[j] = s * alpha[j]; rate[j] > tiny {
			allowance[j] = max(0, -s*grad[j])
		}
	}
	return m.first(tiny, tiny)
}

// grade computes the gradients, which are the same for all rows that are looked at from here.
func (m *linf) grade() {
	if !m.graded {
		copy(m.grad, m.costs)
		m.gradients()
		m.graded = true
	}
}

// pricedRatio is the rest of ratio where t pays for much of one coordinate and little of another,
// so that rho has numbers of any size: the terms of a coordinate's rate decide which of its digits
// count as rounding.
func (m *linf) pricedRatio() (leave, enter int, limit float64) {
	for j, s := range m.sign {
		m.rate[j] = 0
		if s == 0 {
			continue
		}
		size := math.Abs(m.alpha[j])
		for i, r := range m.active {
			size += math.Abs(m.rho[i] * m.rows.row(r)[j])
		}
		s = math.Copysign(1, s)
		if rate := s * m.alpha[j]; rate > negligible*size {
			m.rate[j], m.allowance[j] = rate, max(0, -s*m.grad[j])
		}
	}
	return m.first(feasibility*(1+precise.SumAbs(m.rho))/100, 0)
}

func (m *linf) point(u []float64) {
	t := 0.0 // without a row that is active
	if len(m.primal) > 0 {
		t = m.primal[0]
	}
	for j, s := range m.sign {
		u[j] = float64(s*t) + m.at[j]
	}
	for c, j := range m.basic {
		u[j] = m.primal[1+c]
	}
}

func (m *linf) multipliers(visit func(int, float64)) {
	visiting := m.rows.summing(visit)
	switch {
	case m.failed >= 0:
		m.level = math.Inf(1)
		m.contradiction(visiting)
	case len(m.active) > 0:
		m.rho = grow(m.rho, len(m.active))
		clear(m.rho)
		m.rho[0] = -1
		m.level = m.primal[0]
		m.unperturbed(visiting)
	}
	m.visitFaces(visit)
}
