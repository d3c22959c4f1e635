package closest

import (
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/precise"
)

// certify raises the bound to what the current multipliers prove.
func (p *Program) certify() {
	p.bound = max(p.bound, p.combination())
}

// Proves returns the lower bound that multipliers found by other means prove for
// the rows, 0 if none; lambda[i] belongs to row i divided by its length. Negative
// multipliers count as 0.
func (p *Program) Proves(lambda []float64) float64 {
	return p.combine(func(visit func(int, float64)) {
		for i, l := range lambda {
			visit(i, l)
		}
	})
}

// combination returns the bound that the current multipliers prove.
func (p *Program) combination() float64 { return p.combine(p.method.multipliers) }

// combine returns the distance from the origin to the half-space Σλ_i a_i·u ≤
// Σλ_i b_i, less what rounding may have added.
func (p *Program) combine(multipliers func(visit func(int, float64))) float64 {
	clear(p.g)
	p.sums = sums{}
	multipliers(p.visit)
	// Each of the n terms is rounded when multiplied and at every addition, and
	// dividing a row by its length has cost it d+1 roundings of its own.
	rounding := 2 * precise.Roundoff * (p.sums.n + float64(p.d) + 4)
	offset := p.sums.offset - 2*p.sums.err*(p.sums.n+4) - rounding*precise.Roundoff
	length := p.kind.dualLength(p.g) + rounding*p.sums.mass
	if bound := offset / length * (1 - 4*precise.Roundoff); bound > 0 && bound <= math.MaxFloat64 {
		return bound
	}
	return 0 // nothing is proved, or the multipliers are not numbers
}

// sums are what combine needs beside Σλ_i a_i.
type sums struct {
	offset float64 // −Σλ_i b_i
	err    float64 // what rounding has done to one term, summed
	mass   float64 // Σλ_i
	n      float64 // number of terms
}

// include adds λ times row i to the combination.
func (p *Program) include(i int, lambda float64) {
	if lambda <= 0 {
		return
	}
	for j, e := range p.rows.row(i) {
		p.g[j] += lambda * e
	}
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
