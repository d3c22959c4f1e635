package exact

import (
	"math"
	"math/big"
	"slices"
)

// System is a set of inequalities a·u < b and a·u ≤ b over u in R^dim: a half-open polyhedron.
type System struct {
	dim    int
	rows   [][]*big.Int // a_1 … a_dim, b, times a positive factor
	scale  []*big.Int   // that factor
	closed []bool       // whether u may lie where a·u = b
	fixed  []*big.Rat   // the values of coordinates, nil for one that is free
}

// New returns the system without inequalities.
func New(dim int) *System { return &System{dim: dim, fixed: make([]*big.Rat, dim)} }

// Clone returns a copy, to which other inequalities may be added.
func (s *System) Clone() *System {
	c := *s
	c.rows, c.scale, c.closed = slices.Clone(s.rows), slices.Clone(s.scale), slices.Clone(s.closed)
	c.fixed = slices.Clone(s.fixed)
	return &c
}

// Fix sets u_j to a value in the inequalities that are added from now on.
func (s *System) Fix(j int, value *big.Rat) { s.fixed[j] = value }

// AddClosed appends a·u ≤ b. The system keeps neither a nor b.
func (s *System) AddClosed(a []*big.Rat, b *big.Rat) {
	s.Add(a, b)
	s.closed[len(s.closed)-1] = true
}

// Add appends a·u < b. The system keeps neither a nor b.
func (s *System) Add(a []*big.Rat, b *big.Rat) {
	row := s.substituted(a, b)
	scale := big.NewInt(1)
	for _, e := range row {
		common := new(big.Int).GCD(nil, nil, scale, e.Denom())
		scale.Mul(scale, common.Quo(e.Denom(), common))
	}
	numbers := make([]*big.Int, len(row))
	for j, e := range row {
		numbers[j] = new(big.Int).Quo(scale, e.Denom())
		numbers[j].Mul(numbers[j], e.Num())
	}
	s.rows, s.scale = append(s.rows, numbers), append(s.scale, scale)
	s.closed = append(s.closed, false)
}

// substituted returns a and b with the fixed coordinates moved to the right.
func (s *System) substituted(a []*big.Rat, b *big.Rat) []*big.Rat {
	row := append(a[:s.dim:s.dim], b)
	for j, v := range s.fixed {
		if v != nil && a[j].Sign() != 0 {
			row[s.dim] = new(big.Rat).Sub(row[s.dim], new(big.Rat).Mul(a[j], v))
			row[j] = new(big.Rat)
		}
	}
	return row
}

// Len returns the number of inequalities.
func (s *System) Len() int { return len(s.rows) }

// HasSolution reports whether some u satisfies every inequality. With m of them it usually takes
// some m pivots of m·dim products each.
func (s *System) HasSolution() bool { return s.Solution() != nil }

// Solution returns such a u, nil if there is none.
func (s *System) Solution() []*big.Rat {
	c := s.cone()
	enough := make([]*big.Int, s.dim+2) // t ≤ 0, so that the last dictionary has values
	for j := range enough {
		enough[j] = new(big.Int)
	}
	c.rows = append(c.rows, enough)
	d, reached := c.top()
	if !reached {
		return nil
	}
	values := make([]*big.Int, c.dim+1)
	for row, variable := range d.basic {
		if d.free(variable) {
			values[variable] = d.value(row)
		}
	}
	u := slices.Clone(s.fixed)
	for j := range u {
		if u[j] == nil {
			u[j] = new(big.Rat)
			if v := values[j+1]; v != nil {
				u[j].SetFrac(v, values[c.dim])
			}
		}
	}
	return u
}

// cone returns the system of the pairs (v, λ) with λ ≥ 1 whose quotients u = v/λ are solutions:
// a·v ≤ λb, and less by 1 where that is to be strict. Multiples of such a pair are pairs as well.
func (s *System) cone() *System {
	c := New(s.dim + 1)
	for i, row := range s.rows {
		numbers := append(row[:s.dim:s.dim], new(big.Int).Neg(row[s.dim]), big.NewInt(-1))
		if s.closed[i] {
			numbers[s.dim+1].SetInt64(0)
		}
		c.rows = append(c.rows, numbers)
	}
	last := make([]*big.Int, s.dim+2)
	for j := range last {
		last[j] = new(big.Int)
	}
	last[s.dim].SetInt64(-1)
	last[s.dim+1].SetInt64(-1)
	c.rows = append(c.rows, last)
	return c
}

// Refutation returns integers w ≥ 0, one for each inequality and not all 0, with Σw·a = 0 and
// Σw·b ≤ 0, of which, if that sum is 0, one belongs to a strict inequality: there is no solution
// (Farkas; T. S. Motzkin, "Beiträge zur Theorie der linearen Ungleichungen", 1936). It returns nil
// if there is one. Values of fixed coordinates are part of b.
func (s *System) Refutation() []*big.Int { return s.weights(s.cone().top()) }

// weights returns the coefficients of the slacks of the inequalities in t, in a dictionary of the
// largest t, nil if that is large enough.
func (s *System) weights(d *dictionary, enough bool) []*big.Int {
	if enough {
		return nil
	}
	weights := make([]*big.Int, len(s.rows))
	for i := range weights {
		weights[i] = new(big.Int)
	}
	for j, variable := range d.nonbasic {
		if i := variable - d.dim - 1; i >= 0 && i < len(weights) {
			weights[i].Mul(d.cells[d.top][j], s.scale[i])
		}
	}
	return weights
}

// top maximises t under a_i·u + t ≤ b_i by the simplex method, and returns the dictionary of the
// largest t, and whether t reaches 0.
func (s *System) top() (d *dictionary, reached bool) {
	d = newDictionary(s)
	for d.height() < 0 {
		column, direction := d.entering()
		if column < 0 {
			return d, false
		}
		row := d.leaving(column, direction)
		if row < 0 {
			return d, true // t grows without end
		}
		d.pivot(row, column)
	}
	return d, true
}

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
// up the remainder that rounding leaves of a sum that should vanish.
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
	for j, v := range lo {
		if v == hi[j] {
			s.Fix(j, Float(v))
		}
	}
	for _, r := range rows {
		if r.Weight > 0 {
			s.AddClosed(Floats(r.A), r.B)
		}
	}
	s.addBox(lo, hi)
	return !s.HasSolution()
}

// addBox appends the finite sides of a box, but of coordinates that are fixed.
func (s *System) addBox(lo, hi []float64) {
	a := Floats(make([]float64, s.dim))
	for j := range a {
		if s.fixed[j] != nil {
			continue
		}
		if !math.IsInf(lo[j], 0) {
			a[j] = big.NewRat(-1, 1)
			s.AddClosed(a, new(big.Rat).Neg(Float(lo[j])))
		}
		if !math.IsInf(hi[j], 0) {
			a[j] = big.NewRat(1, 1)
			s.AddClosed(a, Float(hi[j]))
		}
		a[j] = new(big.Rat)
	}
}

// Float returns a finite float64 as a rational number.
func Float(v float64) *big.Rat { return new(big.Rat).SetFloat64(v) }

// Up returns the least float64 that is not less than v, and Down the greatest that is not more.
func Up(v *big.Rat) float64 {
	f, _ := v.Float64() // which calls 0 exact for numbers less than all float64
	if f = max(f, -math.MaxFloat64); !math.IsInf(f, 1) && Float(f).Cmp(v) < 0 {
		f = math.Nextafter(f, math.Inf(1))
	}
	return f
}

func Down(v *big.Rat) float64 { return -Up(new(big.Rat).Neg(v)) }

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
