package closest

import (
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/closest/lu"
)

// dual is the common part of all three methods: the active rows and their multipliers.
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

// stepped visits the active rows, and row r, with their multipliers after a step.
func (m *dual) stepped(r int, step float64, visit func(row int, lambda float64)) {
	for i, a := range m.active {
		visit(a, after(m.lambda[i], m.rho[i], step))
	}
	visit(r, after(0, -1, step))
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
	m.stepped(m.failed, math.Inf(1), visit)
}

// vertex is the state that both simplex methods share: beside the active rows the
// coordinates that these determine, and the factorised basis between them.
type vertex struct {
	dual
	// of each coordinate, perhaps in units; each method defines them
	sign  []float64
	basic []int // coordinates that the active rows determine
	basis lu.Matrix
	// of each coordinate among the basic ones, from 1, while a basis is built
	places []int32
	primal []float64
	alpha  []float64 // how the gradient grows with the entering multiplier
	grad   []float64 // Σλ_i a_ij
	// how fast each coordinate nears the end of its gradient's range
	rate              []float64
	allowance         []float64 // how far it is from there, where the rate is more than rounding
	graded            bool      // grad is that of the multipliers
	costs             []float64 // the perturbation of each coordinate
	priced            bool      // in prices
	target, low, rest []float64 // see refined
}

func (v *vertex) reset(d int) {
	v.sign = zeros(v.sign, d)
	v.alpha, v.grad = zeros(v.alpha, d), zeros(v.grad, d)
	v.rate, v.allowance = zeros(v.rate, d), zeros(v.allowance, d)
	v.dual.reset()
	v.basic, v.primal = v.basic[:0], v.primal[:0]
	v.basis.Reset(0)
	v.places = append(v.places[:0], make([]int32, d)...)
	v.graded = false
	if v.rows.Prices != nil || v.priced {
		v.costs, v.priced = v.costs[:0], v.rows.Prices != nil
	}
	for j := len(v.costs); j < d; j++ {
		v.costs = append(v.costs, perturbation(j)*min(v.rows.Price(j, 1), v.rows.Price(j, -1)))
	}
}

// begin makes primal the right-hand sides of the active rows.
func (v *vertex) begin() {
	v.primal, v.lambda = v.primal[:0], grow(v.lambda, len(v.active))
	for _, r := range v.active {
		v.primal = append(v.primal, v.rows.b[r])
	}
}

// build fills the matrix of the basis: before the entries of the basic coordinates, extra
// ones of each row.
func (v *vertex) build(extra int, entries func(r int, entries []float64)) bool {
	v.basis.Reset(len(v.active))
	sides := 0
	for _, r := range v.active {
		if v.rows.one[r] >= 0 {
			sides++
		}
	}
	if sides >= fewFaces {
		for c, j := range v.basic {
			v.places[j] = int32(c + 1)
		}
		defer func() {
			for _, j := range v.basic {
				v.places[j] = 0
			}
		}()
	}
	for _, r := range v.active {
		if j := v.rows.one[r]; j >= 0 && v.places[j] > 0 {
			if !v.basis.Single(extra+int(v.places[j])-1, v.rows.number(r)) {
				return false
			}
			continue
		}
		a := v.basis.Row()
		entries(r, a[:extra])
		row := v.rows.row(r)
		for c, j := range v.basic {
			a[extra+c] = row[j]
		}
	}
	return v.basis.Factor()
}

// fewFaces is how many faces of a box are not worth the trouble.
const fewFaces = 8

// forget takes back a failed repair, which has changed no more than failed.
func (v *vertex) forget() { v.failed = -1 }

// gradients adds Σλ_i a_i to grad.
func (v *vertex) gradients() {
	for i, r := range v.active {
		v.rows.addTo(v.grad, v.lambda[i], r)
	}
}

// approach takes Σρ_i a_i from alpha.
func (v *vertex) approach() {
	for i, r := range v.active {
		v.rows.addTo(v.alpha, -v.rho[i], r)
	}
}

// unperturbed visits the multipliers that solve λᵀM = rho.
func (v *vertex) unperturbed(visit func(row int, lambda float64)) {
	if v.rows.Prices != nil {
		v.refined(visit)
		return
	}
	v.basis.SolveT(v.rho)
	for i, r := range v.active {
		visit(r, v.rho[i])
	}
}

// slackStep is how far a multiplier may be driven below zero for the sake of a
// larger pivot (Harris' ratio test): less than the perturbation that breaks ties.
const slackStep = 1e-15

// first returns which of the active rows, by its multiplier, or the coordinates, by
// its gradient, is the first to have no room left, and the step up to there. A rate
// up to tiny, or tinyRate of a coordinate, never gets there. Of near-ties the largest rate wins,
// the largest pivot.
func (v *vertex) first(tiny, tinyRate float64) (leave, enter int, limit float64) {
	limit = math.Inf(1)
	for i, p := range v.rho {
		if p > tiny {
			limit = min(limit, (max(0, v.lambda[i])+slackStep)/p)
		}
	}
	allowance := v.allowance[:len(v.rate)]
	for j, p := range v.rate {
		if p > tinyRate {
			limit = min(limit, (allowance[j]+slackStep)/p)
		}
	}
	leave, enter = -1, -1
	most := 0.0
	for i, p := range v.rho {
		if p > tiny && p > most && max(0, v.lambda[i])/p <= limit {
			leave, most = i, p
		}
	}
	for j, p := range v.rate {
		if p > tinyRate && p > most && allowance[j]/p <= limit {
			leave, enter, most = -1, j, p
		}
	}
	return leave, enter, limit
}

// grow returns v with length n, keeping its memory when that suffices.
func grow[E any](v []E, n int) []E {
	if cap(v) < n {
		return make([]E, n, 2*n)
	}
	return v[:n]
}

// zeros returns n zeros, in the memory of v when that suffices.
func zeros(v []float64, n int) []float64 {
	return append(v[:0], make([]float64, n)...)
}
