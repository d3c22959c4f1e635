package orderk

import (
	"math"

	"github.com/seed-1a7dc1f9/facet/classifier/search"
	"github.com/seed-1a7dc1f9/facet/internal/cellpoint"
	"github.com/seed-1a7dc1f9/facet/internal/neighbors"
)

const (
	// pushed is how many rows of the side beyond the seats X is pushed to.
	pushed = 10
	// fewPivots is up to how many rows of the side the trees are asked for rivals.
	fewPivots = 16
	// askedRivals is how many rivals beyond spare are near X.
	askedRivals = 32
	// fewPartners is up to how many partners of a pivot make its first parts.
	fewPartners = 4
)

// Ask implements bestfirst.Asked.
func (s *query) Ask() { s.asked = true }

// ask opens the first node where all that is asked is whether there is an answer within a
// radius. One that comes to hand will do, wherever its cell begins: the node comes with it, and
// is opened without looking for another if a smaller radius is asked as well.
func (o *opener) ask(n search.Node, radius float64) (opened search.Opened) {
	if n.Item == 0 {
		own := o.own.FirstWithin(o.X, o.Seats+pushed, o.few.Horizon(o.Spare, radius))
		if z := o.table.Push(&o.Query, o.k, own, o.few.First, radius); z != nil {
			opened.Answer = cellpoint.Answer(&o.Query, n, z)
			opened.Answer.Bound, opened.Answer.Order = opened.Answer.Distance, math.MaxInt64
			n.Item = 1
			opened.Children = append(o.children.nodes[:0], n)
			return opened
		}
	}
	side := o.gatherSide(radius)
	if len(side) < o.Seats {
		return opened
	}
	if len(side) > fewPivots { // there is much to refute
		o.near = o.table.Rivals(o.rivals, &o.Query, neighbors.NearRivals+o.Spare)
	}
	if side = o.refute(side, radius); len(side) < o.Seats {
		return opened
	}
	candidates := &candidateSet{radius: radius * (1 + neighbors.Spread), side: side, lean: true}
	if len(side) > fewPivots || o.table.Dim <= neighbors.SlabDims {
		candidates = o.gatherAround(side, radius)
	}
	opened.Children = o.beginWith(candidates, radius)
	return opened
}

// refute leaves out the rows of the side that are refuted within a radius, and notes what may refute
// pairs of the others.
func (s *query) refute(side []candidate, radius float64) (left []candidate) {
	if s.Prices != nil {
		return side
	}
	refuter := s.near.Refuter(s.Spare, radius*(1+neighbors.Spread))
	for _, r := range side {
		lines, refuted := refuter.Row(s.table.Row(r.id), r.square)
		if r.lines = lines; !refuted {
			left = append(left, r)
		}
	}
	return left
}
