package potentials

import (
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/boxtree/grid"
)

// exclusion finds intervals with which a lead falls short of a goal: those of a bin in which the
// profiles of a feature add up to too little. Each leaf there loses only the part of its tree in
// what is missing, so that Narrow alone would not see it.
type exclusion struct {
	on          bool // or all of the box is left
	goal, reach float64
	left        grid.Box // the box without outer bins that all sweeps since Prepare excluded
	sum         int64    // in units: Lead, but for the feature in hand
	tops        []int32  // by tree: the largest value of its leaves
}

// begin adds up the lead.
func (s *Sweeper) begin(d *Decomposition) {
	if !s.on {
		return
	}
	s.sum = d.base + d.allowance(s.reach)
	for f := range d.features {
		s.sum += d.features[f].constant
	}
	s.tops = resize(s.tops, d.trees())
	for t := range s.tops {
		s.tops[t] = d.top(int32(t))
		s.sum += int64(s.tops[t])
	}
}

// top returns the largest value of the leaves of a tree.
func (d *Decomposition) top(t int32) int32 { return slices.Max(d.values[d.first[t]:d.first[t+1]]) }

// without takes a feature, and the trees that use it, from the sum.
func (s *Sweeper) without(d *Decomposition, number int) {
	if !s.on {
		return
	}
	f := &d.features[number]
	s.sum -= f.constant
	for _, u := range f.users {
		s.sum -= int64(s.tops[u.tree])
	}
}

// with adds them as they are now.
func (s *Sweeper) with(d *Decomposition, number int) {
	if !s.on {
		return
	}
	f := &d.features[number]
	s.sum += f.constant
	for _, u := range f.users {
		s.tops[u.tree] = d.top(u.tree)
		s.sum += int64(s.tops[u.tree])
	}
}

// exclude takes outer bins of the feature in hand from what is left.
func (s *Sweeper) exclude(d *Decomposition, number int) {
	if !s.on {
		return
	}
	k, cuts, left := &s.step, s.cuts[number], &s.left[number]
	rest := s.sum + int64(len(k.users))*unreachable
	lost := func(bin int) bool {
		return k.barred[bin] != 0 || float64(rest+k.totals[bin])*d.unit < s.goal
	}
	for i := 0; i < len(cuts)-1 && lost(i); i++ {
		left.Lo = max(left.Lo, cuts[i]+1)
	}
	for i := len(cuts) - 1; i > 0 && lost(i); i-- {
		left.Hi = min(left.Hi, cuts[i-1])
	}
}

// Tighten improves potentials, leaves what of the box may come to the goal, and begins anew where
// that is much less, a few times. It returns the potentials that it improved last, and the lead
// within the farther distance, which no leaf lies beyond; nil if the lead falls short of the goal.
func (s *Sweeper) Tighten(d *Decomposition, stop Stop) (tight *Decomposition, lead float64) {
	s.on, s.goal, s.reach = true, stop.Goal, stop.Far
	defer func() { s.on = false }()
	for n := 0; d != nil; n++ {
		lead, _, lost := s.Improve(d, stop)
		if lost || slices.ContainsFunc(s.left, empty) {
			return nil, lead
		}
		d.left = slices.Clone(s.left)
		if n == mostNarrowings || !d.shrunk() {
			return d, lead
		}
		d, stop.Root = s.Narrow(d, d.left, stop.Far, stop.Goal), false
	}
	return nil, math.Inf(-1)
}

func empty(s grid.Span) bool { return s.Lo > s.Hi }

// mostNarrowings is how often a box is narrowed at most, each time to less than a share of it.
const mostNarrowings, muchShare = 8, 0.5

// shrunk reports whether much less is left of the box.
func (d *Decomposition) shrunk() bool {
	share := 1.0
	for f, s := range d.left {
		share *= float64(s.Hi-s.Lo+1) / float64(d.box[f].Hi-d.box[f].Lo+1)
	}
	return share < muchShare
}
