package classifier

import (
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/nnindex"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// bisectorBound returns the distance from X to the bisector of a candidate and a
// rival in R^dim at squared distances cand and rival from X and length apart in
// the dual norm, rounded down; 0 when the candidate is the nearer.
func bisectorBound(cand, rival, length float64, dim int) float64 {
	eps := noise(dim)
	excess := (cand-rival)/2 - eps*(cand+rival) - underflow
	if b := excess / length * (1 - eps); b > 0 && b <= math.MaxFloat64 {
		return b
	}
	return 0
}

// underflow bounds what is lost of a squared distance where squares underflow, in
// up to 2²⁴ dimensions.
const underflow = 0x1p-1050

// dualDistance returns ‖p − q‖_q, q dual to the norm.
func dualDistance(norm polytope.Norm, p, q []float64) float64 {
	q = q[:len(p)]
	switch norm {
	case polytope.LInf:
		var even, odd float64
		for j := 1; j < len(p); j += 2 {
			even += math.Abs(p[j-1] - q[j-1])
			odd += math.Abs(p[j] - q[j])
		}
		if n := len(p); n%2 == 1 {
			even += math.Abs(p[n-1] - q[n-1])
		}
		return even + odd
	case polytope.L1:
		var most float64
		for j, e := range p {
			if d := math.Abs(e - q[j]); d > most {
				most = d
			}
		}
		return most
	}
	return math.Sqrt(nnindex.Squared(p, q))
}

// boundBox bounds every candidate in the box of a tree node by its bisector with
// the nearest rival: the smallest numerator over the largest denominator.
func (o *nearestOpener) boundBox(t *nnindex.Tree, node int) float64 {
	if len(o.s.squared) == 0 {
		return 0
	}
	lo, hi := t.Box(node)
	for j, r := range o.s.rival(0) {
		o.a[j] = max(r-lo[j], hi[j]-r)
	}
	return bisectorBound(t.ToBox(node, o.s.q.X), o.s.squared[0], o.s.q.Norm.Dual().Length(o.a), o.s.c.dim)
}
