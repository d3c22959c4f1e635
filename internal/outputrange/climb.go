package outputrange

import (
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/slots"
)

// climb looks for a large sum from a cell of the region on, which it moves: one feature at a
// time to the slot with the largest sum, until none is larger.
func (s *finder) climb(cell []int32) {
	for still := 0; still < len(cell); {
		for f := int32(0); int(f) < len(cell) && still < len(cell); f++ {
			still++
			span := s.room(cell, f)
			if span.Lo >= span.Hi {
				continue
			}
			sums := s.profile(cell, f, span)
			best := cell[f]
			for i, sum := range sums {
				if sum > sums[best-span.Lo] {
					best = span.Lo + int32(i)
				}
			}
			if best != cell[f] {
				cell[f], still = best, 0
			}
		}
	}
	b := make(slots.Box, len(cell))
	for f, slot := range cell {
		b[f] = slots.Span{Lo: slot, Hi: slot}
	}
	s.take(b)
}

// room returns the slots that a feature of a cell can move to within the region.
func (s *finder) room(cell []int32, f int32) slots.Span {
	if !s.round {
		return s.Domain[f]
	}
	others := s.CellReach(&s.metric, cell) - s.gap(f, slots.Span{Lo: cell[f], Hi: cell[f]})
	span := s.SlotsWithin(&s.metric, f, others, s.limit)
	return slots.Span{Lo: min(span.Lo, cell[f]), Hi: max(span.Hi, cell[f])}
}

// profile returns what the trees add up to in each slot of a span of a feature, the other
// features being those of a cell, but for a constant and rounding.
func (s *finder) profile(cell []int32, f int32, span slots.Span) []float64 {
	s.sums = slices.Grow(s.sums[:0], int(span.Hi-span.Lo)+2)[:span.Hi-span.Lo+2]
	clear(s.sums)
	p := profile{sums: s.sums, cell: cell, feature: f, low: span.Lo}
	for t := range s.Trees {
		p.visit(s.Trees[t].Nodes, s.gains[t], 0, span.Lo, span.Hi)
	}
	for i := 1; i < len(s.sums); i++ { // of differences from slot to slot
		s.sums[i] += s.sums[i-1]
	}
	return s.sums[:len(s.sums)-1]
}

type profile struct {
	sums    []float64
	cell    []int32
	feature int32
	low     int32
}

// visit adds the differences that the leaves below a node make which the slots lo ≤ s ≤ hi of
// the feature reach.
func (p *profile) visit(nodes []slots.Node, gains []float64, i, lo, hi int32) {
	for {
		n := &nodes[i]
		switch {
		case n.Feature < 0:
			p.sums[lo-p.low] += gains[i]
			p.sums[hi-p.low+1] -= gains[i]
			return
		case n.Feature != p.feature:
			if i = n.Right; p.cell[n.Feature] <= n.Cut {
				i = n.Left
			}
		case n.Cut >= hi:
			i = n.Left
		case n.Cut < lo:
			i = n.Right
		default:
			p.visit(nodes, gains, n.Left, lo, n.Cut)
			i, lo = n.Right, n.Cut+1
		}
	}
}
