package classifier

import "math"

// cross raises the bound of the node to the largest crossing of its contrasts, and
// sets best to the leaves that belong to it; false when one of them never crosses,
// or beyond the cutoff.
func (o *obliqueOpener) cross() bool {
	contrasts := o.contrasts[o.node.Item]
	binding, radius := 0, o.bound
	for i := range contrasts {
		r, ok := o.crossing(&contrasts[i])
		if !ok {
			return false
		}
		if r > radius {
			binding, radius = i, r
		}
	}
	if binding != len(contrasts)-1 {
		o.crossing(&contrasts[binding])
	}
	o.bound = radius
	return o.bound <= o.cutoff
}

// crossing returns the radius, at least the bound, at which the best reachable
// leaves could win, and sets best to these; false when they never do.
func (o *obliqueOpener) crossing(k *obliqueContrast) (float64, bool) {
	o.steps = o.steps[:0]
	sum, missing := k.base, 0
	for t := range o.best {
		if gain, ok := o.start(k, t); ok {
			sum += gain
		} else {
			missing++
		}
	}
	if missing == 0 && sum >= k.need {
		return o.bound, true
	}
	return o.sweep(k, sum, missing)
}

// start sets best to the best leaf of tree t within the bound and adds those that
// are better and farther to the steps. It returns the gain of the best, false if
// there is none.
func (o *obliqueOpener) start(k *obliqueContrast, t int) (float64, bool) {
	c, best, gain := o.leaves, int32(-1), math.Inf(-1)
	for i := c.first[t]; i < c.first[t+1]; i++ {
		if g := k.gains[c.leaves[i]]; g > gain && c.reach[i] <= o.bound {
			best, gain = i, g
		}
	}
	for i := c.first[t]; i < c.first[t+1]; i++ {
		if g := k.gains[c.leaves[i]]; g > gain && c.reach[i] > o.bound && c.reach[i] <= o.cutoff {
			o.steps = append(o.steps, step{reach: c.reach[i], gain: g, group: int32(t), choice: i})
		}
	}
	o.best[t] = best
	return gain, best >= 0
}

// sweep lets the radius grow from step to step until the sum of the gains, to which
// so many trees are missing, reaches what is needed.
func (o *obliqueOpener) sweep(k *obliqueContrast, sum float64, missing int) (float64, bool) {
	for o.steps.heap(); len(o.steps) > 0; {
		s := o.steps.pop()
		if b := o.best[s.group]; b < 0 {
			missing--
			sum += s.gain
		} else if g := k.gains[o.leaves.leaves[b]]; s.gain > g {
			sum += s.gain - g
		} else {
			continue
		}
		o.best[s.group] = s.choice
		if missing == 0 && sum >= k.need {
			return s.reach, true
		}
	}
	return 0, false
}
