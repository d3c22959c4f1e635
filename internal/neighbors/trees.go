package neighbors

import (
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/nnindex"
)

// Trees are the k-d trees of some classes, nil where a class has no rows.
type Trees []*nnindex.Tree

// Nearest offers the rows to into.
func (ts Trees) Nearest(x []float64, into *nnindex.Nearest) {
	for _, t := range ts {
		if t != nil {
			t.Nearest(x, into)
		}
	}
}

// First returns the k rows nearest to x, nearest first.
func (ts Trees) First(x []float64, k int) []nnindex.Neighbor {
	return ts.FirstWithin(x, k, math.Inf(1))
}

// FirstWithin returns those of them that are within a squared distance.
func (ts Trees) FirstWithin(x []float64, k int, squared float64) []nnindex.Neighbor {
	var nearest nnindex.Nearest
	return ts.FirstIn(&nearest, x, k, squared)
}

// FirstIn is FirstWithin in the memory of nearest, until that is used again.
func (ts Trees) FirstIn(
	nearest *nnindex.Nearest, x []float64, k int, squared float64,
) []nnindex.Neighbor {
	nearest.Reset(k, squared)
	ts.Nearest(x, nearest)
	return nearest.Sorted()
}

// Within visits the rows within a squared distance of x, until visit returns false.
// It returns whether it went through.
func (ts Trees) Within(x []float64, squared float64, visit func(id int32, p []float64) bool) bool {
	for _, t := range ts {
		if t == nil {
			continue
		}
		through := t.Within(x, squared,
			func(i int, _ float64) bool { return visit(t.IDs[i], t.Point(i)) })
		if !through {
			return false
		}
	}
	return true
}

// Copies visits the rows equal to x, until visit returns false. It returns whether it
// went through.
func (ts Trees) Copies(x []float64, visit func(id int32) bool) bool {
	// A squared distance may underflow to 0 between rows that differ.
	return ts.Within(x, 0,
		func(id int32, p []float64) bool { return !slices.Equal(p, x) || visit(id) })
}
