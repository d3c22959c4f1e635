package neighborproof

import (
	"cmp"
	"math/big"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/exact"
	"github.com/seed-1a7dc1f9/facet/internal/neighbors"
	"github.com/seed-1a7dc1f9/facet/internal/nnindex"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
)

// Confirms reports whether k neighbours in exact arithmetic give a point the label that they give
// it in floating point.
func Confirms(table *neighbors.Table, k int, z []float64) bool {
	last := table.Trees.First(z, k)[k-1].Squared
	noise := 2*precise.Noise(table.Dim)*last + underflow
	var members, open []int32
	table.Trees.Within(z, last+noise, func(id int32, p []float64) bool {
		if nnindex.Squared(z, p) < last-noise {
			members = append(members, id)
		} else {
			open = append(open, id)
		}
		return true
	})
	if len(members)+len(open) == k {
		return true
	}
	squares := map[int32]*big.Rat{}
	for _, id := range open {
		squares[id] = new(big.Rat)
		for j, e := range table.Row(id) {
			gap := exact.Difference(e, z[j])
			squares[id].Add(squares[id], gap.Mul(gap, gap))
		}
	}
	slices.SortFunc(open,
		func(p, q int32) int { return cmp.Or(squares[p].Cmp(squares[q]), cmp.Compare(p, q)) })
	return table.VoteOf(append(members, open[:k-len(members)]...)) == table.Vote(z, k)
}
