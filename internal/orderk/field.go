package orderk

import (
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/neighbors"
	"github.com/seed-1a7dc1f9/facet/internal/nnindex"
	"github.com/seed-1a7dc1f9/facet/polytope"
	"gonum.org/v1/gonum/floats"
)

// field holds the rows that matter to answers within radius of X. The search looks
// at no others: at any such answer the rows of the side up to the pivot, and the
// rivals before it, are in the field; and wherever more than spare rivals come
// before a pivot, more than spare of the field do.
type field struct {
	radius float64
	side   []sideRow // in the order in which they are taken for pivots
	rivals []fieldRow
	// What leads from X to the rows, flat, for many passes over them; nil before
	// displace, and in a field that is wide.
	toSide, toRivals []float64
}

// fieldRow is a row with what bounds its distance from X+u by ‖u‖ alone:
// ‖point − X − u‖₂² ≥ ‖u‖₂² + square − 2·‖u‖·length.
type fieldRow struct {
	point  []float64
	square float64 // ‖point − X‖₂²
	length float64 // ‖point − X‖ in the dual norm
	id     int32
}

// sideRow is a row of the side and what a few rivals bound it by, as a pivot or as
// a row before one.
type sideRow struct {
	fieldRow
	alone float64
}

// wide reports whether a query of the trees is faster than a pass over the field.
func (f *field) wide() bool { return len(f.rivals)+len(f.side) > widest }

// widest is the number of rows up to which a pass over a field is faster.
const widest = 8192

// displace notes what leads from X to the rows of the field. Distances from X+u are
// then sums of (p−X−u)², in which nothing is as large as X.
func (f *field) displace(x []float64) {
	if f.wide() {
		return
	}
	d := len(x)
	f.toSide = make([]float64, len(f.side)*d)
	for i := range f.side {
		floats.SubTo(f.toSide[i*d:(i+1)*d], f.side[i].point, x)
	}
	f.toRivals = make([]float64, len(f.rivals)*d)
	for i := range f.rivals {
		floats.SubTo(f.toRivals[i*d:(i+1)*d], f.rivals[i].point, x)
	}
}

// squared returns the squared distance of row i from x+u, or a number above limit if
// it lies beyond; to leads from x to the rows, if it is there.
func (r *fieldRow) squared(x, u, to []float64, i int, limit float64) float64 {
	if d := len(u); to != nil {
		return nnindex.Below(u, to[i*d:(i+1)*d], limit)
	}
	return nnindex.Moved(x, u, r.point)
}

// lay makes the field of a radius.
func (o *orderOpener) lay(radius float64) {
	radius *= 1 + neighbors.Spread
	f := &field{radius: radius}
	for _, t := range o.own {
		o.laySide(f, t, 0)
	}
	most := o.mostRival(radius)
	for _, t := range o.rivals {
		o.layRivals(f, t, 0, most)
	}
	slices.SortFunc(f.side, func(a, b sideRow) int {
		return ascending(ranked{a.alone, a.id}, ranked{b.alone, b.id})
	})
	o.field = f
}

// narrow makes the field of a smaller radius out of the one there is.
func (o *orderOpener) narrow(radius float64) {
	radius *= 1 + neighbors.Spread
	old := o.field
	if radius >= old.radius {
		return
	}
	f := &field{radius: radius}
	for _, r := range old.side {
		if r.alone <= radius {
			f.side = append(f.side, r)
		}
	}
	most := o.mostRival(radius)
	for _, r := range old.rivals {
		if !(r.ahead(radius) > most) {
			f.rivals = append(f.rivals, r)
		}
	}
	o.field = f
}

// ahead returns square − 2·radius·length, rounded down.
func (r *fieldRow) ahead(radius float64) float64 {
	return r.square*(1-neighbors.Spread) - 2*radius*r.length*(1+neighbors.Spread)
}

