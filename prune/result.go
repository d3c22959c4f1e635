package prune

import (
	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/prune/internal/bipartite"
)

// Result is a separated set of rows, maximal unless a context ended early. No separated set weighs
// more than Bound.
type Result struct {
	Keep   []int // the rows to keep, ascending
	Weight int   // their weight; their number, if there are no weights
	Bound  int   // no separated set weighs more
	// Status is attack.StatusOptimal if none weighs more than Keep, and else attack.StatusLimit.
	Status attack.Status

	// Cliques are the certificate that no separated set of rows weighs more than Certified, a
	// multiple of ½: Bound itself for two labels, and wherever no search was needed to find the
	// optimum.
	//
	// Rows of a clique conflict with each other, so that at most one of them is kept,
	// and the cliques that hold a row have amounts that sum to no more than its weight.
	// The kept rows therefore weigh at most the weight of all rows less
	// (len(Rows)−1)·Amount for each clique. For two labels the cliques are the edges of
	// a largest matching, or of a largest flow.
	Cliques   []Clique
	Certified float64
}

// Clique is some rows of pairwise different labels that conflict with each other, and its amount.
type Clique struct {
	Rows   []int
	Amount float64 // a multiple of ½
}

// result turns an answer into a Result.
func (p *problem) result(a *answer) *Result {
	kept, all := p.total(a.keep), p.total(p.row)
	r := &Result{
		Keep:    ascending(a.keep, p.table.Len),
		Weight:  int(kept),
		Bound:   int(max(kept, a.bound)),
		Status:  attack.StatusLimit,
		Cliques: a.cliques,
	}
	if a.optimal {
		r.Status = attack.StatusOptimal
	}
	r.Certified = max(float64(kept), certified(all, a.cliques))
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

// answer is the solution of a problem: the rows to keep, and the cliques that prove its bound.
type answer struct {
	keep    []int32  // rows
	bound   int64    // no separated set of rows weighs more
	optimal bool     // keep weighs bound
	cut     bool     // the context ended before keep was maximal
	cliques []Clique // they prove bound, or nearly
}

// proven returns an answer that keeps no rows yet and holds the bound that duals prove of rows that
// weigh total. A dual carries its amount in units of unit, which is 1, or ½ in the relaxation.
func proven(total int64, duals []bipartite.Dual, left, right []int32, unit float64) *answer {
	a := &answer{cliques: make([]Clique, 0, len(duals))}
	flat := make([]int, 0, 2*len(duals))
	for _, d := range duals {
		flat = append(flat, int(left[d.Left]), int(right[d.Right]))
		rows := flat[len(flat)-2 : len(flat) : len(flat)]
		a.cliques = append(a.cliques, Clique{rows, unit * float64(d.Amount)})
	}
	a.bound = int64(certified(total, a.cliques)) // rounded down: sets weigh whole numbers
	return a
}

// certified returns the bound that cliques prove of rows that weigh total. All its steps are
// exact, since amounts are multiples of ½.
func certified(total int64, cliques []Clique) float64 {
	bound := float64(total)
	for _, c := range cliques {
		bound -= float64(len(c.Rows)-1) * c.Amount
	}
	return bound
}
