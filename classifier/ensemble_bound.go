package classifier

import (
	"math"

	"github.com/seed-1a7dc1f9/facet/polytope"
)

// step is a choice that is better than the best of its group within the radius so far.
type step struct {
	reach, gain   float64
	group, choice int32
}

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
	k := len(c.base)
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
				o.best[g], o.gain[g] = i, c.gains[int(i)*k+contrast]
				break
			}
			if reach < nearest && reach <= limit {
				o.steps = append(o.steps, step{reach, c.gains[int(i)*k+contrast], int32(g), i})
				nearest = reach
			}
		}
		if o.best[g] < 0 {
			missing++
		} else {
			sum += o.gain[g]
		}
	}
	slack := o.contrasts[contrast].slack
	if missing == 0 && sum >= -slack {
		return bound, true
	}
	return o.sweep(sum, missing, slack)
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
func (o *ensembleOpener) sweep(sum float64, missing int, slack float64) (float64, bool) {
	for i := len(o.steps)/2 - 1; i >= 0; i-- {
		siftDown(o.steps, i)
	}
	for len(o.steps) > 0 {
		s := o.steps[0]
		last := len(o.steps) - 1
		o.steps[0] = o.steps[last]
		o.steps = o.steps[:last]
		siftDown(o.steps, 0)
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
		if missing == 0 && sum >= -slack {
			return o.unscale(s.reach), true
		}
	}
	return 0, false
}

// before reports whether a comes before b: the nearer first, then the better.
func (a *step) before(b *step) bool {
	switch {
	case a.reach != b.reach:
		return a.reach < b.reach
	case a.gain != b.gain:
		return a.gain > b.gain
	case a.group != b.group:
		return a.group < b.group
	}
	return a.choice < b.choice
}

// siftDown restores the heap below i, the first step on top.
func siftDown(h []step, i int) {
	for {
		c := 2*i + 1
		if c >= len(h) {
			return
		}
		if c+1 < len(h) && h[c+1].before(&h[c]) {
			c++
		}
		if !h[c].before(&h[i]) {
			return
		}
		h[i], h[c] = h[c], h[i]
		i = c
	}
}
