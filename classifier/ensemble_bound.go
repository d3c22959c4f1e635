package classifier

import (
	"math"

	"github.com/seed-1a7dc1f9/facet/polytope"
)

// tightest returns the largest of the crossings of all contrasts of a target, and
// sets best to the choices that belong to it; false when one of them does not
// cross within the cutoff.
func (o *ensembleOpener) tightest(t target, bound, cutoff float64) (radius float64, ok bool) {
	for i := t.first; i < t.last; i++ {
		r, ok := o.crossing(i, bound, cutoff)
		if !ok {
			return 0, false
		}
		if i == t.first || r > radius {
			o.binding, radius = i, r
		}
	}
	if o.binding != t.last-1 {
		return o.crossing(o.binding, bound, cutoff)
	}
	return radius, true
}

// crossing returns the radius, at least the known bound, at which the best
// reachable choices could reach a tie, and sets best to these; false when they do
// not within the cutoff.
func (o *ensembleOpener) crossing(contrast int, bound, cutoff float64) (float64, bool) {
	c := o.c
	known, limit := o.scaled(bound), o.scaled(cutoff)
	width := len(c.base)
	order := c.order[contrast*c.len():]
	sum, missing := c.base[contrast], 0
	o.steps = o.steps[:0]
	for g := range o.best {
		o.best[g], o.gain[g] = -1, math.Inf(-1)
		nearest := math.Inf(1)
		for _, i := range order[c.first[g]:c.first[g+1]] {
			if !o.alive[i] || c.reach[i] >= nearest {
				continue // or there is a better one that is no farther
			}
			reach := o.reachOf(i)
			if reach <= known {
				o.best[g], o.gain[g] = i, c.gains[int(i)*width+contrast]
				break
			}
			if reach < nearest && reach <= limit {
				o.steps = append(o.steps, step{reach, c.gains[int(i)*width+contrast], int32(g), i})
				nearest = reach
			}
		}
		if o.best[g] < 0 {
			missing++
		} else {
			sum += o.gain[g]
		}
	}
	k := &o.contrasts[contrast]
	if missing == 0 && sum >= -k.slack {
		return bound, true
	}
	return o.sweep(sum, missing, k)
}

// reachOf returns the scaled distance of the part of a choice within the box.
func (o *ensembleOpener) reachOf(choice int32) float64 {
	c := o.c
	if o.q.Norm == polytope.LInf {
		return c.reach[choice]
	}
	reach := o.reach
	for i := c.start[choice]; i < c.start[choice+1]; i++ {
		if s := &c.sides[i]; s.gap > o.gaps[s.feature] {
			reach += s.gap - o.gaps[s.feature]
		}
	}
	return reach
}

// sweep lets the radius grow from step to step until the sum crosses.
func (o *ensembleOpener) sweep(sum float64, missing int, k *contrast) (float64, bool) {
	slack := k.slack
	for o.steps.heap(); len(o.steps) > 0; {
		s := o.steps.pop()
		if s.gain <= o.gain[s.group] {
			continue
		}
		if o.best[s.group] < 0 {
			missing--
			sum += s.gain
		} else {
			sum += s.gain - o.gain[s.group]
		}
		o.best[s.group], o.gain[s.group] = s.choice, s.gain
		slack += k.change
		if missing == 0 && sum >= -slack {
			return o.distance(s.reach), true
		}
	}
	return 0, false
}
