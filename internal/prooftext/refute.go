package prooftext

import (
	"math"
	"math/big"
	"strconv"

	"github.com/seed-1a7dc1f9/facet/internal/closest"
	"github.com/seed-1a7dc1f9/facet/internal/exact"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Refuter finds combinations of half-spaces that nothing nearer than a bound satisfies.
type Refuter struct {
	Combiner
	dim     int
	program *closest.Program
	sides   []HalfSpace // of the domain, those that are finite
}

// NewRefuter returns one for displacements from x within a domain, which may be nil.
func NewRefuter(norm polytope.Norm, x []float64, domain polytope.Box, bound float64) *Refuter {
	r := &Refuter{Combiner: Combiner{Norm: norm, Bound: bound, Domain: domain}, dim: len(x), program: closest.New(closest.Kind(norm))}
	for f, i := range domain {
		unit, opposite := make([]float64, len(x)), make([]float64, len(x))
		unit[f], opposite[f] = 1, -1
		if !math.IsInf(i.Hi, 0) {
			r.sides = append(r.sides, Plane(unit, i.Hi, x, "+"+strconv.Itoa(f)))
		}
		if !math.IsInf(i.Lo, 0) {
			r.sides = append(r.sides, Plane(opposite, -i.Lo, x, "-"+strconv.Itoa(f)))
		}
	}
	return r
}

// Plane returns w·z ≤ t, for finite numbers, as a half-space of displacements from x.
func Plane(w []float64, t float64, x []float64, name string) HalfSpace {
	excess, err := polytope.HalfSpace{A: w, B: t}.Excess(x)
	return HalfSpace{A: w, B: -excess, Err: err, Name: name, Exact: func() ([]*big.Rat, *big.Rat) {
		a, b := exact.Floats(w), exact.Float(t)
		for j, e := range a {
			if e.Sign() != 0 {
				b.Sub(b, new(big.Rat).Mul(e, exact.Float(x[j])))
			}
		}
		return a, b
	}}
}

// Refute returns a combination, as Write takes it, of half-spaces and sides of the domain that
// proves the bound; false when it finds none.
func (r *Refuter) Refute(terms []HalfSpace) (used []HalfSpace, multipliers []*big.Int, ok bool) {
	return r.refute(terms, 0)
}

// RefuteThin is Refute for half-spaces that may have points in common, but no interior.
func (r *Refuter) RefuteThin(terms []HalfSpace) (used []HalfSpace, multipliers []*big.Int, ok bool) {
	size := 0.0
	for _, t := range terms {
		if length := r.Norm.Dual().Length(t.A); length > 0 {
			size = max(size, math.Abs(t.B)/length)
		}
	}
	return r.refute(terms, max(size, 1)*thin)
}

// thin is by how much half-spaces are moved inwards to see whether they have an interior, in
// terms of their own size.
const thin = 0x1p-30

// refute does so of half-spaces moved inwards by a margin.
func (r *Refuter) refute(terms []HalfSpace, margin float64) (used []HalfSpace, multipliers []*big.Int, ok bool) {
	r.program.Reset(r.dim)
	used = append(used, terms...)
	dual := r.Norm.Dual()
	add := func(h HalfSpace) { r.program.Add(h.A, h.B-margin*dual.Length(h.A), h.Err) }
	for _, t := range terms {
		add(t)
	}
	named := make([]bool, len(r.sides))
	for {
		_, err := r.program.Solve(max(r.Bound*beyond, math.SmallestNonzeroFloat64))
		before := len(used)
		for i, s := range r.sides {
			if err == nil && !named[i] && r.program.Violated(s.A, s.B-margin) {
				add(s)
				used, named[i] = append(used, s), true
			}
		}
		if len(used) == before {
			break
		}
	}
	weights := make([]float64, len(used))
	r.program.Multipliers(func(row int, lambda float64) {
		if length := dual.Length(used[row].A); length > 0 {
			lambda /= length
		}
		weights[row] = lambda
	})
	if multipliers, ok = r.Combine(used, weights); !ok && (math.IsInf(r.Bound, 1) || margin > 0) {
		multipliers, ok = r.vanishing(used, weights)
	}
	return used, multipliers, ok
}

// beyond is how far a program goes beyond the bound, in its terms: farther takes more pivots,
// but multipliers of fewer bits.
const beyond = 1.02

// vanishing returns multipliers of the terms that have a weight with which the sum of
// their left sides is 0 in exact arithmetic, if there are some that prove any bound.
func (r *Refuter) vanishing(terms []HalfSpace, weights []float64) ([]*big.Int, bool) {
	most := 0.0
	for _, w := range weights {
		most = max(most, w)
	}
	var support []int
	var columns [][]*big.Rat
	for i, w := range weights {
		if w > most*negligible {
			a, _ := terms[i].Exact()
			support, columns = append(support, i), append(columns, a)
		}
	}
	solution, ok := dependence(columns)
	if !ok {
		return nil, false
	}
	multipliers := integers(make([]float64, len(terms)))
	for i, m := range Proportional(solution) {
		multipliers[support[i]] = m
	}
	return multipliers, r.Proves(terms, multipliers)
}

// negligible is the share of the largest weight below which one is rounding.
const negligible = 1e-11

// dependence returns numbers ≥ 0, the last of them 1, with which the sum of vectors is 0; false
// when it finds none.
func dependence(vectors [][]*big.Rat) ([]*big.Rat, bool) {
	n := len(vectors)
	if n == 0 {
		return nil, false
	}
	var rows [][]*big.Rat // one for each pivot, whose column then is that of a unit matrix
	pivots := make([]int, 0, n)
	for j := range vectors[0] {
		row := make([]*big.Rat, n)
		for i := range row {
			row[i] = new(big.Rat).Set(vectors[i][j])
		}
		for k, p := range pivots {
			subtract(row, rows[k], new(big.Rat).Set(row[p]))
		}
		p := 0
		for p < n && row[p].Sign() == 0 {
			p++
		}
		switch {
		case p == n:
			continue
		case p == n-1: // the last vector would have to be left out
			return nil, false
		}
		inverse := new(big.Rat).Inv(row[p])
		for i := range row {
			row[i].Mul(row[i], inverse)
		}
		for _, other := range rows {
			subtract(other, row, new(big.Rat).Set(other[p]))
		}
		rows, pivots = append(rows, row), append(pivots, p)
	}
	solution := zeros(n)
	solution[n-1].SetInt64(1)
	for k, p := range pivots {
		if solution[p].Neg(rows[k][n-1]); solution[p].Sign() < 0 {
			return nil, false
		}
	}
	return solution, true
}

// subtract takes a factor times another row from a row.
func subtract(row, other []*big.Rat, factor *big.Rat) {
	if factor.Sign() == 0 {
		return
	}
	for i := range row {
		row[i].Sub(row[i], new(big.Rat).Mul(factor, other[i]))
	}
}
