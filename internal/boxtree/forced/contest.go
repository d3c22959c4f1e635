package forced

import (
	"cmp"
	"context"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/boxtree/grid"
)

// contest is the search for inputs at which one label beats that of the input.
type contest struct {
	*Problem
	*Lead
	base   float64   // with what trees add that add the same everywhere
	spread float64   // what the others can add more than their least
	trees  [][]leaf  // of each of the others, the largest gain first
	uses   [][]int32 // by feature: the trees that test it
	splits *split    // those of earlier questions

	box     grid.Box
	best    []int32 // by tree: the first leaf that meets the box
	was     []change
	meeting grid.Meeting // of the best leaves
	lost    grid.Losses
	offset  []int32
	count   int // of all intervals
}

// change is a best leaf that a tree had before.
type change struct{ tree, leaf int32 }

// split is where a box was split, and what became of its halves.
type split struct {
	grid.Cut
	halves [2]*split
}

func newContest(p *Problem, l *Lead, leaves [][]leaf) *contest {
	dim := len(p.Grid.Borders)
	c := &contest{
		Problem: p, Lead: l, base: l.Base, uses: make([][]int32, dim),
		box: make(grid.Box, dim),
	}
	for t := range leaves {
		c.add(leaves[t], p.Grid.Trees[t].Index)
	}
	c.best = make([]int32, len(c.trees))
	c.offset, c.count = whole(p.Grid).Offsets()
	return c
}

// add takes up a tree.
func (c *contest) add(leaves []leaf, index int) {
	own := slices.Clone(leaves)
	least, most := c.Gain(index, own[0].number), c.Gain(index, own[0].number)
	for i := range own {
		own[i].gain = c.Gain(index, own[i].number)
		least, most = min(least, own[i].gain), max(most, own[i].gain)
	}
	if least == most && (c.Answers == nil || len(own) == 1) {
		c.base += most
		return
	}
	slices.SortStableFunc(own, func(a, b leaf) int { return cmp.Compare(b.gain, a.gain) })
	t := int32(len(c.trees))
	for i := range own {
		for _, s := range own[i].sides {
			if u := c.uses[s.Feature]; len(u) == 0 || u[len(u)-1] != t {
				c.uses[s.Feature] = append(u, t)
			}
		}
	}
	c.trees = append(c.trees, own)
	c.spread += most - least
}

// decide answers one question.
func (c *contest) decide(
	ctx context.Context, box grid.Box, left *int,
) (Verdict, []float64) {
	copy(c.box, box)
	c.start()
	if c.sum() < c.Goal {
		return Forced, nil
	}
	if c.splits == nil {
		c.splits = &split{Cut: nowhere}
	}
	return c.search(ctx, c.splits, left)
}

// nowhere is the Cut of a box that was not split yet.
var nowhere = grid.Cut{Feature: -1}

// start finds the best leaf of each tree.
func (c *contest) start() {
	c.was = c.was[:0]
	for t, leaves := range c.trees {
		i := 0
		for !leaves[i].meets(c.box) {
			i++
		}
		c.best[t] = int32(i)
	}
}

// sum returns what the best leaves add up to.
func (c *contest) sum() float64 {
	sum := c.base
	for t, i := range c.best {
		sum += c.trees[t][i].gain
	}
	return sum
}

