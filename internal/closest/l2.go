package closest

import (
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// l2 is the dual active-set method of Goldfarb and Idnani for min ½‖u‖₂² subject
// to the rows, on a thin QR factorisation of the active rows: Aᵀ_active = Q·R
// with Q of orthonormal columns and R upper triangular.
type l2 struct {
	dual
	d      int
	q      []float64 // column i of Q at q[i*d:]
	r      []float64 // column i of R, i+1 entries, at r[i*(i+1)/2:]
	u      []float64
	h      []float64 // Qᵀa of the entering row
	h2     []float64
	z      []float64 // the part of it orthogonal to the active rows
	before []int     // the active rows when repair was called
	boxed
}

// dependent is the length, of a row of length 1, of the part orthogonal to the
// active rows below which the row counts as a combination of them.
const dependent = 1e-11

func (m *l2) reset(d int) {
	m.dual.reset()
	m.d, m.q, m.r = d, m.q[:0], m.r[:0]
	m.u, m.z = zeros(m.u, d), grow(m.z, d)
	m.boxed.taken = false
}

func (m *l2) column(i int) []float64 { return m.q[i*m.d : (i+1)*m.d] }
func (m *l2) upper(i int) []float64  { return m.r[i*(i+1)/2 : (i+1)*(i+2)/2] }

// repair is one iteration of the outer loop of the method: rows are dropped until
// a full step makes row r hold with equality.
func (m *l2) repair(r int) (bool, error) {
	if !m.rows.none() {
		return true, m.repairBoxed(r)
	}
	entering := 0.0
	m.before = append(m.before[:0], m.active...)
	for {
		residual := m.split(m.rows.row(r))
		m.directions()
		leave, partial := m.block()
		full := math.Inf(1)
		if residual > dependent {
			full = max(0, -m.rows.slack(r, m.u)) / (residual * residual)
		}
		if leave < 0 && math.IsInf(full, 1) {
			m.failed = r
			return false, nil
		}
		step := min(partial, full)
		entering += step
		for i, p := range m.rho {
			m.lambda[i] -= step * p
		}
		if residual > dependent {
			for j, e := range m.z {
				m.u[j] -= step * e
			}
		}
		if full <= partial {
			m.push(r, residual)
			m.lambda[len(m.lambda)-1] = entering
			return true, m.solveFactors()
		}
		m.drop(leave)
	}
}

// split sets h = Qᵀa and z = a − Q·h, orthogonalised twice, and returns ‖z‖.
func (m *l2) split(a []float64) float64 {
	q := len(m.active)
	m.h, m.h2 = grow(m.h, q), grow(m.h2, q)
	copy(m.z, a)
	m.project(m.h)
	m.project(m.h2)
	for i, e := range m.h2 {
		m.h[i] += e
	}
	return math.Sqrt(precise.Dot(m.z, m.z))
}

// project sets h = Qᵀz and takes Q·h out of z.
func (m *l2) project(h []float64) {
	for i := range h {
		h[i] = precise.Dot(m.column(i), m.z)
	}
	for i, e := range h {
		for j, q := range m.column(i) {
			m.z[j] -= e * q
		}
	}
}

// directions solves R·ρ = h: how the multipliers fall as that of the entering row grows.
func (m *l2) directions() {
	m.rho = append(m.rho[:0], m.h...)
	m.backward(m.rho)
}

// backward overwrites v with the solution of R·y = v.
func (m *l2) backward(v []float64) {
	for i := len(v) - 1; i >= 0; i-- {
		col := m.upper(i)
		v[i] /= col[i]
		for k, e := range col[:i] {
			v[k] -= v[i] * e
		}
	}
}

// forward overwrites v with the solution of Rᵀ·y = v.
func (m *l2) forward(v []float64) {
	for i := range v {
		col := m.upper(i)
		v[i] = (v[i] - precise.Dot(col[:i], v[:i])) / col[i]
	}
}

// block returns the active row whose multiplier reaches zero first, and the step there.
func (m *l2) block() (leave int, step float64) {
	leave, step = -1, math.Inf(1)
	tiny := negligible * (1 + precise.SumAbs(m.rho))
	for i, p := range m.rho {
		if p <= tiny {
			continue
		}
		if s := max(0, m.lambda[i]) / p; s < step {
			leave, step = i, s
		}
	}
	return leave, step
}

// push appends row r with the split of its normal that split left in h and z.
func (m *l2) push(r int, residual float64) {
	m.active = append(m.active, r)
	m.lambda = append(m.lambda, 0)
	for _, e := range m.z {
		m.q = append(m.q, e/residual)
	}
	m.r = append(append(m.r, m.h...), residual)
}

// drop deletes active row i and restores the triangle by plane rotations.
func (m *l2) drop(i int) {
	last := len(m.active) - 1
	for k := i; k < last; k++ {
		next := m.upper(k + 1)
		c, s := rotation(next[k], next[k+1])
		m.rotate(k, c, s)
		copy(m.upper(k), next[:k+1])
		m.active[k], m.lambda[k] = m.active[k+1], m.lambda[k+1]
	}
	m.active, m.lambda = m.active[:last], m.lambda[:last]
	m.q, m.r = m.q[:last*m.d], m.r[:last*(last+1)/2]
}

// rotate turns rows k and k+1 of the columns of R behind k, and columns k and k+1 of Q.
func (m *l2) rotate(k int, c, s float64) {
	for j := k + 1; j < len(m.active); j++ {
		col := m.upper(j)
		col[k], col[k+1] = c*col[k]+s*col[k+1], c*col[k+1]-s*col[k]
	}
	a, b := m.column(k), m.column(k+1)
	for j, e := range a {
		a[j], b[j] = c*e+s*b[j], c*b[j]-s*e
	}
}

// rotation returns the cosine and sine that turn (x, y) to (√(x²+y²), 0).
func rotation(x, y float64) (c, s float64) {
	l := math.Hypot(x, y)
	if l == 0 {
		return 1, 0
	}
	return x / l, y / l
}

// solve computes the point that belongs to the active rows.
func (m *l2) solve() error {
	if m.rows.none() {
		return m.solveFactors()
	}
	m.take()
	m.box.Place()
	copy(m.u, m.box.U)
	return nil
}

// solveFactors recomputes the point and the multipliers from the factors, so that the
// updates leave no error behind: u = Q·R⁻ᵀb and R·λ = −R⁻ᵀb.
func (m *l2) solveFactors() error {
	m.rho = grow(m.rho, len(m.active))
	for i, r := range m.active {
		m.rho[i] = m.rows.b[r]
	}
	m.forward(m.rho)
	clear(m.u)
	for i, e := range m.rho {
		for j, q := range m.column(i) {
			m.u[j] += e * q
		}
	}
	for i, e := range m.rho {
		m.lambda[i] = -e
	}
	m.backward(m.lambda)
	if !precise.Finite(precise.SumAbs(m.lambda)) {
		return polytope.ErrNumerical
	}
	return nil
}

// forget puts the active rows back that a failed repair dropped.
func (m *l2) forget() {
	if m.failed >= 0 {
		m.rebuild()
	}
}

// rebuild makes the rows active that were so before.
func (m *l2) rebuild() {
	m.dual.reset()
	m.q, m.r = m.q[:0], m.r[:0]
	for _, r := range m.before {
		m.push(r, m.split(m.rows.row(r)))
	}
	// The rows were independent before, so the factors exist.
	_ = m.solveFactors()
}

func (m *l2) point(u []float64) { copy(u, m.u) }

func (m *l2) multipliers(visit func(int, float64)) {
	if m.failed >= 0 {
		m.contradiction(visit)
		return
	}
	m.stepped(-1, 0, visit)
}
