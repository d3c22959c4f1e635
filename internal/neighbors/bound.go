package neighbors

import (
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/nnindex"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// BisectorBound returns the distance from X to the bisector of a candidate and a
// rival in R^dim at squared distances cand and rival from X, length the DualDistance from the
// rival to the candidate, rounded down; 0 when the candidate is the nearer.
func BisectorBound(cand, rival, length float64, dim int) float64 {
	eps := precise.Noise(dim)
	excess := (cand-rival)/2 - eps*(cand+rival) - underflow
	if b := excess / length * (1 - eps); b > 0 && (b <= math.MaxFloat64 || length == 0) {
		return b // +Inf where the rows differ but where there is no moving
	}
	return 0
}

// NearRivals is how many of the rows nearest to a query that vote against an answer
// bound other rows, before programs are solved for these.
const NearRivals = 96

// underflow bounds the error of a squared distance where squares underflow, in
// up to 2²⁴ dimensions.
const underflow = 0x1p-1050

// DualDistance is that of a cost: the largest (q−p)·u of the displacements u that cost at most 1.
// Without prices it is ‖p − q‖ in the dual norm, by the processor's arithmetic for distances.
func DualDistance(g geometry.Cost, p, q []float64) float64 {
	switch {
	case g.Prices != nil:
		return g.DualDistance(p, q)
	case g.Norm == polytope.LInf:
		return nnindex.Absolute(p, q)
	case g.Norm == polytope.L1:
		return polytope.LInf.Distance(p, q)
	}
	return math.Sqrt(nnindex.Squared(p, q))
}

// DualDistances sets out to the DualDistance from p to len(out) rows, which lie one after the
// other.
func DualDistances(g geometry.Cost, p, rows, out []float64) {
	switch {
	case g.Prices != nil, g.Norm == polytope.L1:
		for i := range out {
			out[i] = DualDistance(g, p, rows[i*len(p):(i+1)*len(p)])
		}
	case g.Norm == polytope.LInf:
		nnindex.AbsoluteRows(p, rows, out)
	default:
		nnindex.SquaredRows(p, rows, out)
		for i, e := range out {
			out[i] = math.Sqrt(e)
		}
	}
}

// SureMargin is the margin over other rows, in units of the rounding error of a squared
// distance, with which a row comes first in anybody's arithmetic.
const SureMargin = 4

// Spread is the fraction of a square or a product of lengths that is allowed for
// rounding errors, which are below (d+4)·2⁻⁵² of them.
const Spread = 1e-9

// Tolerance returns the difference of squared distances from X+u, the greater of them squared and u
// of this length, within which a bisector, not the difference, tells which of two rows comes first.
func Tolerance(dim int, squared, length float64) float64 {
	return 2e-11 * math.Sqrt(float64(dim)) * (squared + length*length)
}

// Rounded is the violation of a bisector, relative to the numbers that make it up, that counts as
// rounding, as in package closest.
const Rounded = 1e-12

// Widened sets z to x+u, rounded, and returns a squared distance from it within which
// all lies that is within a squared distance of x+u.
func Widened(z, x, u []float64, squared float64) float64 {
	var drift float64
	for j, e := range x {
		var low float64
		z[j], low = precise.TwoSum(e, u[j])
		drift += low * low
	}
	limit := math.Sqrt(squared) + math.Sqrt(drift)*(1+Spread)
	return limit * limit * (1 + Spread)
}

// Rivals are rows that vote against an answer to a query, nearest to X first. They bound
// the distance at which other rows come before them.
type Rivals struct {
	First  []nnindex.Neighbor // at squared distances from X
	points []float64          // flat
	dim    int
	q      *search.Query

	nearest nnindex.Nearest // memory of First
}

// Rivals returns the rows of trees nearest to X.
func (t *Table) Rivals(trees Trees, q *search.Query, most int) (r Rivals) {
	r.Find(t, trees, q, most)
	return r
}

// Find sets r to the result of Rivals, in the memory that it has.
func (r *Rivals) Find(t *Table, trees Trees, q *search.Query, most int) {
	r.First, r.dim, r.q = trees.FirstIn(&r.nearest, q.X, most, math.Inf(1)), t.Dim, q
	r.points = slices.Grow(r.points[:0], len(r.First)*t.Dim)
	for _, n := range r.First {
		r.points = append(r.points, t.Row(n.ID)...)
	}
}

// Forget forgets all but memory, until Find.
func (r *Rivals) Forget() { r.First, r.points, r.q = nil, r.points[:0], nil }

// Horizon returns a squared distance from X beyond which rows come before rival i nowhere within a
// radius, whichever way they lie: the DualDistance between two rows is at most a multiple of the
// sum of their distances from X. It is +Inf where there is no such rival.
func (r *Rivals) Horizon(i int, radius float64) float64 {
	if i >= len(r.First) || r.q.Prices != nil {
		return math.Inf(1)
	}
	if r.q.Norm == polytope.LInf {
		radius *= math.Sqrt(float64(r.dim))
	}
	d := math.Sqrt(r.First[i].Squared+underflow) + 2*radius
	return d*d*(1+Spread) + underflow
}

// Head returns the n nearest of the rivals.
func (r *Rivals) Head(n int) Rivals {
	h := *r
	h.First = r.First[:min(n, len(r.First))]
	return h
}

// Len returns the number of rivals.
func (r *Rivals) Len() int { return len(r.First) }

// Row returns rival i.
func (r *Rivals) Row(i int) []float64 { return r.points[i*r.dim : (i+1)*r.dim] }

// Lengths sets out to the DualDistance from each of len(out) rivals to p.
func (r *Rivals) Lengths(p, out []float64) {
	if r.q.Prices == nil { // which has no direction
		DualDistances(r.q.Cost, p, r.points[:len(out)*r.dim], out)
		return
	}
	for i := range out {
		out[i] = r.q.Cost.DualDistance(r.Row(i), p)
	}
}

// Bound bounds the distance of the points at which p, at a squared distance from X,
// comes before rival i.
func (r *Rivals) Bound(i int, p []float64, squared float64) float64 {
	length := DualDistance(r.q.Cost, r.Row(i), p)
	return BisectorBound(squared, r.First[i].Squared, length, r.dim)
}

// Bounds sets out to Bound for len(out) rows, which lie one after the other, at squared
// distances from X.
func (r *Rivals) Bounds(i int, rows, squared, out []float64) {
	DualDistances(r.q.Cost, r.Row(i), rows, out)
	for j, length := range out {
		out[j] = BisectorBound(squared[j], r.First[i].Squared, length, r.dim)
	}
}

// BoxBound is Bound for all points p of a box, at a squared distance from X or
// farther: the smallest numerator over the largest denominator. It overwrites farthest.
func (r *Rivals) BoxBound(i int, lo, hi []float64, squared float64, farthest []float64) float64 {
	for j, e := range r.Row(i) {
		farthest[j] = max(e-lo[j], hi[j]-e)
	}
	if p := r.q.Prices; p != nil {
		for j, e := range r.Row(i) {
			farthest[j] = max((e-lo[j])/p.Down[j], (hi[j]-e)/p.Up[j])
		}
	}
	length := geometry.DualLength(r.q.Norm, farthest)
	return BisectorBound(squared, r.First[i].Squared, length, r.dim)
}

// Farthest returns a number that ‖p − X‖₂² − 2·radius·DualDistance(X, p) exceeds only for rows p
// that have more rivals than are allowed before them everywhere within the radius.
func (r *Rivals) Farthest(allowed int, radius float64) float64 {
	if r.Len() <= allowed {
		return math.Inf(1)
	}
	farthest := make([]float64, r.Len())
	for i, n := range r.First {
		farthest[i] = n.Squared +
			2*radius*DualDistance(r.q.Cost, r.Row(i), r.q.X)
	}
	slices.Sort(farthest)
	return farthest[allowed] * (1 + Spread)
}

// BoundAll returns the bound of the rivals on p as one of k neighbours: all but those allowed must
// come after it. It collects the farthest bounds in top, one more than are allowed.
func (r *Rivals) BoundAll(top *TopK, p []float64, squared float64, allowed int) float64 {
	top.Reset(allowed + 1)
	for i, rival := range r.First {
		if rival.Squared >= squared {
			break
		}
		if b := r.ConfinedBound(i, p, squared, r.Bound(i, p, squared)); b > 0 {
			top.Offer(b, rival.ID)
		}
	}
	return max(0, top.Least())
}

// BoundBox is BoundAll for all points of a box, at a squared distance from X or farther. It
// overwrites farthest.
func (r *Rivals) BoundBox(
	top *TopK, lo, hi []float64, squared float64, allowed int, farthest []float64,
) float64 {
	top.Reset(allowed + 1)
	for i, rival := range r.First {
		if rival.Squared >= squared {
			break
		}
		top.Offer(r.BoxBound(i, lo, hi, squared, farthest), rival.ID)
	}
	return max(0, top.Least())
}

// LeastBelow bounds ‖p − X‖₂² − 2·radius·DualDistance(X, p) of the rows p below a node from below.
func (r *Rivals) LeastBelow(t *nnindex.Tree, node int, radius float64) float64 {
	least := func(near, radius float64) float64 { // near² − 2·radius·near, rounded down
		return near * (near*(1-Spread) - 2*radius*(1+Spread))
	}
	if r.q.Norm != polytope.LInf && r.q.Prices == nil {
		// The dual length is at most the Euclidean one.
		near := math.Sqrt(t.ToBox(node, r.q.X)) * (1 - Spread)
		return least(max(near, radius), radius)
	}
	// The Reach is at most the sum of the coordinates' contributions, in any norm.
	lo, hi := t.Box(node)
	var sum float64
	for j, x := range r.q.X {
		near, radius := max(lo[j]-x, x-hi[j], 0), radius/r.q.Cost.Unit(j)
		sum += least(min(max(near, radius), max(x-lo[j], hi[j]-x)), radius)
	}
	return sum
}
