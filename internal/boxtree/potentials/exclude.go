package potentials

import (
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/boxtree/grid"
)

// exclusion finds intervals with which a margin falls short of a goal: those of a bin in which the
// profiles of a feature add up to too little. Each leaf there loses only its tree's part of the
// difference, so that Narrow alone would not see it. Sweeps with nil exclude none.
type exclusion struct {
	goal, reach float64
	left        grid.Box // the box without outer bins that sweeps have excluded
	sum         int64    // in units: Margin, but for the feature in hand
	tops        []int32  // by tree: the largest value of its leaves
}

// excluding returns an exclusion that has left all of the box.
func (d *Decomposition) excluding(stop Stop) *exclusion {
	return &exclusion{
		goal: stop.Goal, reach: stop.Far,
		left: slices.Clone(d.box), tops: make([]int32, d.trees()),
	}
}

// begin adds up the margin.
func (e *exclusion) begin(d *Decomposition) {
	if e == nil {
		return
	}
	e.sum = d.start(e.reach)
	for t := range e.tops {
		e.tops[t] = d.top(int32(t))
		e.sum += int64(e.tops[t])
	}
}

// top returns the largest value of the leaves of a tree.
func (d *Decomposition) top(t int32) int32 { return slices.Max(d.values[d.first[t]:d.first[t+1]]) }

// without takes a feature, and the trees that use it, from the sum.
func (e *exclusion) without(f *feature) {
	if e == nil {
		return
	}
	e.sum -= f.constant
	for _, u := range f.users {
		e.sum -= int64(e.tops[u.tree])
	}
}

// with adds them as they are now.
func (e *exclusion) with(d *Decomposition, f *feature) {
	if e == nil {
		return
	}
	e.sum += f.constant
	for _, u := range f.users {
		e.tops[u.tree] = d.top(u.tree)
		e.sum += int64(e.tops[u.tree])
	}
}

// outer takes outer bins of the feature in hand from the box that is left. It returns the part of
// the feature's whole span that is left.
func (s *Sweeper) outer(e *exclusion, number int, unit float64, whole grid.Span) grid.Span {
	if e == nil {
		return whole
	}
	k, cuts, left := &s.step, s.cuts[number], &e.left[number]
	rest := e.sum + int64(len(k.users))*unreachable
	lost := func(bin int) bool {
		return k.barred[bin] != 0 || float64(rest+k.totals[bin])*unit < e.goal
	}
	for i := 0; i < len(cuts)-1 && lost(i); i++ {
		left.Lo = max(left.Lo, cuts[i]+1)
	}
	for i := len(cuts) - 1; i > 0 && lost(i); i-- {
		left.Hi = min(left.Hi, cuts[i-1])
	}
	return *left
}

// Tighten improves potentials, shrinks the box to the part that may come to the goal, and begins
// anew where that is much less, a few times. It returns the potentials that it improved last, and
// the margin within the farther distance, which no leaf lies beyond; nil if the margin falls short
// of the goal.
func (s *Sweeper) Tighten(d *Decomposition, stop Stop) (tight *Decomposition, now Swept) {
	for n := 0; d != nil; n++ {
		e := d.excluding(stop)
		now = s.improve(d, stop, e)
		if now.Lost || slices.ContainsFunc(e.left, empty) {
			return nil, now
		}
		d.left = e.left
		if n == mostNarrowings || s.ended() || !d.shrunk() {
			return d, now
		}
		d, stop.Root = s.Narrow(d, d.left, stop.Far, stop.Goal), false
	}
	return nil, now
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
