package prune

import (
	"math"
	"math/big"

	"github.com/seed-1a7dc1f9/facet/internal/bipartite"
)

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
