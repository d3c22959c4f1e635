package closest

import (
	"errors"
	"math"
)

// errFaces is returned where the faces of a box had better be rows like others.
var errFaces = errors.New("no room between faces")

const (
	// confinedSteps is how often a bound is raised by the faces that it passes.
	confinedSteps = 8
	// mostGrowth is how much t may grow by that: more looks as if the rows contradicted each other.
	mostGrowth = 1e9
)

// stopped are the coordinates that have arrived at a face of the box in ℓ∞, where they are neither
// free nor tied.
type stopped struct {
	toward []float64 // the direction in which each coordinate has stopped, 0 if it has not
	at     []float64 // where
	stops  int       // how many have
	level  float64   // a coordinate with a face before it has a multiplier there
	ahead  float64   // the level that step has found
}

func (m *linf) reset(d int) {
	m.vertex.reset(d)
	m.toward, m.at, m.stops = zeros(m.toward, d), zeros(m.at, d), 0
}

// halt stops a tied coordinate.
func (m *linf) halt(j int) {
	m.toward[j], m.at[j] = m.sign[j], m.sign[j]*m.rows.till(j, m.sign[j])
	m.sign[j] = 0
	m.stops++
}

// release makes a coordinate free.
func (m *linf) release(j int) {
	m.sign[j] = 0
	if m.toward[j] != 0 {
		m.toward[j], m.at[j] = 0, 0
		m.stops--
	}
}

// stop stops the tied coordinates whose faces t has passed, and reports whether there are any. The
// multipliers of the rows stay in proportion, so it is found first how far t grows when all of
// these stop, and the basis is factorised once.
func (m *linf) stop() (bool, error) {
	if m.rows.none() {
		return false, nil
	}
	m.grade()
	need := 0.0
	for i, r := range m.active {
		need -= m.lambda[i] * m.rows.b[r]
	}
	t, before := m.confined(m.primal[0], 0, need), m.stops
	if !(t <= mostGrowth*m.primal[0]) {
		return false, errFaces
	}
	for j, s := range m.sign {
		if s != 0 && m.rows.till(j, s) < t {
			m.halt(j)
		}
	}
	if m.stops == before {
		return false, nil
	}
	return true, m.solve()
}

// confined returns the bound, from a lower one on, at which coordinates within the box gain as much
// as the rows need, with the multipliers after a step. Newton's method comes from below.
func (m *linf) confined(t, step, need float64) float64 {
	grad, up, down := m.grad[:len(m.alpha)], m.rows.allowance[0][:len(
		m.alpha,
	)], m.rows.allowance[1][:len(
		m.alpha,
	)]
	for range confinedSteps {
		gain, rest := 0.0, 0.0
		for j, a := range m.alpha {
			g, allowance := grad[j]+step*a, down[j]
			if g < 0 {
				g, allowance = -g, up[j]
			}
			if allowance < t {
				gain += g * allowance
			} else {
				rest += g
			}
		}
		next := (need - gain) / rest
		if !(next > t*(1+feasibility)) {
			break
		}
		t = next
	}
	return t
}

func (m *linf) stepped(r int, step float64, visit func(row int, lambda float64)) {
	m.level = m.ahead
	m.dual.stepped(r, step, m.rows.summing(visit))
	m.visitFaces(visit)
}

// visitFaces visits the faces before the level.
func (m *linf) visitFaces(visit func(row int, lambda float64)) {
	for j, g := range m.rows.sum {
		if m.rows.till(j, -g) < m.level {
			visit(int(m.rows.by[way(-g)][j]), math.Abs(g))
		}
	}
}

func (m *linf) save() Basis {
	b := m.vertex.save()
	for j, s := range m.toward {
		b.sign[j] += int8(2 * s)
	}
	return b
}
