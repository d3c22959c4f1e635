package neighborproof

import (
	"cmp"
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
	var near []nnindex.Neighbor // k rows at least
	table.Trees.Within(z, last+noise, func(id int32, p []float64) bool {
		near = append(near, nnindex.Neighbor{Squared: nnindex.Squared(z, p), ID: id})
		return true
	})
	slices.SortFunc(near, func(p, q nnindex.Neighbor) int {
		farther := exact.Sign(p.Squared-q.Squared, noise, func() int {
			return exact.Margin(z, table.Row(q.ID), table.Row(p.ID)).Sign()
		})
		return cmp.Or(farther, cmp.Compare(p.ID, q.ID))
	})
	members := make([]int32, k)
	for i := range members {
		members[i] = near[i].ID
	}
	return table.VoteOf(members) == table.Vote(z, k)
}
