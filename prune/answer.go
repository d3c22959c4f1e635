package prune

import (
	"math/big"

	"github.com/seed-1a7dc1f9/facet/internal/bipartite"
)

// clique is a set of rows that conflict with each other, and an amount in half
// units. No row is in cliques of more than it weighs together. At most one row of
// a clique is kept, so that (size − 1)·amount goes for each.
type clique struct {
	rows   []int32
	halves int64
	rest   *big.Int // half units of the finest, beside; nil: none
}

// answer is what a problem's solution comes to.
type answer struct {
	keep    []int32 // rows
	bound   int64   // units that a separated set of rows weighs at most
	optimal bool    // keep weighs bound
	cut     bool    // the context ended before keep was maximal
	cliques []clique
}

// pairs turns duals into cliques of rows.
func pairs(duals []bipartite.Dual, left, right []int32, halves int64) []clique {
	flat := make([]int32, 0, 2*len(duals))
	cliques := make([]clique, len(duals))
	for i, d := range duals {
		flat = append(flat, left[d.Left], right[d.Right])
		cliques[i] = clique{rows: flat[2*i : 2*i+2 : 2*i+2], halves: halves * d.Amount}
		if d.Rest != nil {
			cliques[i].rest = new(big.Int).Mul(d.Rest, big.NewInt(halves))
		}
	}
	return cliques
}

// proven returns the bound that cliques prove for rows that weigh total, all in
// units, without what they have beside.
func proven(total int64, cliques []clique) int64 {
	halves := 2 * total
	for _, c := range cliques {
		halves -= int64(len(c.rows)-1) * c.halves
	}
	return halves / 2
}
