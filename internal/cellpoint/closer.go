package cellpoint

import (
	"cmp"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// closeEnough is how much farther from x than the closest point of its cell's
// closure, relative to max(1, distance), a witness may lie without being moved.
const closeEnough = 1e-10

// halvings suffice to go from one float64 to another next to it.
const halvings = 64

// mostMoved is the number of coordinates that are moved one by one.
const mostMoved = 64

// Closer moves z, which accept takes, back towards near, the closest point of the
// cell's closure: first on the way between the two, then one coordinate after the
// other, as far as accept allows. A way inside that is long for the sake of one
// side of the cell need not be long in the others.
func Closer(g geometry.Cost, x, z, near []float64, accept func([]float64) bool) {
	goal := g.Distance(x, near)
	enough := func() bool { return g.Distance(x, z)-goal <= closeEnough*max(1, goal) }
	if enough() {
		return
	}
	try := slices.Clone(z)
	all := make([]int, len(z))
	for j := range all {
		all[j] = j
	}
	pull(z, near, try, all, accept)
	slices.SortStableFunc(all, func(i, j int) int {
		return -cmp.Compare(math.Abs(z[i]-near[i]), math.Abs(z[j]-near[j]))
	})
	for _, j := range all[:min(len(all), mostMoved)] {
		if enough() {
			return
		}
		if far := g.Coordinate(j, z[j]-x[j]); far > g.Coordinate(j, near[j]-x[j]) &&
			(g.Norm != polytope.LInf || far > goal) {
			pull(z, near, try, []int{j}, accept)
		}
	}
}

// pull moves some coordinates of z towards near: it halves the way until that ends
// between two neighbours. try is overwritten.
func pull(z, near, try []float64, coordinates []int, accept func([]float64) bool) {
	start := make([]float64, len(coordinates))
	for i, j := range coordinates {
		start[i] = z[j]
	}
	lo, hi := 0.0, 1.0 // shares of the way from near; hi is accepted
	for range halvings {
		middle := lo + (hi-lo)/2
		moved := false
		copy(try, z)
		for i, j := range coordinates {
			try[j] = near[j] + middle*(start[i]-near[j])
			moved = moved || try[j] != z[j]
		}
		if !moved {
			return
		}
		if accept(try) {
			copy(z, try)
			hi = middle
		} else {
			lo = middle
		}
	}
}
