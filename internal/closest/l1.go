package closest

import (
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// l1 is the dual simplex for min Σ|u_j| subject to the rows.
//
// A vertex has q active rows and q coordinates off zero, the basic ones, which
// solve M·u_basic = b_active. The multipliers solve λᵀM = −σ, where σ_j, in sign,
// is the sign that the basic coordinate j must have, 0 for any other, and the
// gradient g_j = Σλ_i a_ij of every other coordinate lies in [−1, 1].
type l1 struct {
	vertex
}

func (m *l1) repair(r int) (bool, error) {
	if ok, err := m.enterRow(r); !ok || err != nil {
		return ok, err
	}
	// A basic coordinate that has crossed zero goes back to it, or changes sign for good.
	for range 50 * (len(m.sign) + 20) {
		k := m.crossed()
		if k < 0 {
			return true, nil
		}
		if err := m.release(k); err != nil {
			return false, err
		}
	}
	return false, polytope.ErrNumerical
}

// weight is the perturbed cost of |u_j| in a direction.
func (m *l1) weight(j int, direction float64) float64 {
	return m.rows.Price(j, direction) + m.costs[j]
}

// solve factorises the basis and computes the point and the multipliers.
func (m *l1) solve() error {
	m.begin()
	if !m.build(0, func(int, []float64) {}) {
		return polytope.ErrNumerical
	}
	m.basis.Solve(m.primal)
	for c, j := range m.basic {
		m.lambda[c] = -m.sign[j] * m.weight(j, m.sign[j])
	}
	m.basis.SolveT(m.lambda)
	return nil
}

// crossed returns the position among the basic coordinates of the one farthest on
// the wrong side of zero, −1 when none is.
func (m *l1) crossed() int {
	sum := 0.0
	for c, j := range m.basic {
		sum += math.Abs(m.primal[c]) * m.rows.Price(j, m.primal[c])
	}
	worst, most := -1, feasibility*sum
	for c, j := range m.basic {
		if v := -m.sign[j] * m.primal[c] * m.rows.Price(j, m.primal[c]); v > most {
			worst, most = c, v
		}
	}
	return worst
}

// enterRow makes the violated row r active.
func (m *l1) enterRow(r int) (bool, error) {
	m.entering(r)
	leave, enter, _ := m.ratio()
	switch {
	case enter >= 0:
		m.sign[enter] = -math.Copysign(1, m.alpha[enter])
		m.active = append(m.active, r)
		m.basic = append(m.basic, enter)
	case leave >= 0:
		m.active[leave] = r
	default:
		m.failed = r
		return false, nil
	}
	return true, m.solve()
}

// release takes the k-th basic coordinate, which has the wrong sign, out of the
// basis, unless its own gradient reaches the other end of [−1, 1] first: then it
// stays, with the other sign.
func (m *l1) release(k int) error {
	j := m.basic[k]
	m.rho = grow(m.rho, len(m.active))
	clear(m.rho)
	m.rho[k] = -m.sign[j]
	clear(m.alpha)
	leave, enter, step := m.ratio()
	if step >= m.weight(j, 1)+m.weight(j, -1) {
		m.sign[j] = -m.sign[j]
		return m.solve()
	}
	if enter < 0 && leave < 0 {
		return polytope.ErrNumerical
	}
	m.sign[j] = 0
	if enter >= 0 {
		m.sign[enter] = -math.Copysign(1, m.alpha[enter])
		m.basic[k] = enter
	} else {
		m.basic = slices.Delete(m.basic, k, k+1)
		m.active = slices.Delete(m.active, leave, leave+1)
	}
	return m.solve()
}

// entering writes to rho and alpha the row that is to enter, in terms of the basis.
func (m *l1) entering(r int) {
	row := m.rows.row(r)
	m.rho = grow(m.rho, len(m.active))
	for c, j := range m.basic {
		m.rho[c] = row[j]
	}
	copy(m.alpha, row)
}

// ratio computes how the multipliers and gradients change with the multiplier of the row that rho
// and alpha hold, and is the ratio test: which multiplier reaches zero first, or which gradient of
// a coordinate at zero ±1.
func (m *l1) ratio() (leave, enter int, limit float64) {
	m.basis.SolveT(m.rho)
	clear(m.grad)
	m.gradients()
	m.approach()
	tiny := negligible * (1 + precise.SumAbs(m.rho))
	clear(m.rate)
	for j, s := range m.sign {
		if p := math.Abs(m.alpha[j]); s == 0 && p > tiny {
			m.rate[j], m.allowance[j] = p, max(0,
				m.weight(j, -m.alpha[j])-math.Copysign(1, m.alpha[j])*m.grad[j])
		}
	}
	return m.first(tiny, tiny)
}

func (m *l1) point(u []float64) {
	clear(u)
	for c, j := range m.basic {
		u[j] = m.primal[c]
	}
}

func (m *l1) multipliers(visit func(int, float64)) {
	if m.failed >= 0 {
		m.contradiction(visit)
		return
	}
	m.rho = grow(m.rho, len(m.active))
	for c, j := range m.basic {
		m.rho[c] = -m.sign[j] * m.rows.Price(j, m.sign[j])
	}
	m.unperturbed(visit)
}