// search decides about the box, in which the best leaves win.
func (c *contest) search(ctx context.Context, s *split, left *int) (Verdict, []float64) {
	if s.Feature < 0 {
		verdict, z := c.divide(s)
		if s.Feature < 0 {
			return verdict, z
		}
	}
	if *left--; *left < 0 || ctx.Err() != nil {
		return Open, nil
	}
	now := c.box[s.Feature]
	switch { // another box was split there
	case now.Hi <= s.After:
		return c.search(ctx, s.half(0), left)
	case now.Lo > s.After:
		return c.search(ctx, s.half(1), left)
	}
	var sums [2]float64
	low, high := now.Split(s.After)
	halves := [...]grid.Span{low, high}
	for i := range halves {
		mark := len(c.was)
		if sums[i] = c.Goal - 1; c.narrow(s.Feature, halves[i]) {
			sums[i] = c.sum()
		}
		c.widen(s.Feature, now, mark)
	}
	first, open := 0, false
	if sums[1] > sums[0] {
		first = 1
	}
	for _, i := range [...]int{first, 1 - first} {
		if sums[i] < c.Goal {
			continue
		}
		mark := len(c.was)
		c.narrow(s.Feature, halves[i])
		verdict, z := c.search(ctx, s.half(i), left)
		c.widen(s.Feature, now, mark)
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

// half returns what became of a half.
func (s *split) half(i int) *split {
	if s.halves[i] == nil {
		s.halves[i] = &split{Cut: nowhere}
	}
	return s.halves[i]
}

// narrow restricts the box to a span of a feature; false if all of that is closed.
func (c *contest) narrow(f int32, to grid.Span) bool {
	if to = c.shrink(f, to); to.Lo > to.Hi {
		return false
	}
	c.box[f] = to
	for _, t := range c.uses[f] {
		leaves, i := c.trees[t], c.best[t]
		if leaves[i].meets(c.box) {
			continue
		}
		c.was = append(c.was, change{t, i})
		for i++; !leaves[i].meets(c.box); i++ {
		}
		c.best[t] = i
	}
	return true
}

// widen undoes a narrow.
func (c *contest) widen(f int32, to grid.Span, mark int) {
	c.box[f] = to
	for i := len(c.was) - 1; i >= mark; i-- {
		c.best[c.was[i].tree] = c.was[i].leaf
	}
	c.was = c.was[:mark]
}

// divide says where to split the box, or what is known of it if that is nowhere.
func (c *contest) divide(s *split) (Verdict, []float64) {
	m := c.meet()
	if len(m.Disjoint) > 0 {
		s.Cut = c.weakest(m)
		return Open, nil
	}
	if len(m.Apart) > 0 {
		f := m.Apart[0]
		s.Cut = grid.Cut{Feature: f, After: c.box[f].Middle()}
		return Open, nil
	}
	if cut, ok := c.cutClosed(m.Box); ok {
		s.Cut = cut
		return Open, nil
	}
	if z := c.Example(m.Box); z != nil {
		return Broken, z
	}
	if c.Answers == nil {
		return Open, nil
	}
	if cut, ok := c.box.Outside(m.Box); ok {
		s.Cut = cut
		return Open, nil
	}
	if c.Answers(m.Box) {
		return Open, nil
	}
	return Forced, nil
}

// meet returns what the best leaves have in common in the box. Of sets that is the first run that
// is not closed.
func (c *contest) meet() *grid.Meeting {
	m := &c.meeting
	m.Begin(c.box)
	for t, i := range c.best {
		for _, s := range c.trees[t][i].sides {
			if m.Keep(s.Feature, s.Span); s.Set != nil {
				m.KeepSet(s.Feature, s.Set, true)
			}
		}
	}
	m.End(c.firstOpen)
	return m
}

// firstOpen returns the first interval of a set in a span that is not closed; the last one if all
// are.
func (c *contest) firstOpen(f int32, span grid.Span, set grid.Set) int32 {
	for at := span.Lo; at < span.Hi; at++ {
		if set.Has(at) && !c.Closed(f, at) {
			return at
		}
	}
	return span.Hi
}

// allClosed reports whether a span has closed intervals only of a feature.
func (c *contest) allClosed(f int32, s grid.Span) bool {
	for s.Lo <= s.Hi && c.Closed(f, s.Lo) {
		s.Lo++
	}
	return s.Lo > s.Hi
}

// cutClosed returns where to split if the best leaves meet in closed intervals only.
func (c *contest) cutClosed(b grid.Box) (grid.Cut, bool) {
	for f, m := range b {
		// Neither end of the box is closed, so it is wider on both sides.
		if feature := int32(f); c.allClosed(feature, m) {
			return grid.Cut{Feature: feature, After: m.Hi}, true
		}
	}
	return nowhere, false
}

// weakest returns the border between two of the best leaves, in a feature in which they are
// disjoint, at which both halves lose most.
func (c *contest) weakest(m *grid.Meeting) (at grid.Cut) {
	c.lost.Reset(c.offset, c.count, m)
	c.weigh(m.Box)
	most := -1.0
	for _, f := range m.Disjoint {
		if after, score := c.lost.Weakest(f, m.Box[f], 0, nil); score > most {
			at, most = grid.Cut{Feature: f, After: after}, score
		}
	}
	return at
}

// weigh adds up what trees lose whose best leaves end or begin where they are disjoint.
func (c *contest) weigh(meet grid.Box) {
	for t, i := range c.best {
		loss := -1.0
		for _, s := range c.trees[t][i].sides {
			m := meet[s.Feature]
			if !s.Misses(m) {
				continue
			}
			if loss < 0 {
				loss = c.loss(t, i)
			}
			c.lost.Add(s.Feature, s.Span, m, loss)
		}
	}
}

// loss estimates what a tree loses with its best leaf: the difference to the next one.
func (c *contest) loss(t int, best int32) float64 {
	leaves := c.trees[t]
	floor := c.spread / float64(len(c.trees)) * leastLoss
	for i := int(best) + 1; i < len(leaves); i++ {
		if leaves[i].meets(c.box) {
			return leaves[best].gain - leaves[i].gain + floor
		}
	}
	return floor
}

// leastLoss is the least loss, in terms of what a tree's gains differ by in the mean.
const leastLoss = 0.05
