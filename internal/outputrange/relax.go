package outputrange

import (
	"context"
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/potentials"
	"github.com/seed-1a7dc1f9/facet/internal/slots"
)

// relax returns the decomposition of the sum over the whole region, with potentials of zero;
// nil if the gains cannot be counted, or ctx ends.
func (s *finder) relax(ctx context.Context) *potentials.Decomposition {
	box := spans(s.Domain)
	var leaves []potentials.Leaf
	first := []int32{0}
	for t := range s.Trees {
		if ctx.Err() != nil {
			return nil
		}
		leaves = s.gather(leaves, t, 0)
		first = append(first, int32(len(leaves)))
	}
	d := potentials.New(box, s.sign*s.model.ensemble.Vote.Base[0], leaves, first)
	if d == nil {
		return nil
	}
	return s.sweeper.Narrow(d, box, 0, math.Inf(-1)) // trees of a single leaf do not count any more
}

// gather appends the leaves of a tree below a node that meet the region.
func (s *finder) gather(leaves []potentials.Leaf, tree int, i int32) []potentials.Leaf {
	n := &s.Trees[tree].Nodes[i]
	if n.Feature < 0 {
		return s.meets(leaves, tree, i)
	}
	if n.Cut >= s.Domain[n.Feature].Lo {
		leaves = s.gather(leaves, tree, n.Left)
	}
	if n.Cut < s.Domain[n.Feature].Hi {
		leaves = s.gather(leaves, tree, n.Right)
	}
	return leaves
}

// meets appends a leaf if it meets the region.
func (s *finder) meets(leaves []potentials.Leaf, tree int, leaf int32) []potentials.Leaf {
	b := append(s.meeting[:0], s.Domain...)
	s.meeting = b
	s.restrict(b, tree, leaf)
	if _, empty := torn(b); empty || !s.within(b) {
		return leaves
	}
	l := potentials.Leaf{Gain: s.gains[tree][leaf]}
	for f, side := range b {
		if side != s.Domain[f] {
			l.Sides = append(l.Sides, potentials.Side{
				Feature: int32(f),
				Span:    potentials.Span(side),
			})
		}
	}
	return append(leaves, l)
}

func spans(b slots.Box) []potentials.Span {
	out := make([]potentials.Span, len(b))
	for f, s := range b {
		out[f] = potentials.Span(s)
	}
	return out
}

// tighten gives a part potentials of its own, made from those of what it is a part of, lowers
// its bound and says where to split it. It returns false once the part has nothing to offer.
func (s *finder) tighten(p *part, of *potentials.Decomposition) bool {
	d := s.sweeper.Narrow(of, spans(p.box), 0, math.Inf(-1))
	if d == nil {
		return false
	}
	sweeps := mostSweeps
	if p.depth == 0 {
		sweeps = rootSweeps
	}
	sum := d.Lead(0)
	s.sweeper.Prepare(d)
	for range sweeps {
		if p.bound = min(p.bound, sum+s.model.slack); p.bound <= s.best {
			return false
		}
		before, missing := sum, sum-s.best
		s.sweeper.Sweep(d, leastLoss*max(missing, 0))
		if sum = d.Lead(0); before-sum < leastGain*missing {
			break
		}
	}
	if cut := s.sweeper.Split; cut.Feature >= 0 {
		p.split = slots.Cut(cut)
	}
	p.potentials = d
	p.bound = min(p.bound, sum+s.model.slack)
	return p.bound > s.best
}

// A part is swept at most so often, the whole oftener: until a sweep gains less than a share of
// what is missing. A half counts as losing at least a share of it.
const (
	mostSweeps, rootSweeps = 5, 30
	leastGain, leastLoss   = 0.05, 0.001
)
