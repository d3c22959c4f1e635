package nearest

import (
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/neighbors"
	"github.com/seed-1a7dc1f9/facet/internal/nnindex"
)

// vicinity lists the rivals around a point. A program moves its point little by little, and the
// example that follows lies next to the last of them, so that rivals are looked up once for several
// questions, which are answered as the trees would answer them, in their order.
type vicinity struct {
	centre []float64
	radius float64 // all rivals within it are listed; negative if none is known
	ids    []int32 // in the order of the trees
	rows   []float64

	squared []float64 // scratch space
}

const (
	// vicinityReach is how much farther than a question needs rivals are listed.
	vicinityReach = 1.05
	// vicinitySize is how many rivals are listed at most.
	vicinitySize = 256
)

// list lists the rivals around z for questions up to a squared distance from there, unless they
// are too many. It reports whether the list has them.
func (v *vicinity) list(rivals neighbors.Trees, z []float64, limit float64) bool {
	if v.covers(z, limit) {
		return true
	}
	radius := math.Sqrt(limit) * vicinityReach
	v.centre, v.radius = append(v.centre[:0], z...), radius
	v.ids, v.rows = v.ids[:0], v.rows[:0]
	through := rivals.Within(z, radius*radius, func(id int32, p []float64) bool {
		v.ids, v.rows = append(v.ids, id), append(v.rows, p...)
		return len(v.ids) <= vicinitySize
	})
	if !through {
		v.radius = -1
	}
	return v.covers(z, limit)
}

// covers reports whether all rivals within a squared distance of z are listed.
func (v *vicinity) covers(z []float64, limit float64) bool {
	if v.radius < 0 {
		return false
	}
	moved := math.Sqrt(nnindex.Squared(z, v.centre))
	return (math.Sqrt(limit)+moved)*(1+neighbors.Spread) <= v.radius
}

// first returns the rival nearest to z within a squared distance, none if there is none.
func (v *vicinity) first(z []float64, limit float64) (first nnindex.Neighbor, found bool) {
	v.visit(z, limit, func(id int32, squared float64) {
		n := nnindex.Neighbor{Squared: squared, ID: id}
		if !found || n.Compare(first) < 0 {
			first, found = n, true
		}
	})
	return first, found
}

// visit visits the listed rivals within a squared distance of z.
func (v *vicinity) visit(z []float64, limit float64, visit func(id int32, squared float64)) {
	if cap(v.squared) < len(v.ids) {
		v.squared = make([]float64, len(v.ids))
	}
	squared := v.squared[:len(v.ids)]
	nnindex.SquaredRows(z, v.rows, squared)
	for i, s := range squared {
		if s <= limit {
			visit(v.ids[i], s)
		}
	}
}
