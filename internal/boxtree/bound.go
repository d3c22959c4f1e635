package boxtree

import (
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// crossing is where the best choices within a radius could win all leads of a target.
type crossing struct {
	radius float64 // from which on they could
	lead   int     // that is won last
	best   []int32 // what each group does most for it with within the radius
	gains  []float64
}

// crossing returns the largest of the crossings of all leads of a target, at least the
// bound that is known; false when one of them does not cross within the cutoff. The region
// has a reach. The next call overwrites the crossing.
func (o *opener) crossing(t target, reach, bound, cutoff float64) (x crossing, ok bool) {
	for i := t.first; i < t.last; i++ {
		radius, ok := o.cross(i, reach, bound, cutoff)
		if !ok {
			return x, false
		}
		if i == t.first || radius > x.radius {
			x.lead, x.radius = i, radius
		}
	}
	if x.lead != t.last-1 {
		o.cross(x.lead, reach, bound, cutoff)
	}
	x.best, x.gains = o.sweep.Best, o.sweep.Gains
	return x, true
}

// cross returns the radius at which the best choices could win a lead, and leaves these
// in the sweep.
func (o *opener) cross(lead int, reach, bound, cutoff float64) (radius float64, ok bool) {
	r := &o.region
	c, l := r.choices, &o.leads[lead]
	known, limit := c.metric.scaled(bound), c.metric.scaled(cutoff)
	o.sweep.Reset(c.groups(), c.base[lead])
	for g := range c.groups() {
		nearest := math.Inf(1)
		for _, i := range c.ranked(lead, g) {
			if !r.alive[i] || c.reaches[i] >= nearest {
				continue // or there is a better one that is no farther
			}
			at := r.reachOf(i, reach)
			if at <= known {
				o.sweep.Choose(g, i, c.gain(i, lead))
				break
			}
			if at < nearest && at <= limit {
				o.sweep.Step(trees.Step{Reach: at, Gain: c.gain(i, lead), Group: int32(g), Choice: i})
				nearest = at
			}
		}
	}
	at, ok := o.sweep.Cross(l, known)
	if at > known {
		return c.metric.distance(at), ok
	}
	return bound, ok
}
