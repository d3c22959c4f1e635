package boxtree

import (
	"context"

	"github.com/seed-1a7dc1f9/facet/internal/boxtree/grid"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// refuter searches the region of its decider for an input that has one label, depth first. Its
// splits are tried again in the next question: questions about one input differ in few features, so
// that a half that was closed mostly is closed again.
type refuter struct {
	*Decider
	margin int
	goal   float64
	base   float64   // with the gains of trees that add the same everywhere
	spread float64   // the most that the others can add above their least
	count  int       // of the others
	groups []int32   // of the others
	order  []int32   // the choices of each group, the largest gain first
	place  []int32   // by group: where in the order the first choice that is alive stands
	gains  []float64 // by group: the gain of that choice
	was    []move
	splits *tried
}

// move is where in the order a group had its best choice before.
type move struct{ group, place int32 }

// tried is a split of a box, and the outcome of its halves.
type tried struct {
	grid.Cut
	halves [2]*tried
}

// nowhere is the Cut of a box that was not split yet.
var nowhere = grid.Cut{Feature: -1}

// newRefuter prepares the search for a label that needs a margin.
func (d *Decider) newRefuter(margin int) *refuter {
	c := d.choices
	r := &refuter{
		Decider: d, margin: margin, goal: d.goal(margin), base: c.baseOf(margin),
		order: c.orderOf(margin), splits: &tried{Cut: nowhere},
		place: make([]int32, c.groups()), gains: make([]float64, c.groups()),
	}
	for g := range c.groups() {
		order := c.ranked(margin, g)
		most := c.gain(order[0], margin)
		spread := most - c.gain(order[len(order)-1], margin)
		if spread > 0 {
			r.spread += spread
			r.count++
		}
		if spread > 0 || d.model.Vote.Rule == trees.Share {
			r.groups = append(r.groups, int32(g))
		} else {
			r.base += most
		}
	}
	return r
}

// decide answers one question, about the region.
func (r *refuter) decide(ctx context.Context, left *int) (Verdict, []float64) {
	if r.start(); r.sum() < r.goal {
		return Forced, nil
	}
	return r.search(ctx, r.splits, left)
}

// start finds the best choice of each group.
func (r *refuter) start() {
	r.was = r.was[:0]
	for _, g := range r.groups {
		r.choose(g, r.choices.first[g])
	}
}

// choose makes the first choice of a group that is alive, from a place in the order on, its best.
func (r *refuter) choose(g, place int32) {
	place = r.region.next(r.order, place, int32(len(r.order)))
	r.place[g], r.gains[g] = place, r.choices.gain(r.order[place], r.margin)
}

// sum returns the sum of the best choices.
func (r *refuter) sum() float64 {
	sum := r.base
	for _, g := range r.groups {
		sum += r.gains[g]
	}
	return sum
}

// search decides about the region, in which the best choices win.
func (r *refuter) search(ctx context.Context, s *tried, left *int) (Verdict, []float64) {
	if s.Feature < 0 {
		verdict, z := r.divide(s)
		if s.Feature < 0 {
			return verdict, z
		}
	}
	if *left--; *left < 0 || ctx.Err() != nil {
		return Open, nil
	}
	now := r.region.box[s.Feature]
	switch { // another box was split there
	case now.Hi <= s.After:
		return r.search(ctx, s.half(0), left)
	case now.Lo > s.After:
		return r.search(ctx, s.half(1), left)
	}
	var sums [2]float64
	low, high := now.Split(s.After)
	halves := [...]grid.Span{low, high}
	for i := range halves {
		cuts, moves := r.region.mark(), len(r.was)
		if sums[i] = r.goal - 1; r.narrow(s.Feature, halves[i]) {
			sums[i] = r.sum()
		}
		r.widen(cuts, moves)
	}
	first, open := 0, false
	if sums[1] > sums[0] {
		first = 1
	}
	for _, i := range [...]int{first, 1 - first} {
		if sums[i] < r.goal {
			continue
		}
		cuts, moves := r.region.mark(), len(r.was)
		r.narrow(s.Feature, halves[i])
		verdict, z := r.search(ctx, s.half(i), left)
		r.widen(cuts, moves)
		if verdict == Broken || *left < 0 {
			return verdict, z
		}
		open = open || verdict == Open
	}
	if open {
		return Open, nil
	}
	return Forced, nil
}

// half returns the split of a half, if it was split.
func (s *tried) half(i int) *tried {
	if s.halves[i] == nil {
		s.halves[i] = &tried{Cut: nowhere}
	}
	return s.halves[i]
}

// narrow cuts the region down to a span of a feature; false if all of that is closed.
func (r *refuter) narrow(f int32, to grid.Span) bool {
	if to = r.shrink(f, to); to.Lo > to.Hi {
		return false
	}
	r.region.cut(f, to)
	for _, g := range r.groups {
		if place := r.place[g]; !r.region.alive.Has(r.order[place]) {
			r.was = append(r.was, move{g, place})
			r.choose(g, place+1)
		}
	}
	return true
}

// widen undoes the changes of narrow.
func (r *refuter) widen(cuts, moves int) {
	r.region.undo(cuts)
	for i := len(r.was) - 1; i >= moves; i-- {
		r.choose(r.was[i].group, r.was[i].place)
	}
	r.was = r.was[:moves]
}

// best returns the best choices of the groups of which some matter.
func (r *refuter) best() crossing {
	best := make([]int32, len(r.place))
	for g := range best {
		best[g] = none
	}
	for _, g := range r.groups {
		best[g] = r.order[r.place[g]]
	}
	return crossing{
		margin: r.margin, best: best, gains: r.gains, spread: r.spread / float64(r.count),
	}
}

// divide says where to split the region, or returns the verdict on it if there is no split.
func (r *refuter) divide(s *tried) (Verdict, []float64) {
	x := r.best()
	m := r.meet(x.best)
	if m.Empty() {
		s.Cut = r.border(&x, m, 0, 0)
		return Open, nil
	}
	if cut, ok := r.cutClosed(m.Box); ok {
		s.Cut = cut
		return Open, nil
	}
	if a := r.answer(m.Box, 0); a != nil {
		return Broken, a.Example
	}
	if r.model.Vote.Rule != trees.Share {
		return Open, nil
	}
	// The margin alone does not say whether the label may win.
	if cut, ok := r.region.box.Outside(m.Box); ok {
		s.Cut = cut
		return Open, nil
	}
	if r.mayAnswer(m.Box) {
		return Open, nil
	}
	return Forced, nil
}

// cutClosed returns where to split if the best choices meet in closed intervals only.
func (r *refuter) cutClosed(b grid.Box) (grid.Cut, bool) {
	for f, s := range b {
		// Neither end of the region is closed, so it is wider on both sides.
		if left := r.shrink(int32(f), s); left.Lo > left.Hi {
			return grid.Cut{Feature: int32(f), After: s.Hi}, true
		}
	}
	return nowhere, false
}
