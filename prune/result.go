package prune

import (
	"math"
	"math/big"

	"github.com/seed-1a7dc1f9/facet/internal/bipartite"
)

// Result is a separated set of rows, maximal unless a context ended early, and what is
// known about others: none weighs more than Bound.
type Result struct {
	Keep    []int   // the rows to keep, ascending
	Weight  float64 // what they weigh; their number, if there are no weights
	Bound   float64 // no separated set weighs more
	Optimal bool    // none weighs more than Keep, not even by what rounding hides

	// Certificate proves a bound that is Bound itself for two labels, and wherever
	// no search was needed to find the optimum.
	Certificate Certificate
}

// Certificate proves that no separated set of rows weighs more than Bound.
//
// Rows of a clique conflict with each other, so that at most one of them is kept,
// and the cliques that hold a row have amounts that sum to no more than its weight.
// What is kept therefore weighs at most the weight of all rows less
// (len(Rows)−1)·Amount for each clique. For two labels the cliques are the edges of
// a largest matching, or of a largest flow.
type Certificate struct {
	Cliques []Clique
	Bound   float64
}

// Clique is some rows of pairwise different labels, at most 2·Radius apart, and
// its amount.
type Clique struct {
	Rows   []int
	Amount float64
}

// result turns an answer, and the weights it was asked with, into a Result.
func (p *problem) result(a *answer, weights []float64) *Result {
	r := &Result{Keep: ascending(a.keep, p.table.Len), Optimal: a.optimal}
	r.Certificate.Cliques = a.cliques
	all := p.units.total(p.row)
	sum := newSum(weights, p.table.Len)
	kept := sumOf(weights, r.Keep)
	r.Weight = kept.nearest()
	r.Bound = max(r.Weight, sum.less(all-a.bound, p.units.exponent))
	if r.Optimal {
		r.Bound = up(&kept.Float)
	}
	r.Certificate.Bound = max(r.Weight, certified(sum, r.Certificate.Cliques))
	return r
}

// ascending returns some of n rows in order, as a caller's numbers.
func ascending(rows []int32, n int) []int {
	in := make([]bool, n)
	for _, row := range rows {
		in[row] = true
	}
	list := make([]int, 0, len(rows))
	for row, in := range in {
		if in {
			list = append(list, row)
		}
	}
	return list
}

// answer is what a problem's solution comes to.
type answer struct {
	keep    []int32  // rows
	bound   int64    // units that a separated set of rows weighs at most
	optimal bool     // keep weighs bound
	cut     bool     // the context ended before keep was maximal
	cliques []Clique // they prove bound, or nearly
}

// proven returns the answer that holds no rows, but what duals prove for rows that weigh
// total: each carries as many half units as its amount, times halves.
func (u *units) proven(total int64, duals []bipartite.Dual, left, right []int32, halves int64) *answer {
	a := &answer{cliques: make([]Clique, 0, len(duals))}
	flat, twice := make([]int, 0, 2*len(duals)), 2*total
	for _, d := range duals {
		flat = append(flat, int(left[d.Left]), int(right[d.Right]))
		a.cliques = u.appendCliques(a.cliques, flat[len(flat)-2:len(flat):len(flat)], d.Amount, d.Rest, halves)
		twice -= halves * d.Amount
	}
	a.bound = twice / 2
	return a
}

// digits is the precision of a float64.
const digits = 53

// appendCliques appends the clique of these rows whose amount is that many units, and rest
// of the finest, times halves/2. An amount that no float64 holds is that of several cliques.
func (u *units) appendCliques(dst []Clique, rows []int, amount int64, rest *big.Int, halves int64) []Clique {
	add := func(amount float64) { dst = append(dst, Clique{Rows: rows, Amount: amount}) }
	amount *= halves
	if 0 < amount && amount < 1<<digits && u.exponent > least {
		add(math.Ldexp(float64(amount), u.exponent-1))
	} else {
		eachPart(big.NewInt(amount), u.exponent-1, add)
	}
	if rest != nil {
		eachPart(new(big.Int).Mul(rest, big.NewInt(halves)), u.finest-1, add)
	}
	return dst
}

// eachPart calls add with numbers that sum to n·2^exponent, or, where float64 ends before
// that, to no more.
func eachPart(n *big.Int, exponent int, add func(float64)) {
	rest := new(big.Int).Set(n)
	for rest.Sign() > 0 {
		shift := uint(max(0, rest.BitLen()-digits, least-exponent))
		top := new(big.Int).Rsh(rest, shift)
		if top.Sign() == 0 {
			return
		}
		add(math.Ldexp(float64(top.Int64()), exponent+int(shift)))
		rest.Sub(rest, top.Lsh(top, shift))
	}
}
