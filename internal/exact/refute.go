package exact

import (
	"math"
	"math/big"
)

// Inequality is A·z ≤ B with a weight ≥ 0 that somebody's multipliers give it.
type Inequality struct {
	A      []float64
	B      *big.Rat
	Weight float64
}

// Refuted reports whether the inequalities provably hold at no point of the box
// from lo to hi, whose sides may be infinite: because their weighted sum does not
// or, if they are few, because they contradict each other at all.
//
// Weights found in floating point do as they are: any are valid, and the box takes
// up what rounding has left of a sum that should vanish.
func Refuted(rows []Inequality, lo, hi []float64) bool {
	return refutedBySum(rows, lo, hi) || refutedBySystem(rows, lo, hi)
}

// refutedBySum reports whether Σw·A·z > Σw·B all over the box.
func refutedBySum(rows []Inequality, lo, hi []float64) bool {
	g := make([]*big.Rat, len(lo))
	for j := range g {
		g[j] = new(big.Rat)
	}
	least, term := new(big.Rat), new(big.Rat)
	for _, r := range rows {
		if !(r.Weight > 0 && r.Weight <= math.MaxFloat64) {
			continue
		}
		w := Float(r.Weight)
		for j, a := range r.A {
			if a != 0 {
				g[j].Add(g[j], term.Mul(w, Float(a)))
			}
		}
		least.Sub(least, term.Mul(w, r.B))
	}
	for j, e := range g {
		side := lo[j]
		switch e.Sign() {
		case 0:
			continue
		case -1:
			side = hi[j]
		}
		if math.IsInf(side, 0) {
			return false
		}
		least.Add(least, term.Mul(e, Float(side)))
	}
	return least.Sign() > 0
}

// mostWork bounds rows²·dim, the products of a pivot on each row, of the systems
// that Refuted tries: some seconds.
const mostWork = 1 << 22

// refutedBySystem reports whether the inequalities with a positive weight, and
// the sides of the box, have no point in common.
func refutedBySystem(rows []Inequality, lo, hi []float64) bool {
	if m := len(rows) + 2*len(lo); m*m*len(lo) > mostWork {
		return false
	}
	s := New(len(lo))
	for _, r := range rows {
		if r.Weight > 0 {
			s.Add(Floats(r.A), r.B)
		}
	}
	s.AddBox(lo, hi)
	return !s.HasPoint()
}

// AddBox appends the finite sides of a box.
func (s *System) AddBox(lo, hi []float64) {
	a := Floats(make([]float64, s.dim))
	for j := range a {
		if !math.IsInf(lo[j], 0) {
			a[j] = big.NewRat(-1, 1)
			s.Add(a, new(big.Rat).Neg(Float(lo[j])))
		}
		if !math.IsInf(hi[j], 0) {
			a[j] = big.NewRat(1, 1)
			s.Add(a, Float(hi[j]))
		}
		a[j] = new(big.Rat)
	}
}

// Float returns a finite float64 as a rational number.
func Float(v float64) *big.Rat { return new(big.Rat).SetFloat64(v) }

// Difference returns a − b of finite float64s.
func Difference(a, b float64) *big.Rat {
	d := Float(a)
	return d.Sub(d, Float(b))
}

// Floats returns finite float64s as rational numbers.
func Floats(v []float64) []*big.Rat {
	r := make([]*big.Rat, len(v))
	for j, e := range v {
		r[j] = Float(e)
	}
	return r
}
