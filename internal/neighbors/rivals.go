package neighbors

import (
	"github.com/seed-1a7dc1f9/facet/classifier/search"
)

// Rivals are rows that vote against an answer to a query, nearest to X first. They bound
// the distance at which other rows come before them.
type Rivals struct {
	IDs     []int32
	Squared []float64 // distances from X
	points  []float64 // flat
	dim     int
	q       *search.Query
}

// Rivals returns the rows of trees nearest to X.
func (t *Table) Rivals(trees Trees, q *search.Query, most int) Rivals {
	first := trees.First(q.X, most)
	r := Rivals{
		IDs: make([]int32, 0, len(first)), Squared: make([]float64, 0, len(first)),
		points: make([]float64, 0, len(first)*t.Dim), dim: t.Dim, q: q,
	}
	for _, n := range first {
		r.IDs, r.Squared = append(r.IDs, n.ID), append(r.Squared, n.Squared)
		r.points = append(r.points, t.Row(n.ID)...)
	}
	return r
}

// Len returns the number of rivals.
func (r *Rivals) Len() int { return len(r.IDs) }

// Row returns rival i.
func (r *Rivals) Row(i int) []float64 { return r.points[i*r.dim : (i+1)*r.dim] }

// Bound bounds the distance of the points at which p, at a squared distance from X,
// comes before rival i.
func (r *Rivals) Bound(i int, p []float64, squared float64) float64 {
	return BisectorBound(squared, r.Squared[i], DualDistance(r.q.Norm, r.Row(i), p), r.dim)
}

// BoxBound is Bound for all points p of a box, at a squared distance from X or
// farther: the smallest numerator over the largest denominator. It overwrites reach.
func (r *Rivals) BoxBound(i int, lo, hi []float64, squared float64, reach []float64) float64 {
	for j, e := range r.Row(i) {
		reach[j] = max(e-lo[j], hi[j]-e)
	}
	return BisectorBound(squared, r.Squared[i], r.q.Norm.Dual().Length(reach), r.dim)
}
