package boxtree

import (
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/trees"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// crossing is where the best choices within a radius could win a margin.
type crossing struct {
	radius float64 // from which on they could
	margin int
	best   []int32   // of each group, within the radius; none of one that does not matter
	gains  []float64 // that they add to the margin
	spread float64   // mean difference of the gains of a group
	// In a search of several parts, best and gains are about the margin of each part that is won
	// last, and the spread is a share of the margin's greatest loss: see crossings.
	parts []partial
}

// of returns the entry of a crossing for a group.
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
	if len(o.parts) > 1 {
		return o.crossings(t, reach, bound, cutoff)
	}
	last, ok = o.lastOf(t.first, t.last, reach, bound, cutoff)
	if ok && last.margin != t.last-1 { // which a later one has overwritten
		last, _ = o.crossing(last.margin, reach, bound, cutoff)
	}
	return last, ok
}

// lastOf returns the crossing of the margin that is won last, of those from one to another; false
// when one of them is not won within the cutoff.
func (o *opener) lastOf(
	first, end int, reach, bound, cutoff float64,
) (last crossing, ok bool) {
	for i := first; i < end; i++ {
		x, ok := o.crossing(i, reach, bound, cutoff)
		if !ok {
			return last, false
		}
		if i == first || x.radius > last.radius {
			last = x
		}
	}
	return last, true
}

// crossing returns where the best choices could win a margin, false if not within the cutoff. They
// are those of the groups of its part.
func (o *opener) crossing(margin int, reach, bound, cutoff float64) (crossing, bool) {
	r, sweep := &o.region, &o.sweep
	c := r.choices
	known, limit := c.metric.Scaled(bound), c.metric.Scaled(cutoff)
	first, last := c.groupsOf(o.partOf(margin))
	sweep.Reset(last-first, c.baseOf(margin))
	if c.ordered {
		o.chooseOrdered(first, reach, known, limit)
	} else {
		o.choose(first, margin, reach, known, limit)
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

// choose tells the sweep the best choice of each group within a known reach, and better ones up to
// a limit.
func (o *opener) choose(first, margin int, reach, known, limit float64) {
	r, sweep, c := &o.region, &o.sweep, o.region.choices
	order := c.orderOf(margin)
	for g := range sweep.Best {
		nearest := math.NaN() // no reach is as far, not even one that overflows to +Inf
		for _, i := range order[c.first[first+g]:c.first[first+g+1]] {
			if !r.alive.Has(i) || c.reaches[i] >= nearest {
				continue // or there is a better one that is no farther
			}
			at := r.reachOf(i, reach)
			if at <= known {
				sweep.Choose(g, i, c.gain(i, margin))
				break
			}
			if !(at >= nearest) && at <= limit {
				nearest = at
				sweep.Step(trees.Step{
					Reach: at, Gain: c.gain(i, margin), Group: int32(g), Choice: i,
				})
			}
		}
	}
}

// chooseOrdered is choose of choices that lie in the order of their gains, in which those that are
// alive are found word by word. Mostly the first one is within the known reach.
func (o *opener) chooseOrdered(first int, reach, known, limit float64) {
	sweep, c := &o.sweep, o.region.choices
	alive, flat := o.region.alive, o.Norm == polytope.LInf
	begin := c.first[first]
	for g, end := range c.first[first+1:][:len(sweep.Best)] {
		i := alive.Next(begin, end)
		begin = end
		switch {
		case i == end:
		case flat && c.reaches[i] <= known:
			sweep.Choose(g, i, c.gains[i])
		default:
			o.chooseFrom(g, i, end, reach, known, limit)
		}
	}
}

// chooseFrom is chooseOrdered of one group, from a choice that is alive on.
func (o *opener) chooseFrom(g int, i, end int32, reach, known, limit float64) {
	r, sweep, c := &o.region, &o.sweep, o.region.choices
	nearest := math.NaN()
	for ; i < end; i = r.alive.Next(i+1, end) {
		if c.reaches[i] >= nearest {
			continue
		}
		at := r.reachOf(i, reach)
		if at <= known {
			sweep.Choose(g, i, c.gains[i])
			return
		}
		if !(at >= nearest) && at <= limit {
			nearest = at
			sweep.Step(trees.Step{Reach: at, Gain: c.gains[i], Group: int32(g), Choice: i})
		}
	}
}
