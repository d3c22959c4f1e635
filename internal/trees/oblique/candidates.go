package oblique

import (
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// candidates are the leaves that meet a polyhedron, tree after tree.
type candidates struct {
	leaves []candidate
	first  []int32 // those of tree t: first[t] ≤ i < first[t+1]
}

type candidate struct {
	leaf  int32
	bound float64 // on its distance from X within the polyhedron
	// point is where it is known to be at most as far away as the bound of the node, nil
	// while that is not known.
	point []float64
}

// all returns the leaves of all trees, bounded by their half-spaces.
func (s *voteSearch) all() *candidates {
	c := &candidates{first: s.g.first, leaves: make([]candidate, len(s.g.leaves))}
	inDomain := s.q.Allows(s.q.X)
	for i := range c.leaves {
		l := candidate{leaf: int32(i)}
		for _, r := range s.g.leaves[i].ranges {
			l.bound = max(l.bound, s.away(r))
		}
		if l.bound == 0 && inDomain {
			l.point = s.q.X
		}
		c.leaves[i] = l
	}
	return c
}

// shrink returns the candidates of the parent that meet the polyhedron within the cutoff;
// nil when some tree has none.
func (o *opener) shrink(p *opening, s *node) *candidates {
	all := s.candidates
	c := &candidates{
		leaves: make([]candidate, 0, len(all.leaves)),
		first:  make([]int32, 0, len(all.first)),
	}
	for t := range o.m.Len() {
		c.first = append(c.first, int32(len(c.leaves)))
		for _, l := range all.leaves[all.first[t]:all.first[t+1]] {
			if (s.parent == nil || o.keep(&l, p.region, s)) && l.bound <= p.cutoff {
				c.leaves = append(c.leaves, l)
			}
		}
		if int(c.first[t]) == len(c.leaves) {
			return nil
		}
	}
	c.first = append(c.first, int32(len(c.leaves)))
	return c
}

// keep updates the bounds of a candidate of the parent; it returns false if the candidate does not
// meet the region of the node.
func (o *opener) keep(l *candidate, r *region, s *node) bool {
	within := r.ranges[s.interval.direction]
	for _, side := range o.g.leaves[l.leaf].ranges {
		if side.direction == within.direction {
			within = within.meet(side)
		}
	}
	if within.empty() {
		return false
	}
	l.bound = max(l.bound, o.away(within))
	if l.point != nil && !o.holds(s.interval, l.point) {
		l.point = nil
	}
	return true
}

// cross raises the bound of the node to the largest crossing of its margins and returns the
// candidates that belong to it, the best of each tree; nil when one of them never
// crosses, or beyond the cutoff.
func (o *opener) cross(p *opening) []int32 {
	margins := o.margins[p.Item]
	binding, radius := 0, p.Bound
	for i := range margins {
		r, ok := o.crossing(&margins[i], p)
		if !ok {
			return nil
		}
		if r > radius {
			binding, radius = i, r
		}
	}
	if binding != len(margins)-1 {
		o.crossing(&margins[binding], p)
	}
	if p.Bound = radius; p.Bound > p.cutoff {
		return nil
	}
	return o.sweep.Best
}

// crossing returns the radius, at least the bound, at which the best candidates within it
// could win, and leaves these in the sweep; false when they never do.
func (o *opener) crossing(l *trees.Margin, p *opening) (float64, bool) {
	o.sweep.Reset(o.m.Len(), l.Base)
	for t := range o.m.Len() {
		o.choose(l, p, t)
	}
	return o.sweep.Cross(l, p.Bound)
}

// choose gives the sweep the best candidate of tree t within the bound, and those that
// are better and farther.
func (o *opener) choose(l *trees.Margin, p *opening, t int) {
	all, best, most := p.candidates, int32(-1), math.Inf(-1)
	for i := all.first[t]; i < all.first[t+1]; i++ {
		if c := &all.leaves[i]; c.bound <= p.Bound {
			if gain := l.Gain(o.g.leaves[c.leaf].value); gain > most {
				best, most = i, gain
			}
		}
	}
	if best >= 0 {
		o.sweep.Choose(t, best, most)
	}
	for i := all.first[t]; i < all.first[t+1]; i++ {
		if c := &all.leaves[i]; c.bound > p.Bound && c.bound <= p.cutoff {
			if gain := l.Gain(o.g.leaves[c.leaf].value); gain > most {
				o.sweep.Step(trees.Step{Reach: c.bound, Gain: gain, Group: int32(t), Choice: i})
			}
		}
	}
}
