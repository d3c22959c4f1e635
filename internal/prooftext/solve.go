package prooftext

import (
	"cmp"
	"math"
	"math/big"
	"slices"

	"github.com/seed-1a7dc1f9/facet/polytope"
)

// solved returns the multipliers of the terms that have a weight that prove the farthest bound, if
// that is the bound or more. There are not many such terms, and there is one such solution at most.
func (c *Combiner) solved(terms []HalfSpace, weights []float64) ([]*big.Int, bool) {
	most, ok := largest(weights)
	if !ok {
		return nil, false
	}
	var support []int
	var a [][]*big.Rat
	var b []*big.Rat
	sum := make([]float64, len(terms[0].A))
	for i, w := range weights {
		if w > most*negligible {
			left, right := terms[i].Exact()
			support, a, b = append(support, i), append(a, left), append(b, right)
			for j, e := range terms[i].A {
				sum[j] += w * e
			}
		}
	}
	solution, ok := dependence(c.farthest(a, b, sum))
	if !ok {
		return nil, false
	}
	multipliers := integers(make([]float64, len(terms)))
	for i, m := range Proportional(solution) {
		multipliers[support[i]] = m
	}
	return multipliers, writable(multipliers) && c.Proves(terms, multipliers)
}

// writable reports whether the format has multipliers of such length.
func writable(multipliers []*big.Int) bool {
	return !slices.ContainsFunc(multipliers, func(m *big.Int) bool { return m.BitLen() > mostBits })
}

// negligible is the share of the largest weight below which one is rounding, mostBits how long
// the format lets multipliers be: a thousand digits.
const (
	negligible = 1e-11
	mostBits   = 3320
)

// farthest returns the conditions that no other multipliers of n half-spaces prove a larger bound:
// the first n − 1 of them that are independent, where the sum is about right. They are linear in
// the multipliers, and are to be 0: of each half-space it returns how much a unit of its multiplier
// adds to each of them.
func (c *Combiner) farthest(a [][]*big.Rat, b []*big.Rat, sum []float64) [][]*big.Rat {
	n := len(a)
	if c.Norm == polytope.L2 {
		return proportionalTo(b, a)
	}
	order := make([]int, len(sum))
	for j := range order {
		order[j] = j
	}
	slices.SortFunc(order,
		func(i, j int) int { return cmp.Compare(math.Abs(sum[i]), math.Abs(sum[j])) })
	columns := make([][]*big.Rat, n)
	for i := range columns {
		switch {
		case c.Norm == polytope.LInf: // the smallest coordinates vanish
			for _, j := range order {
				columns[i] = append(columns[i], a[i][j])
			}
		default: // the largest are as large as the largest of all
			last := len(order) - 1
			largest := signed(a[i][order[last]], sum[order[last]])
			for _, j := range slices.Backward(order[:last]) {
				e := signed(a[i][j], sum[j])
				columns[i] = append(columns[i], e.Sub(e, largest))
			}
		}
	}
	return columns
}

// signed returns e, negated if v is negative.
func signed(e *big.Rat, v float64) *big.Rat {
	e = new(big.Rat).Set(e)
	if v < 0 {
		e.Neg(e)
	}
	return e
}

// proportionalTo are the conditions that the products of the vectors with their sum are
// proportional to numbers.
func proportionalTo(b []*big.Rat, a [][]*big.Rat) [][]*big.Rat {
	first := 0
	for i := range b {
		if b[i].Sign() != 0 {
			first = i
		}
	}
	columns := make([][]*big.Rat, len(a))
	for l := range a {
		for i := range a {
			if i != first {
				e := new(big.Rat).Mul(b[first], dot(a[i], a[l]))
				columns[l] = append(columns[l],
					e.Sub(e, new(big.Rat).Mul(b[i], dot(a[first], a[l]))))
			}
		}
	}
	return columns
}

func dot(a, b []*big.Rat) *big.Rat {
	sum, product := new(big.Rat), new(big.Rat)
	for j, e := range a {
		if e.Sign() != 0 && b[j].Sign() != 0 {
			sum.Add(sum, product.Mul(e, b[j]))
		}
	}
	return sum
}

// dependence returns numbers ≥ 0, the last of them 1, with which the sum of vectors is 0, in as
// many coordinates as determine them; false when it finds none.
func dependence(vectors [][]*big.Rat) ([]*big.Rat, bool) {
	n := len(vectors)
	var rows [][]*big.Rat // one for each pivot, whose column then is that of a unit matrix
	var pivots []int
	for j := range vectors[0] {
		if len(pivots) == n-1 {
			break
		}
		row := make([]*big.Rat, n)
		for i := range row {
			row[i] = new(big.Rat).Set(vectors[i][j])
		}
		for k, p := range pivots {
			subtract(row, rows[k], new(big.Rat).Set(row[p]))
		}
		p := slices.IndexFunc(row, func(e *big.Rat) bool { return e.Sign() != 0 })
		switch {
		case p < 0:
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
