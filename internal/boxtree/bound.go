package boxtree

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// crossing is where the best choices within a radius could win a margin.
type crossing struct {
	radius float64 // from which on they could
	margin int
	best   []int32   // of each group, within the radius; none of one that does not matter
	gains  []float64 // what they add to the margin
	spread float64   // mean difference of the gains of a group
	// In a search of several parts, best and gains are about the margin of each part that is won
	// last, and the spread is a share of what the margin could lose: see crossings.
	parts []partial
}

// partial is what a crossing has of the groups of a part, those before last.
type partial struct {
	last, margin int
	spread       float64
	weight       float64 // of what the margin loses
}

// of returns what a crossing has of a group.
func (x *crossing) of(group int) partial {
	for _, p := range x.parts {
		if group < p.last {
			return p
		}
	}
	return partial{margin: x.margin, spread: x.spread, weight: 1}
}

// none is the best choice of a group whose choices all add the same.
const none = -1

// lastCrossing returns that of the margin of a target that is won last, at least the bound that is
// known; false when one of them is not won within the cutoff. The region has a reach. The
// next call overwrites the crossing.
func (o *opener) lastCrossing(t target, reach, bound, cutoff float64) (last crossing, ok bool) {
	o.radii = o.radii[:0]
	for i := t.first; i < t.last; i++ {
		x, ok := o.crossing(i, reach, bound, cutoff)
		if !ok {
			return last, false
		}
		if o.radii = append(o.radii, x.radius); i == t.first || x.radius > last.radius {
			last = x
		}
	}
	if len(o.parts) > 1 {
		return o.crossings(t, last, reach, cutoff), true
	}
	if last.margin != t.last-1 { // which a later one has overwritten
		last, _ = o.crossing(last.margin, reach, bound, cutoff)
	}
	return last, true
}

// crossings completes the last crossing in a search of several parts: by the best choices of each
// part within its radius, for the margin of it that is won last. A part with less to lose weighs
// more.
func (o *opener) crossings(t target, last crossing, reach, cutoff float64) crossing {
	c := o.region.choices
	o.best, o.gains = resize(o.best, c.groups()), resize(o.gains, c.groups())
	all := crossing{
		radius: last.radius, margin: last.margin, best: o.best, gains: o.gains,
		parts: o.partials[:0],
	}
	for g := range all.best { // a part whose labels all answer has no margin
		all.best[g], all.gains[g] = none, 0
	}
	binding := o.partOf(last.margin)
	for i := t.first; i < t.last; {
		part, margin := o.partOf(i), i
		for ; i < t.last && o.partOf(i) == part; i++ {
			if o.radii[i-t.first] > o.radii[margin-t.first] {
				margin = i
			}
		}
		x, _ := o.crossing(margin, reach, last.radius, cutoff)
		first, end := c.groupsOf(part)
		copy(o.best[first:end], x.best)
		copy(o.gains[first:end], x.gains)
		p := partial{last: end, margin: margin, spread: x.spread, weight: 1}
		if excess := c.baseOf(margin) + floats.Sum(x.gains) - o.goal(margin); x.spread > 0 {
			p.weight = 1 / (max(0, excess) + x.spread)
		}
		if all.parts = append(all.parts, p); part == binding {
			all.spread = x.spread * p.weight
		}
	}
	o.partials = all.parts
	return all
}

// crossing returns where the best choices could win a margin, false if not within the cutoff. They
// are those of the groups of its part.
func (o *opener) crossing(margin int, reach, bound, cutoff float64) (crossing, bool) {
	r, sweep := &o.region, &o.sweep
	c := r.choices
	known, limit := c.metric.Scaled(bound), c.metric.Scaled(cutoff)
	first, last := c.groupsOf(o.partOf(margin))
	sweep.Reset(last-first, c.baseOf(margin))
	for g := first; g < last; g++ {
		// nothing yet: no reach is as far, not even one that overflows to +Inf
		nearest := math.NaN()
		for _, i := range c.ranked(margin, g) {
			if !r.alive[i] || c.reaches[i] >= nearest {
				continue // or there is a better one that is no farther
			}
			at := r.reachOf(i, reach)
			if at <= known {
				sweep.Choose(g-first, i, c.gain(i, margin))
				break
			}
			if !(at >= nearest) && at <= limit {
				sweep.Step(trees.Step{
					Reach: at, Gain: c.gain(i, margin), Group: int32(g - first), Choice: i,
				})
				nearest = at
			}
		}
	}
	at, ok := sweep.Cross(&o.margins[margin], known)
	if at > known {
		bound = c.metric.Distance(at)
	}
	return crossing{
		radius: bound, margin: margin, best: sweep.Best, gains: sweep.Gains,
		spread: c.spreadOf(margin),
	}, ok
}
