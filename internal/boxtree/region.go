package boxtree

import (
	"github.com/seed-1a7dc1f9/facet/internal/boxtree/grid"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// region is the node of the search that is looked at, and the choices that meet it.
type region struct {
	*grid.View
	node    *node // nil while it is none
	choices *choices
	box     grid.Box
	gaps    []float64 // scaled distances of its sides from X
	alive   grid.Set  // of the choices: those that meet the box
	cuts    []cut     // since it was loaded
	killed  []int32   // by them: choices that were alive
}

// cut is the state of a region before it was cut in a feature.
type cut struct {
	feature int32
	span    grid.Span
	gap     float64
	killed  int // choices before
}

func newRegion(v *grid.View) (r region) {
	r.use(v)
	return r
}

// use makes r a region of a view, in the memory that it has.
func (r *region) use(v *grid.View) {
	dim := len(v.Borders)
	r.View, r.box, r.gaps = v, resize(r.box, dim), resize(r.gaps, dim)
}

// load makes p the region.
func (r *region) load(p *node) {
	switch {
	case p == r.node:
	case p.parent != nil && p.parent == r.node:
		r.narrow(p)
	default:
		r.reset(p.choices)
		for q := p; q.parent != nil; q = q.parent {
			r.narrow(q)
		}
	}
	r.node = p
	r.cuts, r.killed = r.cuts[:0], r.killed[:0]
}

// reset makes the ball of choices the region.
func (r *region) reset(c *choices) {
	r.node, r.choices = nil, c
	copy(r.box, c.ball)
	for f, s := range r.box {
		r.gaps[f] = c.metric.Scale(r.Gap(int32(f), s.Lo, s.Hi))
	}
	r.alive = resize(r.alive, c.len()/64+1)
	r.alive.Fill()
	r.cuts, r.killed = r.cuts[:0], r.killed[:0]
}

// half returns the part of a span that a node keeps, of the feature in which its parent was split.
func (p *node) half(s grid.Span) grid.Span {
	low, high := s.Split(p.cut.After)
	if p.beyond {
		return high
	}
	return low
}

// narrow cuts the region down to the half of it that p is.
func (r *region) narrow(p *node) { r.cut(p.cut.Feature, p.half(r.box[p.cut.Feature])) }

// restrict cuts the region down to a box.
func (r *region) restrict(box grid.Box) {
	for f, to := range box {
		r.cut(int32(f), to)
	}
}

// cut cuts the region down to a span of a feature.
func (r *region) cut(f int32, to grid.Span) {
	s, c := &r.box[f], r.choices
	if to == *s {
		return
	}
	r.cuts = append(r.cuts, cut{f, *s, r.gaps[f], len(r.killed)})
	r.kill(c.edges.between(2*f, to.Hi+1, s.Hi+1))
	r.kill(c.edges.between(2*f+1, 1-to.Lo, 1-s.Lo))
	*s = to
	r.gaps[f] = c.metric.Scale(r.Gap(f, s.Lo, s.Hi))
	r.killSets(f)
}

// killSets takes choices with sets of a feature that do not meet the box.
func (r *region) killSets(f int32) {
	if r.choices.sets == nil {
		return
	}
	words := r.Words(f)
	for _, o := range r.choices.sets[f] {
		if r.alive.Has(o.choice) && !r.choices.setOf(o.set, words).Meets(r.box[f]) {
			r.alive.Take(o.choice)
			r.killed = append(r.killed, o.choice)
		}
	}
}

// mark returns a number by which undo returns to the region as it is.
func (r *region) mark() int { return len(r.cuts) }

// undo undoes the cuts since a mark.
func (r *region) undo(mark int) {
	for i := len(r.cuts) - 1; i >= mark; i-- {
		c := &r.cuts[i]
		r.box[c.feature], r.gaps[c.feature] = c.span, c.gap
		for _, choice := range r.killed[c.killed:] {
			r.alive.Put(choice)
		}
		r.killed = r.killed[:c.killed]
	}
	r.cuts = r.cuts[:mark]
}

// kill takes choices that do not meet the box.
func (r *region) kill(choices []int32) {
	for _, i := range choices {
		if r.alive.Has(i) {
			r.alive.Take(i)
			r.killed = append(r.killed, i)
		}
	}
}

// next returns the place of the first choice that is alive in an order of choices, from a place on;
// end if none is before that.
func (r *region) next(order []int32, place, end int32) int32 {
	if r.choices.ordered {
		return r.alive.Next(place, end)
	}
	for place < end && !r.alive.Has(order[place]) {
		place++
	}
	return place
}

// within returns the first choice within a reach that is alive, in an order of choices from a place
// on; false if none is before an end.
func (r *region) within(order []int32, place, end int32, reach float64) (choice int32, ok bool) {
	reaches := r.choices.reaches
	if r.choices.ordered {
		for place = r.alive.Next(place, end); place < end && reaches[place] > reach; {
			place = r.alive.Next(place+1, end)
		}
		return place, place < end
	}
	for place < end && !(r.alive.Has(order[place]) && reaches[order[place]] <= reach) {
		place++
	}
	if place == end {
		return none, false
	}
	return order[place], true
}

// reach returns the reach of the box, summed anew so that rounding does not depend on earlier
// regions.
func (r *region) reach() float64 {
	reach := 0.0
	for _, gap := range r.gaps {
		reach = r.choices.metric.Join(reach, gap, 0)
	}
	return reach
}

// reachOf returns the reach of the part of a choice within the box, whose own reach is given.
func (r *region) reachOf(choice int32, reach float64) float64 {
	c := r.choices
	if r.Norm == polytope.LInf {
		return c.reaches[choice]
	}
	for i := c.ends[choice]; i < c.ends[choice+1]; i++ {
		if s := &c.ranges[i]; s.gap > r.gaps[s.feature] {
			reach += s.gap - r.gaps[s.feature]
		}
	}
	return reach
}
