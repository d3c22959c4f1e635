package oracle

import (
	"math"
	"math/big"
)

// Norm is the length in which distances are measured.
type Norm int

const (
	Inf Norm = iota // max |v_j|
	One             // Σ |v_j|
	Two             // √Σ v_j²
)

// Row is the half-space A·u ≤ B if it is Firm, and else A·u ≤ B − ε with an infinitesimal ε.
type Row struct {
	A    []*big.Int
	B    *big.Int
	Firm bool
}

// small is the coefficient of ε.
func (r *Row) small() int64 {
	if r.Firm {
		return 0
	}
	return -1
}

// RowOf multiplies a row by the number that makes its coefficients integers.
func RowOf(a []*big.Rat, b *big.Rat, firm bool) Row {
	factor := new(big.Int).Set(b.Denom())
	for _, e := range a {
		common := new(big.Int).GCD(nil, nil, factor, e.Denom())
		factor.Mul(factor, common.Quo(e.Denom(), common))
	}
	whole := func(v *big.Rat) *big.Int {
		times := new(big.Int).Quo(factor, v.Denom())
		return times.Mul(times, v.Num())
	}
	r := Row{B: whole(b), Firm: firm}
	for _, e := range a {
		r.A = append(r.A, whole(e))
	}
	return r
}

// side is the row sign·u_j ≤ end.
func side(dim, j int, sign int64, end *big.Rat) Row {
	a := rats(make([]float64, dim))
	a[j].SetInt64(sign)
	return RowOf(a, end, true)
}

// Price is the cost of a unit of a coordinate, up and down.
type Price struct{ Up, Down *big.Rat }

// Solver finds shortest vectors, one after another in the same memory.
type Solver struct {
	norm   Norm
	prices []Price
	lp     tableau
	active *euclid
}

// Nearest returns the length of the shortest u in all rows, in Two its square: nil if there is
// none, or none shorter than cutoff; nil is no cutoff. Prices, if there are any, multiply the
// coordinates; in Two they are the same both ways.
func (s *Solver) Nearest(
	norm Norm, rows []Row, dim int, prices []Price, cutoff *big.Rat,
) *big.Rat {
	s.norm, s.prices = norm, prices
	if prices != nil {
		rows, dim = s.priced(rows)
	}
	if norm == Two {
		s.active = &euclid{dim: dim, rows: rows}
		return s.active.nearest(cutoff)
	}
	return s.lp.nearest(norm, rows, dim, cutoff)
}

// priced returns rows in coordinates that all cost 1. In Two these are u_j = v_j/price. In the
// other norms each coordinate is the difference of two, u_j = v_j/up − w_j/down, neither of which
// is negative: to use both is never cheaper.
func (s *Solver) priced(rows []Row) (out []Row, dim int) {
	n := len(s.prices)
	dim = 2 * n
	if s.norm == Two {
		dim = n
	}
	for _, r := range rows {
		a := make([]*big.Rat, dim)
		for j, e := range r.A {
			a[j] = new(big.Rat).SetInt(e)
			if dim > n {
				a[n+j] = new(big.Rat).Neg(a[j])
				a[n+j].Quo(a[n+j], s.prices[j].Down)
			}
			a[j].Quo(a[j], s.prices[j].Up)
		}
		out = append(out, RowOf(a, new(big.Rat).SetInt(r.B), r.Firm))
	}
	if dim == n {
		return out, dim
	}
	for j := range dim {
		out = append(out, side(dim, j, -1, new(big.Rat)))
	}
	return out, dim
}

// Point returns the vector that Nearest found.
func (s *Solver) Point() []*big.Rat {
	var v []*big.Rat
	if s.norm == Two {
		v = s.active.point()
	} else {
		v = s.lp.point(s.norm)
	}
	for j, p := range s.prices {
		v[j].Quo(v[j], p.Up)
		if s.norm != Two {
			w := v[len(s.prices)+j]
			v[j].Sub(v[j], w.Quo(w, p.Down))
		}
	}
	if s.prices != nil {
		v = v[:len(s.prices)]
	}
	return v
}

// Float returns the length of which Nearest has returned what it does, rounded: +Inf for nil.
func Float(norm Norm, length *big.Rat) float64 {
	if length == nil {
		return math.Inf(1)
	}
	v, _ := length.Float64()
	if norm != Two {
		return v
	}
	root := new(big.Float).SetPrec(200).SetRat(length)
	v, _ = root.Sqrt(root).Float64()
	return v
}

// Dot writes Σ a_i·b_i to dst.
func Dot(dst *big.Int, a, b []*big.Int) *big.Int {
	var term big.Int
	dst.SetInt64(0)
	for i, e := range a {
		dst.Add(dst, term.Mul(e, b[i]))
	}
	return dst
}

// rat returns v exactly.
func rat(v float64) *big.Rat { return new(big.Rat).SetFloat64(v) }

// rats converts a vector.
func rats(v []float64) []*big.Rat {
	out := make([]*big.Rat, len(v))
	for i, e := range v {
		out[i] = rat(e)
	}
	return out
}

// rounded converts a vector back, nil to nil.
func rounded(v []*big.Rat) (out []float64) {
	for _, e := range v {
		f, _ := e.Float64()
		out = append(out, f)
	}
	return out
}
