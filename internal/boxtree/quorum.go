package boxtree

import (
	"cmp"
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/seed-1a7dc1f9/facet/internal/boxtree/climb"
	"github.com/seed-1a7dc1f9/facet/internal/boxtree/grid"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// partial is the entry of a crossing for a part that could win.
type partial struct {
	part, last int     // its number, and that of the first group behind its own
	margin     int     // the one that is won last, −1 if it has none
	radius     float64 // from which on it could win
	spread     float64
	weight     float64 // of the losses of the margin
	excess     float64 // by how much it could win, in terms of the spread
}

// needed reports whether a part has to win, and no other can in its place.
func (s *boxSearch) needed(part int) bool {
	return !slices.ContainsFunc(s.quorums, func(c search.Quorum) bool {
		return c.First <= part && part < c.Last && c.Least < c.Last-c.First
	})
}

// crossings returns the last crossing in a search of several parts: from its radius on enough parts
// of each quorum could win; false if that is not within the cutoff. It has the best choices of so
// many, which win most surely, for the margin of each that is won last. A part with less to lose
// weighs more. Its own margin is one that has to be won, −1 if there is none.
func (o *opener) crossings(t target, reach, bound, cutoff float64) (all crossing, ok bool) {
	c := o.region.choices
	o.best, o.gains = resize(o.best, c.groups()), resize(o.gains, c.groups())
	all = crossing{radius: bound, margin: -1, best: o.best, gains: o.gains}
	for g := range all.best { // a part whose labels all answer has no margin
		all.best[g], all.gains[g] = none, 0
	}
	if all.radius, ok = o.winners(t, reach, bound, cutoff); !ok {
		return all, false
	}
	for i := range o.partials {
		o.lead(&o.partials[i], all, reach, cutoff)
	}
	o.surest(all)
	all.parts = o.partials
	radius, needed := -1.0, -1.0
	for _, p := range all.parts {
		if p.margin < 0 {
			continue
		}
		if p.radius > radius {
			radius, all.spread = p.radius, p.spread*p.weight
		}
		if p.radius > needed && o.needed(p.part) {
			needed, all.margin = p.radius, p.margin
		}
	}
	return all, true
}

// winners collects the parts that could win within the cutoff, and returns the radius from which on
// enough of them could; false if they are too few.
func (o *opener) winners(t target, reach, bound, cutoff float64) (radius float64, ok bool) {
	o.partials, radius = o.partials[:0], bound
	for _, c := range o.quorums {
		first := len(o.partials)
		for part := c.First; part < c.Last; part++ {
			p := partial{part: part, margin: -1, weight: 1, excess: math.Inf(1)}
			_, p.last = o.region.choices.groupsOf(part)
			from, to := t.marginsOf(part)
			x, ok := o.lastOf(from, to, reach, bound, cutoff)
			if from < to {
				p.margin, p.radius = x.margin, x.radius
			}
			if ok {
				o.partials = append(o.partials, p)
			} else if len(o.partials)-first+c.Last-part-1 < c.Least {
				return radius, false
			}
		}
		o.radii = o.radii[:0]
		for _, p := range o.partials[first:] {
			o.radii = append(o.radii, p.radius)
		}
		slices.Sort(o.radii)
		radius = max(radius, o.radii[c.Least-1])
	}
	return radius, true
}

// lead adds to a crossing the best choices within its radius of a part that could win there.
func (o *opener) lead(p *partial, all crossing, reach, cutoff float64) {
	if p.margin < 0 || p.radius > all.radius {
		return
	}
	c := o.region.choices
	x, _ := o.crossing(p.margin, reach, all.radius, cutoff)
	first, last := c.groupsOf(p.part)
	copy(all.best[first:last], x.best)
	copy(all.gains[first:last], x.gains)
	p.spread = x.spread
	if p.spread > 0 {
		excess := c.baseOf(p.margin) + floats.Sum(x.gains) - o.goal(p.margin)
		p.weight, p.excess = 1/(max(0, excess)+p.spread), excess/p.spread
	}
}

// surest keeps of each quorum as many parts as are to win, those that could do so most surely
// within the radius of a crossing, and takes the choices of the others out of it.
func (o *opener) surest(all crossing) {
	kept, rest := o.partials[:0], o.partials
	for _, c := range o.quorums {
		n := 0
		for n < len(rest) && rest[n].part < c.Last {
			n++
		}
		own := rest[:n]
		rest = rest[n:]
		slices.SortStableFunc(own, func(a, b partial) int {
			aWins, bWins := a.radius <= all.radius, b.radius <= all.radius
			switch {
			case aWins && !bWins:
				return -1
			case bWins && !aWins:
				return 1
			}
			return cmp.Compare(b.excess, a.excess)
		})
		for _, p := range own[c.Least:] {
			first, last := o.region.choices.groupsOf(p.part)
			for g := first; g < last; g++ {
				all.best[g], all.gains[g] = none, 0
			}
		}
		own = own[:c.Least]
		slices.SortFunc(own, func(a, b partial) int { return cmp.Compare(a.part, b.part) })
		kept = append(kept, own...)
	}
	o.partials = kept
}

// winning returns the margins of a target that the last crossing had the best choices of.
func (o *opener) winning(t target) []trees.Margin {
	if !o.choosy() {
		return o.margins[t.first:t.last]
	}
	var margins []trees.Margin
	for _, p := range o.partials {
		first, last := t.marginsOf(p.part)
		margins = append(margins, o.margins[first:last]...)
	}
	return margins
}

// choosy reports whether some parts need not win.
func (s *boxSearch) choosy() bool {
	return slices.ContainsFunc(s.quorums, func(c search.Quorum) bool {
		return c.Least < c.Last-c.First
	})
}

// leading returns the margins of a target for a local search: of a quorum those of as many parts as
// are to win, which do so nearest to X by themselves.
func (s *boxSearch) leading(
	ctx context.Context, l *climb.Search, t target, radius, cutoff float64,
) []trees.Margin {
	if !s.choosy() {
		return s.margins[t.first:t.last]
	}
	var margins []trees.Margin
	for _, c := range s.quorums {
		type way struct {
			margins  []trees.Margin
			distance float64
		}
		var ways []way
		for part := c.First; part < c.Last; part++ {
			first, last := t.marginsOf(part)
			w := way{margins: s.margins[first:last]}
			if c.Least < c.Last-c.First {
				with := slices.Concat(margins, w.margins)
				if cell, distance := l.Find(ctx, with, radius, cutoff); cell == nil {
					w.distance = math.Inf(1)
				} else {
					w.distance = distance
				}
			}
			ways = append(ways, w)
		}
		slices.SortStableFunc(ways, func(a, b way) int {
			return cmp.Compare(a.distance, b.distance)
		})
		for _, w := range ways[:c.Least] {
			margins = append(margins, w.margins...)
		}
	}
	return margins
}

// undecided returns where to split the region further where the parts that should win do not, by
// rounding, and others might: across a leaf of a tree; false if there is one leaf of each tree.
func (o *opener) undecided() (grid.Cut, bool) {
	if !o.choosy() {
		return nowhere, false
	}
	c := o.region.choices
	for i := range int32(c.len()) {
		for _, s := range c.rangesOf(i) {
			box := o.region.box[s.feature]
			if o.region.alive.Has(i) && box.Lo < box.Hi &&
				(s.Lo > box.Lo || s.Hi < box.Hi || s.set > 0) {
				return grid.Cut{Feature: s.feature, After: box.Middle()}, true
			}
		}
	}
	return nowhere, false
}
