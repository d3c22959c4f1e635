package closest

import (
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/precise"
)

// combinePriced is combine where there are prices. One coordinate may cost a million times as much
// as another: where a combination cancels in the cheap one, the remainder has to be that much
// smaller. So it is computed in twice the precision, from the rows as they were given.
func (p *Program) combinePriced(multipliers func(visit func(int, float64))) float64 {
	g := grow(p.doubled, p.d)
	p.doubled = g
	clear(g)
	var offset, size, n float64
	last := -1
	multipliers(func(i int, lambda float64) {
		if lambda <= 0 && i != last { // the second part of a multiplier may be negative
			return
		}
		last = i
		for j, a := range p.rows.original[i*p.d : (i+1)*p.d] {
			g[j].AddProduct(lambda, a)
		}
		offset -= lambda * p.rows.b[i]
		size += math.Abs(lambda * p.rows.b[i])
		offset -= math.Abs(lambda) * p.rows.err[i]
		n++
	})
	// The offset has n roundings and one of each term, the length d+2; sums of two numbers have
	// lost a fraction Roundoff² of their terms.
	const tiny = 0x1p-1000
	offset -= 2*precise.Roundoff*(n+4)*size + n*tiny
	lost := 4 * precise.Roundoff * precise.Roundoff * (n + 4) * (n + 4)
	if p.Rounded {
		lost += 2 * precise.Roundoff
	}
	for j := range g {
		p.g[j] = g[j].Value()
	}
	cost := &p.rows.Given
	length := cost.Support(p.g) * (1 + 2*precise.Roundoff*float64(p.d+8))
	for j := range g {
		p.g[j] = g[j].Size
	}
	length += lost*cost.SymmetricSupport(p.g) + tiny
	if bound := offset / length * (1 - 4*precise.Roundoff); bound > 0 && bound <= math.MaxFloat64 {
		return bound
	}
	return 0
}

// refinements is how often multipliers are corrected. Each time they gain the digits that the
// condition of the basis leaves.
const refinements = 3

// refined visits the multipliers that solve λᵀM = rho, each as the sum of two numbers, the larger
// one first: their combination is zero in a coordinate, or at the end of its interval, to many more
// digits than one number has. Those below 0 are left out.
func (v *vertex) refined(visit func(row int, lambda float64)) {
	target := append(v.target[:0], v.rho...)
	v.target = target
	v.basis.SolveT(v.rho)
	q, extra := len(v.active), len(v.active)-len(v.basic)
	v.low = zeros(v.low, q)
	for range refinements {
		v.rest = zeros(v.rest, q)
		for c, j := range v.basic {
			sum := precise.Doubled{High: target[extra+c]}
			for i, r := range v.active {
				a := v.rows.row(r)[j]
				sum.AddProduct(-v.rho[i], a)
				sum.AddProduct(-v.low[i], a)
			}
			v.rest[extra+c] = sum.Value()
		}
		v.basis.SolveT(v.rest)
		for i, e := range v.rest {
			v.rho[i], v.low[i] = precise.TwoSum(v.rho[i], v.low[i]+e)
		}
	}
	for i, r := range v.active {
		if v.rho[i] > 0 {
			visit(r, v.rho[i])
			visit(r, v.low[i])
		}
	}
}
