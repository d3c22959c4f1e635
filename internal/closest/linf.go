package closest

import "math"

// linf is the dual simplex for min t subject to the rows and −t ≤ u_j ≤ t.
//
// A vertex has q active rows; q−1 coordinates are free, the basic ones, and all
// others tied: u_j = s_j·t, with sign s_j, 0 for a free one. The unknowns (t,
// u_free), in primal, solve M·(t, u_free) = b_active, where column 0 of M is
// Σ_tied s_j a_ij. The multipliers solve λᵀM = −(1, 0, …, 0), and the gradient
// g_j = Σλ_i a_ij of a tied coordinate has the sign of −s_j.
type linf struct {
	vertex
}

func (m *linf) repair(r int) (bool, error) {
	if len(m.active) == 0 {
		return m.first(r)
	}
	if ok, err := m.pivot(r, -1); !ok || err != nil {
		return ok, err
	}
	// A free coordinate that has outgrown t is tied again.
	for range 50 * (len(m.sign) + 20) {
		k := m.outgrown()
		if k < 0 {
			return true, nil
		}
		if ok, err := m.pivot(-1, k); err != nil {
			return false, err
		} else if !ok {
			return false, ErrNumerical
		}
	}
	return false, ErrNumerical
}

// first solves the problem of one row in closed form.
func (m *linf) first(r int) (bool, error) {
	a := m.rows.row(r)
	if maxAbs(a) == 0 {
		m.failed = r
		return false, nil
	}
	for j, e := range a {
		if e == 0 {
			e = perturbation(j)
		}
		m.sign[j] = -math.Copysign(1, e)
	}
	m.active = append(m.active, r)
	return true, m.solve()
}

// solve factorises the basis and computes the point and the multipliers.
func (m *linf) solve() error {
	q := len(m.active)
	a := m.basis.resize(q)
	m.primal, m.lambda = grow(m.primal, q), grow(m.lambda, q)
	for i, r := range m.active {
		row := m.rows.row(r)
		a[i*q] = dot(row, m.sign)
		for c, j := range m.basic {
			a[i*q+1+c] = row[j]
		}
		m.primal[i] = m.rows.b[r]
	}
	if !m.basis.factor() {
		return ErrNumerical
	}
	m.basis.solve(m.primal)
	m.lambda[0] = -1
	for j, s := range m.sign {
		m.lambda[0] -= s * perturbation(j)
	}
	for c, j := range m.basic {
		m.lambda[1+c] = -perturbation(j)
	}
	m.basis.solveT(m.lambda)
	return nil
}

// outgrown returns the position among the free coordinates of the one that
// exceeds t most, −1 when none does.
func (m *linf) outgrown() int {
	t := m.primal[0]
	worst, most := -1, t+feasibility*math.Abs(t)
	for c, u := range m.primal[1:] {
		if a := math.Abs(u); a > most {
			worst, most = c, a
		}
	}
	return worst
}

// pivot lets row r enter or, when r < 0, ties the k-th free coordinate, and takes
// out whatever blocks the dual step first. It returns false when nothing does.
func (m *linf) pivot(r, k int) (bool, error) {
	q := len(m.active)
	m.rho = grow(m.rho, q)
	clear(m.alpha)
	tied := 0.0
	if r >= 0 {
		m.entering(r)
	} else {
		tied = math.Copysign(1, m.primal[1+k])
		clear(m.rho)
		m.rho[0], m.rho[1+k] = -1, tied
	}
	leave, enter, _ := m.ratio()
	switch {
	case leave < 0 && enter < 0:
		m.failed = r
		return false, nil
	case r >= 0 && enter >= 0:
		m.active = append(m.active, r)
		m.basic = append(m.basic, enter)
		m.sign[enter] = 0
	case r >= 0:
		m.active[leave] = r
	case enter >= 0:
		m.sign[m.basic[k]] = tied
		m.basic[k] = enter
		m.sign[enter] = 0
	default:
		m.sign[m.basic[k]] = tied
		m.basic = remove(m.basic, k)
		m.active = remove(m.active, leave)
	}
	return true, m.solve()
}

// entering writes to rho and alpha the row that is to enter, in terms of the basis.
func (m *linf) entering(r int) {
	row := m.rows.row(r)
	m.rho[0] = dot(row, m.sign)
	for c, j := range m.basic {
		m.rho[1+c] = row[j]
	}
	copy(m.alpha, row)
}

// ratio computes how the multipliers and gradients change with the multiplier of
// what rho and alpha hold, and is the ratio test: the active row whose multiplier,
// or the tied coordinate whose gradient, reaches zero first, and the step there.
// Of near-ties the largest pivot wins.
func (m *linf) ratio() (leave, enter int, limit float64) {
	m.basis.solveT(m.rho)
	for j := range m.grad {
		m.grad[j] = perturbation(j)
	}
	m.gradients()
	tiny := negligible * (1 + sumAbs(m.rho))
	limit = math.Inf(1)
	for i, p := range m.rho {
		if p > tiny {
			limit = min(limit, (max(0, m.lambda[i])+slackStep)/p)
		}
	}
	for j, s := range m.sign {
		if p := s * m.alpha[j]; p > tiny {
			limit = min(limit, (max(0, -s*m.grad[j])+slackStep)/p)
		}
	}
	leave, enter = -1, -1
	most := 0.0
	for i, p := range m.rho {
		if p > tiny && p > most && max(0, m.lambda[i])/p <= limit {
			leave, most = i, p
		}
	}
	for j, s := range m.sign {
		if p := s * m.alpha[j]; p > tiny && p > most && max(0, -s*m.grad[j])/p <= limit {
			leave, enter, most = -1, j, p
		}
	}
	return leave, enter, limit
}

// slackStep is how far a multiplier may be driven below zero for the sake of a
// larger pivot (Harris' ratio test): less than the perturbation that breaks ties.
const slackStep = 1e-15

func (m *linf) point(u []float64) {
	t := m.primal[0]
	for j, s := range m.sign {
		u[j] = s * t
	}
	for c, j := range m.basic {
		u[j] = m.primal[1+c]
	}
}

func (m *linf) multipliers(visit func(int, float64)) {
	if m.failed >= 0 {
		m.contradiction(visit)
		return
	}
	if len(m.active) == 0 {
		return
	}
	m.rho = grow(m.rho, len(m.active))
	clear(m.rho)
	m.rho[0] = -1
	m.unperturbed(visit)
}

// grow returns v with length n, keeping its memory when that suffices.
func grow(v []float64, n int) []float64 {
	if cap(v) < n {
		return make([]float64, n, 2*n)
	}
	return v[:n]
}

// remove deletes v[i] and keeps the order of the rest.
func remove(v []int, i int) []int {
	return append(v[:i], v[i+1:]...)
}
