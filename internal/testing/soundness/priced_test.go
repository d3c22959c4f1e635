package soundness

import (
	"math"
	"math/big"
	"slices"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// unit is how far 1 goes, in a free coordinate, upwards and downwards.
type unit struct{ up, down *big.Rat }

// priceOf is the price of a move with a sign. One that nobody can pay is forbidden by the box, and
// may be any.
func priceOf(f attack.Feature, sign int) *big.Rat {
	price, other := f.Up, f.Down
	if sign < 0 {
		price, other = other, price
	}
	for _, p := range []float64{price, other} {
		if !math.IsInf(p, 1) {
			return rat(p)
		}
	}
	return big.NewRat(1, 1)
}

// price takes up what moves of the free coordinates cost.
func (f *frame) price(q *Query) {
	if q.Rules == nil {
		return
	}
	for _, j := range f.free {
		r := q.rule(j)
		f.units = append(f.units,
			unit{new(big.Rat).Inv(priceOf(r, 1)), new(big.Rat).Inv(priceOf(r, -1))})
	}
}

// priced returns rows in coordinates that all cost 1. In ℓ2 prices are the same both ways, and u_j
// = v_j/price. In the other norms each coordinate is the difference of two, u_j = v_j/up −
// w_j/down, neither of which is negative: to use both is never cheaper.
func (f *frame) priced(rows []row) (out []row, dim int) {
	n := len(f.free)
	dim = 2 * n
	if f.norm == polytope.L2 {
		dim = n
	}
	for _, r := range rows {
		a := make([]*big.Rat, dim)
		for j, e := range r.a {
			a[j] = new(big.Rat).SetInt(e)
			if dim > n {
				a[n+j] = new(big.Rat).Neg(a[j])
				a[n+j].Mul(a[n+j], f.units[j].down)
			}
			a[j].Mul(a[j], f.units[j].up)
		}
		out = append(out, whole(a, r.b, r.firm))
	}
	for j := range dim {
		if dim > n {
			a := slices.Repeat([]*big.Int{new(big.Int)}, dim)
			a[j] = big.NewInt(-1)
			out = append(out, row{a: a, b: new(big.Int), firm: true})
		}
	}
	return out, dim
}

// whole multiplies a row by what makes its coefficients integers.
func whole(a []*big.Rat, b *big.Int, firm bool) row {
	factor := big.NewInt(1)
	for _, e := range a {
		factor.Mul(factor,
			new(big.Int).Quo(e.Denom(), new(big.Int).GCD(nil, nil, factor, e.Denom())))
	}
	r := row{b: new(big.Int).Mul(b, factor), firm: firm}
	for _, e := range a {
		times := new(big.Int).Quo(factor, e.Denom())
		r.a = append(r.a, times.Mul(times, e.Num()))
	}
	return r
}
