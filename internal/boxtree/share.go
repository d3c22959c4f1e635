package boxtree

import (
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// The margins of a vote [trees.Share] are necessary, each on its own. Together they say more: label
// 1 needs that exp(−margin) over all of its margins sums up to at most 1, and label 0 that
// exp(margin) over the margins of all classes over the one in question comes to their number.

// sure returns the margins for local searches of a target with these: of a share first such with
// which it wins for sure.
func (s *boxSearch) sure(t target, margins []trees.Margin) [][]trees.Margin {
	if s.model.Vote.Rule != trees.Share {
		return [][]trees.Margin{margins}
	}
	strict := slices.Clone(margins)
	for i := range strict {
		if i == 0 || t.label() == 1 {
			strict[i].Base -= math.Log(float64(s.model.Classes - 1))
		}
	}
	return [][]trees.Margin{strict, margins}
}

// together returns the distance from which on the margins of a target could be won together, at
// least the bound that is known; false if not within the cutoff.
func (o *opener) together(t target, reach, bound, cutoff float64) (float64, bool) {
	c := o.region.choices
	if o.possible(t, reach, c.metric.Scaled(bound)) {
		return bound, true
	}
	limit := c.metric.Scaled(cutoff)
	if !o.possible(t, reach, limit) {
		return bound, false
	}
	steps := o.steps[:0]
	for i := range int32(c.len()) {
		if at := o.region.reachOf(i, reach); o.region.alive.Has(i) && at <= limit {
			steps = append(steps, at)
		}
	}
	slices.Sort(steps)
	o.steps = slices.Compact(steps)
	at, _ := slices.BinarySearchFunc(o.steps, true, func(at float64, _ bool) int {
		if o.possible(t, reach, at) {
			return 0
		}
		return -1
	})
	if at == len(o.steps) { // it is possible at the limit, and so at the last step before
		return bound, true
	}
	return max(bound, c.metric.Distance(o.steps[at])), true
}

// nearTie is the error that rounding may hide in sums of exponentials.
const nearTie = 1e-9

// possible reports whether the best choices within a distance could win the margins of a target
// together.
func (o *opener) possible(t target, reach, within float64) bool {
	margins, rivals := o.tops[:0], o.model.Classes-1
	if t.label() == 1 {
		for margin := t.first; margin < t.last; margin++ {
			margins = append(margins, -o.most(margin, reach, within))
		}
		o.tops = margins
		return sumExp(0, margins) <= 1+nearTie
	}
	// The sum of the target is the largest of those that lead the class in question.
	own := o.most(t.first, reach, within)
	for _, other := range o.targets {
		if other.label() == t.label() {
			margins = append(margins, min(own, o.most(other.first, reach, within)))
		}
	}
	for len(margins) < rivals { // which cannot be the largest
		margins = append(margins, own)
	}
	o.tops = margins
	return sumExp(0, margins) >= float64(rivals)*(1-nearTie)
}

// most returns the largest value of a margin with choices within a distance.
func (o *opener) most(margin int, reach, within float64) float64 {
	r, c := &o.region, o.region.choices
	sum := c.baseOf(margin) - o.goal(margin)
	for g := range c.groups() {
		best := math.Inf(-1)
		for _, i := range c.ranked(margin, g) {
			if r.alive.Has(i) && r.reachOf(i, reach) <= within {
				best = c.gain(i, margin)
				break
			}
		}
		sum += best
	}
	return sum
}