// mostRival returns a number that square − 2·radius·length exceeds only for rivals
// that have more than spare others before them everywhere within the radius.
func (s *orderSearch) mostRival(radius float64) float64 {
	if len(s.square) <= s.quota.Spare {
		return math.Inf(1)
	}
	farthest := make([]float64, len(s.square))
	for i, square := range s.square {
		farthest[i] = square + 2*radius*neighbors.DualDistance(s.q.Norm, s.q.X, s.rival(i))
	}
	slices.Sort(farthest)
	return farthest[s.quota.Spare] * (1 + neighbors.Spread)
}

// laySide adds the rows below a node of a tree of the side.
func (o *orderOpener) laySide(f *field, t *nnindex.Tree, node int) {
	n := t.Nodes[node]
	if o.boundBox(t, node) > f.radius {
		return
	}
	if n.Left != 0 {
		o.laySide(f, t, int(n.Left))
		o.laySide(f, t, int(n.Left)+1)
		return
	}
	for i := n.First; i < n.End; i++ {
		p := t.Point(int(i))
		square := nnindex.Squared(o.q.X, p)
		if o.beyond(p, square, f.radius) {
			continue
		}
		if alone := o.alone(p, square); alone <= f.radius {
			f.side = append(f.side, sideRow{fieldRow{p, square, neighbors.DualDistance(o.q.Norm, o.q.X, p), t.IDs[i]}, alone})
		}
	}
}

// beyond reports whether the spare+1 nearest rivals already bound a row of the side
// beyond a radius.
func (o *orderOpener) beyond(p []float64, square, radius float64) bool {
	if len(o.square) <= o.quota.Spare {
		return false
	}
	for i := range o.quota.Spare + 1 {
		if neighbors.BisectorBound(square, o.square[i], neighbors.DualDistance(o.q.Norm, o.rival(i), p), o.table.Dim) <= radius {
			return false
		}
	}
	return true
}

// layRivals adds the rivals below a node of a tree.
func (o *orderOpener) layRivals(f *field, t *nnindex.Tree, node int, most float64) {
	n := t.Nodes[node]
	if o.leastAhead(t, node, f.radius) > most {
		return
	}
	if n.Left != 0 {
		o.layRivals(f, t, int(n.Left), most)
		o.layRivals(f, t, int(n.Left)+1, most)
		return
	}
	for i := int(n.First); i < int(n.End); i++ {
		p := t.Point(i)
		r := fieldRow{p, nnindex.Squared(o.q.X, p), neighbors.DualDistance(o.q.Norm, o.q.X, p), t.IDs[i]}
		if !(r.ahead(f.radius) > most) {
			f.rivals = append(f.rivals, r)
		}
	}
}

// leastAhead bounds square − 2·radius·length of the rows below a node from below.
func (o *orderOpener) leastAhead(t *nnindex.Tree, node int, radius float64) float64 {
	if o.q.Norm != polytope.LInf {
		// The dual length is at most the Euclidean one.
		near := math.Sqrt(t.ToBox(node, o.q.X)) * (1 - neighbors.Spread)
		return aheadOf(max(near, radius), radius)
	}
	lo, hi := t.Box(node)
	var least float64
	for j, x := range o.q.X {
		near := max(lo[j]-x, x-hi[j], 0)
		near = min(max(near, radius), max(x-lo[j], hi[j]-x))
		least += aheadOf(near, radius)
	}
	return least
}

// aheadOf returns near² − 2·radius·near, rounded down.
func aheadOf(near, radius float64) float64 {
	return near * (near*(1-neighbors.Spread) - 2*radius*(1+neighbors.Spread))
}

// nearby knows which rows cannot lie within a squared distance of X+u.
type nearby struct{ rest, slope float64 }

// near returns what it takes to find rows within reach, a squared distance, of a
// point at the given distances from X, in the norm and in ℓ2.
func near(reach, distance, length float64) nearby {
	return nearby{rest: reach - length*length*(1-neighbors.Spread), slope: 2 * distance * (1 + neighbors.Spread)}
}

// misses reports whether a row lies farther away, without looking at it.
func (n *nearby) misses(r *fieldRow) bool {
	return r.square*(1-neighbors.Spread)-n.slope*r.length > n.rest
}
