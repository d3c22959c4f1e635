package prune

import "slices"

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
	r := &Result{Keep: ascending(a.keep), Optimal: a.optimal}
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

// ascending returns rows in order, as a caller's numbers.
func ascending(rows []int32) []int {
	list := make([]int, len(rows))
	for i, row := range rows {
		list[i] = int(row)
	}
	slices.Sort(list)
	return list
}
