package boxtree

import (
	"context"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/boxtree/grid"
	"github.com/seed-1a7dc1f9/facet/internal/boxtree/potentials"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// relaxation is the part of a node that only large searches have: potentials, by which trees agree
// on features, and the distance for which they are chosen.
type relaxation struct {
	*potentials.Decomposition         // of a margin, within the node
	margin                    int     // which: that of its target which was won last at the root
	within                    float64 // answers beyond are those of other nodes
	depth                     int     // how many nodes it lies in
	steps                     []step  // by which the potentials of a waiting node came about
}

// manyPairs is how many pairs of a group and a choice make a search large in ℓ∞, and manyPriced in
// other norms: potentials then save more than they cost. The forests of the paper, 100 trees of
// depth 5, have up to 130,000 and 210,000.
const manyPairs, manyPriced = 150_000, 250_000

// begins reports whether a node is the first of its branch to get potentials. In ℓ∞ that is the
// whole of a target, in a large search. In ℓ1 and ℓ2 many searches end soon without, so they begin
// where a node is deep, or bounds grow slowly. A search that is traced gets none there, nor one of
// several models: proofs have potentials in ℓ∞ only, of one.
func (o *opener) begins(p *node, bound float64) bool {
	c := p.choices
	switch {
	case c.sets != nil:
		return false // potentials know spans of intervals alone
	case c.joined:
		return !p.plain
	}
	pairs := c.pairs()
	switch {
	case o.Query.Trace != nil && (o.Norm != polytope.LInf || len(o.parts) > 1):
		return false
	case pairs >= o.manyPairs &&
		(int(p.depth) == o.start || (p.depth == 0 && bound < farShare*c.within)):
		return true
	}
	return o.priced() && !p.plain && p.slow(c.share(bound), pairs >= o.manyPairs)
}

// joins reports whether the first node of a branch with potentials gets them anew, for joined
// groups of choices: in a large search where gaps add up, so that leaves of several trees are
// farther together than each of them, and the first potentials bound it by little. Proofs know
// single trees.
func (o *opener) joins(p *node, bound float64) bool {
	r, c := p.relaxation, p.choices
	return r != nil && r.depth == 1 && o.Norm != polytope.LInf && !c.joined &&
		c.pairs() >= o.manyPairs && c.share(bound) < looseShare && o.Query.Trace == nil
}

// looseShare is of the first answer: bounds of boosted trees lie above it, those of large random
// forests below.
const looseShare = 0.7

// At lateStart all nodes of a large search get potentials in ℓ1 and ℓ2, and at once where the bound
// is less than a share of the first answer. Before, and in smaller searches, those do that are
// slow.
const (
	lateStart = 12
	farShare  = 0.3
)

// slow reports whether a node would take long without potentials: at the pace at which bounds have
// grown since the whole of the target, many levels are left up to the first answer, each with twice
// the nodes of the one before. In a large search, where potentials save more, fewer are many. Only
// the node's own path counts, so that the answer does not depend on the other nodes that were
// opened.
func (p *node) slow(share float64, large bool) bool {
	start, levels := 5.0, 7.0
	if large {
		start, levels = 2, 4
	}
	depth := float64(p.depth)
	return depth >= start && (1-share)*depth > levels*(share-float64(p.whole))
}

// share returns which share of the first answer a bound is, in the unit of reaches.
func (c *choices) share(bound float64) float64 {
	return c.metric.Scaled(bound) / c.metric.Scaled(c.within)
}

// priced reports whether trees may share the price of moving: that gaps add up, and are not a few
// flat prices, which boxes bound well.
func (s *boxSearch) priced() bool {
	return s.Norm != polytope.LInf && (s.coding == nil || s.coding.Plain())
}

// relax makes potentials for the region, and for the margin that the best choices in it win last;
// nil if that cannot be. It returns false if no input of the region can win.
func (o *opener) relax(c *choices, margin int) (*relaxation, bool) {
	d := o.decompose(c, margin)
	if d == nil {
		return nil, true
	}
	whole := o.inherit(&relaxation{Decomposition: d, margin: margin, within: c.within})
	return whole, whole != nil
}

// decompose makes the first potentials for a margin of the choices that meet the region; nil if
// that cannot be.
func (o *opener) decompose(c *choices, margin int) *potentials.Decomposition {
	r := &o.region
	leaves, sides := o.leaves[:0], resize(o.sides, len(c.ranges))[:0]
	first, reach := make([]int32, 1, len(c.first)), r.reach()
	begin, end := c.groupsOf(o.partOf(margin))
	for g := begin; g < end; g++ {
		if o.ended() {
			return nil
		}
		for i := c.first[g]; i < c.first[g+1]; i++ {
			if r.alive.Has(i) {
				begin := len(sides)
				for _, s := range c.rangesOf(i) {
					sides = append(sides, potentials.Range{Feature: s.feature, Span: s.Span})
				}
				leaves = append(leaves, potentials.Leaf{
					Gain: c.gain(i, margin), Reach: r.reachOf(i, reach), Ranges: sides[begin:],
				})
			}
		}
		first = append(first, int32(len(leaves)))
	}
	o.leaves, o.sides = leaves, sides
	d := potentials.New(slices.Clone(r.box), c.baseOf(margin), leaves, first)
	if d == nil || (o.Norm != polytope.LInf && !o.charge(d, &c.metric, margin, c.within)) {
		return nil
	}
	return d
}

// charge lets moves cost: where gaps add up, trees share the price of an interval. It begins with
// a share of the rate at which a distance pays for the excess of the best choices' margin. It
// returns false if there is no such rate, or it is infinite in terms of the unit: then no cost
// would be a number.
func (s *boxSearch) charge(
	d *potentials.Decomposition, m *grid.Metric, margin int, within float64,
) bool {
	reach := m.Scaled(within)
	rate := firstRate * (d.Margin(reach) - s.goal(margin)) / reach
	if !(rate > 0 && rate/d.Unit() < math.MaxFloat64 && reach < math.MaxFloat64) {
		return false
	}
	metric := *m
	d.Charge(func(f int32, side grid.Span) float64 {
		return metric.Scale(s.Gap(f, side.Lo, side.Hi))
	}, rate)
	return true
}

// firstRate is about the share with which bounds of random forests come out best in the end. While
// potentials are zero trees pay too little of the price, so that no rate looks worth it.
const firstRate = 0.5

// inherit restricts the potentials of the node that the region was split from to the region, and
// the region to their box; nil if no leaf of a tree is left.
func (o *opener) inherit(from *relaxation) *relaxation {
	own := *from
	if !o.shrink(&own, own.within) {
		return nil
	}
	o.region.restrict(own.Box())
	return &own
}

// shrink leaves the leaves that lie in the region and within a distance, and may win; false if a
// tree has none.
func (o *opener) shrink(r *relaxation, within float64) bool {
	r.Decomposition = o.within(r.Decomposition, o.region.box, r.margin, within)
	r.within = within
	return r.Decomposition != nil
}

// within returns potentials of a margin restricted to a box, and to a distance; nil if they leave
// no input.
func (o *opener) within(
	d *potentials.Decomposition, box grid.Box, margin int, within float64,
) *potentials.Decomposition {
	box, m := slices.Clone(box), &o.region.choices.metric
	reach := m.Scaled(within)
	for f, whole := range d.Box() {
		s := &box[f]
		s.Lo, s.Hi = max(s.Lo, whole.Lo), min(s.Hi, whole.Hi)
		for s.Hi > s.Lo && s.Hi > o.At[f] && m.Scale(o.Gap(int32(f), s.Hi, s.Hi)) > reach {
			s.Hi--
		}
		for s.Lo < s.Hi && s.Lo < o.At[f] && m.Scale(o.Gap(int32(f), s.Lo, s.Lo)) > reach {
			s.Lo++
		}
	}
	return o.sweeper.Narrow(d, box, reach, o.goal(margin))
}

// goal is the least sum of gains with which a margin may be won.
func (s *boxSearch) goal(margin int) float64 {
	l := &s.margins[margin]
	return -(l.Slack + float64(s.model.Len())*l.Change)
}

// tighten bounds the region by potentials, and looks for an answer in it now and then. A node
// that stays open gets its own potentials and split, and may be divided by distance.
func (o *opener) tighten(ctx context.Context, h *half, p *node, cutoff float64) {
	r := *p.relaxation
	split, ok := o.raise(h, &r, cutoff)
	if h.open = false; !ok {
		return
	}
	for r.depth%climbEvery == 0 {
		a := o.climb(ctx, o.targets[p.target], r.within, h.tied)
		if a == nil || a.Bound > r.within {
			break // linear rules may take it farther than its cell
		}
		// Answers of the node at the same distance come after it.
		h.answer = a
		below := math.Nextafter(a.Bound, math.Inf(-1))
		if below < h.node.Bound || !o.shrink(&r, below) {
			return
		}
		if split, ok = o.raise(h, &r, cutoff); !ok {
			return
		}
	}
	p.split = orElse(split, p.split)
	r.depth++
	p.relaxation = &r
	// By distance nodes divide at those of intervals, between which linear rules put answers.
	h.open = o.Norm != polytope.LInf || o.tied != nil || o.divide(h, p, cutoff)
}

// climbEvery is how many nodes lie in each other from one to the next in which an answer is
// looked for.
const climbEvery = 16

// raise sweeps until that gains little. It raises the bound, and returns where to split; false once
// the bound is beyond the cutoff.
func (o *opener) raise(h *half, r *relaxation, cutoff float64) (split grid.Cut, ok bool) {
	m := &o.region.choices.metric
	now := step{within: r.within, root: r.depth == 0}
	stop := now.stop(m, o.goal(r.margin))
	stop.Near = min(stop.Far, m.Scaled(cutoff))
	r.steps = append(slices.Clip(r.steps), now)
	if h.node.Bound = max(h.node.Bound, m.Distance(r.Least())); h.node.Bound > cutoff {
		return nowhere, false
	}
	d, swept := o.sweeper.Tighten(r.Decomposition, stop)
	if r.Decomposition, h.won = d, swept.Margin; d == nil {
		return nowhere, false
	}
	h.node.Bound = max(h.node.Bound, m.Distance(r.Least())) // narrowing may have raised it
	if known := m.Scaled(h.node.Bound); r.Margin(known) < stop.Goal {
		h.node.Bound = max(h.node.Bound, m.Distance(r.Crossing(stop.Goal, known, stop.Far)))
	}
	return swept.Split, h.node.Bound <= cutoff
}

// orElse returns where to split, or another cut if that is nowhere.
func orElse(split, other grid.Cut) grid.Cut {
	if split.Feature >= 0 {
		return split
	}
	return other
}

// divide divides an open node by distance. Potentials for a distance mostly refute inputs nearer
// than the answers, but are of little use where there are answers: so the nearer node comes first,
// and the farther one waits. It returns false if no half stays open.
func (o *opener) divide(h *half, p *node, cutoff float64) bool {
	r := p.relaxation
	for {
		far := o.lastReach(r, r.within)
		near := max(o.lastReach(r, h.node.Bound+(far-h.node.Bound)/2), h.node.Bound)
		if near >= far || far-h.node.Bound <= wideShare*far || o.ended() {
			return true
		}
		lower := *p
		nearer := *r
		lower.relaxation = &nearer
		first := half{node: h.node}
		split, open := nowhere, o.shrink(&nearer, near)
		if open {
			split, open = o.raise(&first, lower.relaxation, cutoff)
		}
		if open {
			lower.split, lower.orders = orElse(split, p.split), p.orders/2
			p.orders /= 2
			h.later = &search.Node{Bound: o.nextReach(r, near, far)}
			h.later.State = waiting{keep(h.later, *p)}
			h.node, h.won = first.node, first.won
			*p = lower
			return true
		}
		if h.node.Bound = max(h.node.Bound, o.nextReach(r, near, far)); h.node.Bound > cutoff {
			return false
		}
	}
}

// lastReach returns the largest reach of a leaf within a limit; 0 if there is none. Potentials know
// the leaves of one part alone.
func (o *opener) lastReach(r *relaxation, limit float64) float64 {
	if len(o.parts) == 1 {
		return r.LastReach(limit)
	}
	last := 0.0
	for i, reach := range o.region.choices.reaches {
		if o.region.alive.Has(int32(i)) && reach <= limit {
			last = max(last, reach)
		}
	}
	return last
}

// nextReach returns the smallest reach of a leaf beyond another, at most a limit.
func (o *opener) nextReach(r *relaxation, after, limit float64) float64 {
	if len(o.parts) == 1 {
		return r.NextReach(after, limit)
	}
	for i, reach := range o.region.choices.reaches {
		if o.region.alive.Has(int32(i)) && reach > after {
			limit = min(limit, reach)
		}
	}
	return limit
}

// wideShare is the share of its distance by which answers of a node may lie apart before it is
// divided. Both parts of a divided node are searched: less makes searches longer, and more makes
// bounds lower where a limit ends them.
const wideShare = 0.1

// resume opens a node that has waited for its nearer part.
func (o *opener) resume(
	ctx context.Context, n search.Node, p *node, cutoff float64,
) *search.Answer {
	again := *p
	again.relaxation = o.recall(n, p)
	o.region.load(p)
	h := o.look(ctx, n.Bound, again, cutoff)
	o.region.node = nil
	return o.take(&h, n.Order)
}

// climb looks for an answer in the region, from where the last sweep saw the margin; nil if it
// finds none within a distance. It pins the features that linear rules tie together to where they
// are.
func (o *opener) climb(
	ctx context.Context, t target, within float64, tied []float64,
) (best *search.Answer) {
	if o.climber == nil {
		o.climber = o.boxSearch.climber(o.region.choices.metric)
	}
	cell, box := o.sweeper.Peak(o.At), o.region.box
	if o.tied != nil {
		box = o.pin(box, cell, tied)
	}
	for within >= 0 {
		margins := o.winning(t)
		distance, ok := o.climber.Inside(ctx, margins, box, cell, within, o.tied != nil)
		if !ok {
			break
		}
		a := o.answer(grid.At(cell), distance)
		if a == nil {
			break
		}
		if best == nil || a.Bound < best.Bound {
			best = a
		}
		within = min(distance*nearerShare, math.Nextafter(distance, math.Inf(-1)))
	}
	return best
}

// nearerShare is the share of the distance of an answer within which the next one is looked for.
const nearerShare = 0.99
