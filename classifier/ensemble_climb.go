package classifier

import (
	"context"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/classifier/search"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// climbAtScale climbs in a unit in which some distances are numbers, and again if the
// answer shows that its own size is another.
func (o *ensembleOpener) climbAtScale(ctx context.Context, cutoff float64) *search.Answer {
	o.metric = newMetric(o.q.Norm, len(o.at), o.depth)
	// Thresholds beyond this stand for infinity: LightGBM writes 1e300.
	const farAway = 0x1p960
	switch least, most := o.extent(); {
	case !math.IsInf(cutoff, 1):
		o.fit(cutoff)
	case most < farAway:
		o.fit(most)
	default:
		o.fit(max(least, 1))
	}
	first := o.climb(ctx, cutoff)
	for first != nil && o.fit(first.Distance) {
		first.Bound = o.boundOf(first.Example)
		nearer := o.climb(ctx, first.Bound)
		if nearer == nil || nearer.Distance >= first.Distance {
			break
		}
		first = nearer
	}
	return first
}

// boundOf returns the distance of the slots that z lies in.
func (o *ensembleOpener) boundOf(z []float64) float64 {
	reach := 0.0
	for f, v := range z {
		slot := o.slot(f, v)
		reach = o.join(reach, o.scale(o.gap(int32(f), slot, slot)), 0)
	}
	return o.distance(reach)
}

// climb returns the nearest answer that a local search finds, nil if none.
func (o *ensembleOpener) climb(ctx context.Context, cutoff float64) (first *search.Answer) {
	c := newClimber(ctx, o.ensembleSearch, o.metric)
	radius := o.firstRadius()
	for _, t := range o.targets {
		if ctx.Err() != nil {
			break
		}
		if !c.near(t, radius, cutoff) || (first != nil && c.dist >= first.Bound) {
			continue
		}
		copy(o.meetLo, c.found)
		copy(o.meetHi, c.found)
		if a := o.answer(search.Node{}, c.dist); a != nil && (first == nil || a.Bound < first.Bound) {
			first, cutoff = a, min(cutoff, a.Bound)
			radius = cutoff
		}
	}
	return first
}

// firstRadius returns the distance within which half as many borders lie as there
// are trees, so that a few of these can change their vote.
func (o *ensembleOpener) firstRadius() float64 {
	var near []float64
	tried := int32(1 + len(o.trees)/len(o.lo)) // borders to each side of X
	for f := range o.lo {
		for i := range tried {
			if slot := o.at[f] - 1 - i; slot >= o.slots.lo[f] {
				near = append(near, o.gap(int32(f), slot, slot))
			}
			if slot := o.at[f] + 1 + i; slot <= o.slots.hi[f] {
				near = append(near, o.gap(int32(f), slot, slot))
			}
		}
	}
	slices.Sort(near)
	for i := max(0, min(len(near)-1, len(o.trees)/2)); i < len(near); i++ {
		if near[i] > 0 {
			return near[i]
		}
	}
	_, far := o.extent()
	return far
}

// climber looks for an answer near X without a proof: within a ball it moves one
// feature at a time to the slot that helps the target most, which changes the leaf
// of several trees at once, and then tries a smaller ball.
type climber struct {
	*ensembleSearch
	metric
	ctx    context.Context
	target target

	z     []int32 // where it stands
	gaps  []float64
	reach float64 // scaled distance of z; in ℓ∞ not kept up to date
	limit float64 // the ball, scaled
	found []int32 // the nearest z so far that should answer
	dist  float64 // its distance

	feature int32 // the feature being looked at
	lo, hi  int32 // its slots within the ball
	profile []float64
	tree    *gridTree
}

func newClimber(ctx context.Context, s *ensembleSearch, m metric) *climber {
	return &climber{ensembleSearch: s, metric: m, ctx: ctx, z: make([]int32, len(s.at)), gaps: make([]float64, len(s.at))}
}

// near looks for slots within the cutoff that should reach the target, first in a
// ball of some radius, which grows until there are such slots and then shrinks.
func (c *climber) near(t target, radius, cutoff float64) bool {
	c.target, c.found = t, nil
	copy(c.z, c.at)
	failed := 0.0
	for radius = min(radius, cutoff); !c.climb(radius); radius = min(2*radius, cutoff) {
		if failed = radius; radius >= cutoff || c.whole() || c.ctx.Err() != nil {
			return false
		}
	}
	c.dist = math.Inf(1)
	for c.keep(); failed*climbedEnough < c.dist && c.ctx.Err() == nil; {
		copy(c.z, c.found)
		middle := max(math.Sqrt(failed/c.dist)*c.dist, c.dist/4)
		if middle <= failed { // no number in between
			break
		}
		if !c.climb(middle) || !c.keep() {
			failed = middle
		}
	}
	return true
}

// climbedEnough is the ratio at which the radius of a ball with an answer and that
// of one in which none was found are close enough.
const climbedEnough = 1.25

// keep remembers z, after moving each feature back toward X as far as it goes,
// unless it is no nearer than what was found before.
func (c *climber) keep() bool {
	c.limit = math.Inf(1)
	for f := range c.z {
		if c.q.Norm != polytope.LInf && c.gaps[f] > 0 {
			c.lo, c.hi = min(c.z[f], c.at[f]), max(c.z[f], c.at[f])
			c.feature = int32(f)
			c.measure()
			c.move(int32(f), c.nearest())
		}
	}
	reach := 0.0
	for f := range c.z {
		reach = c.join(reach, c.scale(c.gap(int32(f), c.z[f], c.z[f])), 0)
	}
	dist := c.distance(reach)
	if dist >= c.dist {
		return false
	}
	c.found, c.dist = append(c.found[:0], c.z...), dist
	return true
}

// whole reports whether the ball holds the whole domain.
func (c *climber) whole() bool {
	for f := range c.z {
		if c.span(int32(f)); c.lo > c.slots.lo[f] || c.hi < c.slots.hi[f] {
			return false
		}
	}
	return true
}

// climb moves z within a radius of X until the lead is sure, or no feature can
// raise it any more.
func (c *climber) climb(radius float64) bool {
	c.limit = c.scaled(radius)
	c.clamp()
	best := math.Inf(-1)
	for still := 0; still < len(c.z) && c.ctx.Err() == nil; {
		for f := int32(0); int(f) < len(c.z) && still < len(c.z); f++ {
			still++
			if c.span(f); c.lo == c.hi {
				continue
			}
			c.measure()
			slot, lead := c.highest()
			if lead > 0 {
				c.move(f, c.nearest())
				return true
			}
			if lead > best {
				best, still = lead, 0
				c.move(f, slot)
			}
		}
	}
	return false
}

// clamp moves z into the ball, feature after feature.
func (c *climber) clamp() {
	c.reach = 0
	for f := range c.z {
		c.gaps[f] = c.scale(c.gap(int32(f), c.z[f], c.z[f]))
		c.reach = c.join(c.reach, c.gaps[f], 0)
	}
	for f := range c.z {
		for c.z[f] != c.at[f] && c.tooFar(f) {
			if c.z[f] > c.at[f] {
				c.move(int32(f), c.z[f]-1)
			} else {
				c.move(int32(f), c.z[f]+1)
			}
		}
	}
}

func (c *climber) tooFar(f int) bool {
	if c.q.Norm == polytope.LInf {
		return c.gaps[f] > c.limit
	}
	return c.reach > c.limit
}

func (c *climber) move(f, slot int32) {
	gap := c.scale(c.gap(f, slot, slot))
	c.reach = c.join(c.reach, gap, c.gaps[f])
	c.z[f], c.gaps[f] = slot, gap
}

// span finds the slots of a feature within the ball.
func (c *climber) span(f int32) {
	c.feature = f
	rest := 0.0
	if c.q.Norm != polytope.LInf {
		rest = c.reach - c.gaps[f]
	}
	c.lo, c.hi = c.at[f], c.at[f]
	for c.lo > c.slots.lo[f] && rest+c.scale(c.gap(f, c.lo-1, c.lo-1)) <= c.limit {
		c.lo--
	}
	for c.hi < c.slots.hi[f] && rest+c.scale(c.gap(f, c.hi+1, c.hi+1)) <= c.limit {
		c.hi++
	}
}

// width is the number of differences in the profile of one contrast.
func (c *climber) width() int { return int(c.hi-c.lo) + 2 }

// measure computes the lead over each rival in each slot of the feature, the other
// features being where they are: one walk through each tree.
func (c *climber) measure() {
	w := c.width()
	c.profile = resize(c.profile, (c.target.last-c.target.first)*w)
	clear(c.profile)
	for i, k := range c.contrasts[c.target.first:c.target.last] {
		c.profile[i*w] = k.base - k.slack
	}
	for t := range c.trees {
		c.tree = &c.trees[t]
		c.visit(0, c.lo, c.hi)
	}
	for i := range c.profile {
		if i%w > 0 {
			c.profile[i] += c.profile[i-1]
		}
	}
}

// visit adds the leaves below a node that the slots lo ≤ s ≤ hi of the feature reach.
func (c *climber) visit(node, lo, hi int32) {
	for {
		n := &c.tree.nodes[node]
		switch {
		case n.feature < 0:
			c.add(node, lo, hi)
			return
		case n.feature != c.feature:
			if c.z[n.feature] <= n.cut {
				node = n.left
			} else {
				node = n.right
			}
		case n.cut >= hi:
			node = n.left
		case n.cut < lo:
			node = n.right
		default:
			c.visit(n.left, lo, n.cut)
			node, lo = n.right, n.cut+1
		}
	}
}

func (c *climber) add(leaf, lo, hi int32) {
	classes := c.e.classes
	value := c.tree.values[int(leaf)*classes : (int(leaf)+1)*classes]
	for i, k := range c.contrasts[c.target.first:c.target.last] {
		gain := k.gain(value)
		p := c.profile[i*c.width():]
		p[lo-c.lo] += gain
		p[hi-c.lo+1] -= gain
	}
}

// lead returns the smallest lead over the rivals in a slot of the profile.
func (c *climber) lead(slot int32) float64 {
	least := math.Inf(1)
	for i := int(slot - c.lo); i < len(c.profile); i += c.width() {
		least = min(least, c.profile[i])
	}
	return least
}

// highest returns the slot with the largest lead, the nearest to X of a tie.
func (c *climber) highest() (best int32, lead float64) {
	at := min(max(c.at[c.feature], c.lo), c.hi)
	best, lead = at, c.lead(at)
	for slot := c.lo; slot <= c.hi; slot++ {
		l := c.lead(slot)
		if l > lead || (l == lead && max(slot-at, at-slot) < max(best-at, at-best)) {
			best, lead = slot, l
		}
	}
	return best, lead
}

// nearest returns the slot nearest to X with a sure lead, the present one if there
// is none.
func (c *climber) nearest() int32 {
	best, least := c.z[c.feature], math.Inf(1)
	for slot := c.lo; slot <= c.hi; slot++ {
		if gap := c.gap(c.feature, slot, slot); gap < least && c.lead(slot) > 0 {
			best, least = slot, gap
		}
	}
	return best
}
