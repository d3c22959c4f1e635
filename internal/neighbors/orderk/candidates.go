package orderk

import (
	"cmp"
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/floats"

	"github.com/seed-1a7dc1f9/facet/internal/neighbors"
	"github.com/seed-1a7dc1f9/facet/internal/nnindex"
)

// candidateSet holds the rows that matter to answers within radius of X. The search
// looks at no others: at any such answer the supporting rows up to the pivot, and the
// rivals before it, are candidates; and wherever more rivals than are allowed come before a
// pivot, more candidates than that do. It does not change once displaced.
type candidateSet struct {
	around     *surroundings
	radius     float64
	supporting []candidate // in the order in which they are taken for pivots
	rivals     []candidate
	// The displacements from X to the rows, flat, for many passes over them; nil before
	// displace, and in a set that is wide.
	toSupporting, toRivals []float64
}

// onePivot is the State of a node that stands for one pivot of a set.
type onePivot struct{ *candidateSet }

// candidate is a row with numbers that bound its distance from X+u by ‖u‖ alone:
// ‖point − X − u‖₂² ≥ ‖u‖₂² + square − 2·‖u‖·length.
type candidate struct {
	square float64 // ‖point − X‖₂²
	length float64 // the Reach from X to the point
	bound  float64 // of a supporting row, by a few rivals
	id     int32
	lines  neighbors.Lines // of a supporting row, where a radius is all that is asked
}

// wide reports whether a query of the trees is faster than a pass over the set.
func (s *candidateSet) wide() bool { return len(s.rivals)+len(s.supporting) > mostPassed }

// mostPassed is the number of rows up to which a pass over a set is faster.
const mostPassed = 8192

// displace notes the displacements from X to the rows. Distances from X+u are then sums of
// (p−X−u)², in which no number is as large as X.
func (s *candidateSet) displace(q *query) {
	if !s.wide() {
		s.toSupporting, s.toRivals = q.displacements(s.supporting), q.displacements(s.rivals)
	}
}

func (s *query) displacements(rows []candidate) []float64 {
	d := s.table.Dim
	to := make([]float64, len(rows)*d)
	for i, r := range rows {
		floats.SubTo(to[i*d:(i+1)*d], s.table.Row(r.id), s.X)
	}
	return to
}

// least returns square − 2·radius·length, rounded down.
func (r *candidate) least(radius float64) float64 {
	return r.square*(1-neighbors.Spread) - 2*radius*r.length*(1+neighbors.Spread)
}

func (s *query) candidate(p []float64, id int32) candidate {
	return candidate{
		square: nnindex.Squared(s.X, p),
		length: neighbors.DualDistance(s.Cost, s.X, p),
		id:     id,
	}
}

// gather makes the candidate set of a radius.
func (o *opener) gather(radius float64) *candidateSet {
	supporting, _ := o.gatherSupporting(radius, math.MaxInt)
	return o.gatherAround(supporting, radius)
}

// gatherings are memory for rows that are gathered before it is known how many they are.
var gatherings = sync.Pool{New: func() any { return new([]candidate) }}

// gatherSupporting gathers the supporting rows in the order of their bounds, unless they are more
// than most, or the context ends.
func (o *opener) gatherSupporting(radius float64, most int) (supporting []candidate, all bool) {
	radius *= 1 + neighbors.Spread
	rows := gatherings.Get().(*[]candidate)
	defer gatherings.Put(rows)
	*rows = (*rows)[:0]
	for _, t := range o.own {
		o.few.Sift(t, o.Allowed, radius, func(i int, squared, bound float64) bool {
			*rows = append(*rows, candidate{
				square: squared,
				length: neighbors.DualDistance(o.Cost, o.X, t.Point(i)),
				bound:  bound,
				id:     t.IDs[i],
			})
			return len(*rows) <= most && (len(*rows)%64 > 0 || !o.ended())
		})
		if len(*rows) > most || o.ended() {
			return nil, false
		}
	}
	supporting = slices.Clone(*rows)
	slices.SortFunc(supporting, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.bound, b.bound), cmp.Compare(a.id, b.id))
	})
	return supporting, true
}

// gatherAround makes the candidate set of supporting rows.
func (o *opener) gatherAround(supporting []candidate, radius float64) *candidateSet {
	radius *= 1 + neighbors.Spread
	most := o.near.Farthest(o.Allowed, radius)
	rows := gatherings.Get().(*[]candidate)
	defer gatherings.Put(rows)
	*rows = (*rows)[:0]
	var squared, lengths []float64
	for _, t := range o.rivals {
		skip := func(node int) bool {
			return o.near.LeastBelow(t, node, radius) > most || o.ended()
		}
		t.Leaves(skip, func(n nnindex.Node) {
			size := int(n.End - n.First)
			squared, lengths = slices.Grow(squared[:0], size)[:size], slices.Grow(lengths[:0],
				size)[:size]
			nnindex.SquaredRows(o.X, t.Points(n), squared)
			neighbors.DualDistances(o.Cost, o.X, t.Points(n), lengths)
			for i, id := range t.IDs[n.First:n.End] {
				r := candidate{square: squared[i], length: lengths[i], id: id}
				if !(r.least(radius) > most) {
					*rows = append(*rows, r)
				}
			}
		})
	}
	return &candidateSet{
		around: o.surroundings, radius: radius, supporting: supporting,
		rivals: slices.Clone(*rows),
	}
}

// shrink returns the candidate set of a smaller radius.
func (s *candidateSet) shrink(allowed int, radius float64) *candidateSet {
	radius *= 1 + neighbors.Spread
	if radius >= s.radius {
		return s
	}
	most := s.around.near.Farthest(allowed, radius)
	return &candidateSet{
		around: s.around, radius: radius,
		supporting: slices.DeleteFunc(slices.Clone(s.supporting),
			func(r candidate) bool { return r.bound > radius }),
		rivals: slices.DeleteFunc(slices.Clone(s.rivals),
			func(r candidate) bool { return r.least(radius) > most }),
	}
}

// nearby knows which rows cannot lie within a squared distance of X+u.
type nearby struct{ rest, slope float64 }

// misses reports whether a row lies farther away, without looking at it.
func (n *nearby) misses(r *candidate) bool {
	return r.square*(1-neighbors.Spread)-n.slope*r.length > n.rest
}
