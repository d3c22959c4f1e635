package closest

import "math"

// dual is what all three methods have in common: the active rows and their
// multipliers.
type dual struct {
	rows   *rows
	active []int
	lambda []float64
	rho    []float64 // how λ falls as the entering multiplier grows
	failed int       // the row that contradicts the active ones, −1 if none
}

func (m *dual) reset() {
	m.active, m.lambda, m.failed = m.active[:0], m.lambda[:0], -1
}

// stepped visits the active rows with their multipliers after a step.
func (m *dual) stepped(step float64, visit func(row int, lambda float64)) {
	for i, r := range m.active {
		visit(r, after(m.lambda[i], m.rho[i], step))
	}
}

// after returns λ − step·ρ, in units of the step if that is infinite.
func after(lambda, rho, step float64) float64 {
	if math.IsInf(step, 1) {
		return -rho
	}
	return lambda - step*rho
}

// contradiction visits the multipliers that a failed repair ends with.
func (m *dual) contradiction(visit func(row int, lambda float64)) {
	m.stepped(math.Inf(1), visit)
	visit(m.failed, 1)
}

// grow returns v with length n, keeping its memory when that suffices.
func grow(v []float64, n int) []float64 {
	if cap(v) < n {
		return make([]float64, n, 2*n)
	}
	return v[:n]
}

// zeros returns n zeros, in the memory of v when that suffices.
func zeros(v []float64, n int) []float64 {
	return append(v[:0], make([]float64, n)...)
}
