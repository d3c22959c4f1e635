package boxtree

import (
	"cmp"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// joiner joins the groups of choices that meet a region. Choices of a joint group are one leaf of
// every tree of some: those leaves that have a common point within reach. An input chooses one of
// them, as of the leaves of a tree.
type joiner struct {
	*region
	reach, limit float64 // of the region, and of the choices
	margins      int
	ended        func() bool // whether nobody needs what is joined
	tried, best  choices     // memory
}

// Two groups are joined if that leaves at most mostJoined choices. Of so many next larger partners
// it is that with which the smallest share of all pairs is left.
const mostJoined, partners = 64, 6

// join returns the choices that meet the region within a distance, in groups of several trees each.
// Leaves of one group exclude each other, and are farther together than each is, so that bounds are
// tighter. It takes some ten milliseconds, and the search of the region begins with them.
func (o *opener) join(within float64) *choices {
	r, c := &o.region, o.region.choices
	k := joiner{
		region: r, reach: r.reach(), limit: c.metric.Scaled(within), margins: len(c.base),
		ended: o.ended,
	}
	joined := &choices{
		metric: c.metric, within: within, ball: slices.Clone(r.box), joined: true,
		first: []int32{0}, ends: []int32{0}, base: slices.Clone(c.base), margin: c.margin,
		parts: []int32{0},
	}
	for part := range o.parts {
		first, last := c.groupsOf(part)
		groups := make([]*choices, 0, last-first)
		for g := first; g < last; g++ {
			groups = append(groups, k.meeting(g))
		}
		for n := 0; n != len(groups); {
			n, groups = len(groups), k.pair(groups)
		}
		k.gather(joined, groups)
	}
	own := joined.indexed()
	own.shared = &search.Shared{Bytes: own.bytes()}
	return own
}

// gather adds the groups of a part.
func (k *joiner) gather(joined *choices, groups []*choices) {
	for _, j := range groups {
		at := int32(len(joined.sides))
		joined.reaches = append(joined.reaches, j.reaches...)
		joined.gains = append(joined.gains, j.gains...)
		joined.sides = append(joined.sides, j.sides...)
		for _, end := range j.ends[1:] {
			joined.ends = append(joined.ends, at+end)
		}
		joined.closeGroup()
	}
	joined.parts = append(joined.parts, int32(joined.groups()))
}

// meeting returns the choices of a group that meet the region within reach.
func (k *joiner) meeting(group int) *choices {
	j, c := &choices{ends: []int32{0}}, k.choices
	for i := c.first[group]; i < c.first[group+1]; i++ {
		reach := k.reachOf(i, k.reach)
		if !k.alive[i] || reach > k.limit {
			continue
		}
		for _, s := range c.sidesOf(i) {
			if box := k.box[s.feature]; s.Lo > box.Lo || s.Hi < box.Hi {
				j.sides = append(j.sides, s)
			}
		}
		j.gains = append(j.gains, c.gains[int(i)*k.margins:int(i+1)*k.margins]...)
		j.closeChoice(reach)
	}
	return j
}

// pair joins groups two by two, the smallest first.
func (k *joiner) pair(groups []*choices) (joined []*choices) {
	slices.SortStableFunc(groups, func(a, b *choices) int { return cmp.Compare(a.len(), b.len()) })
	for i, a := range groups {
		if a == nil {
			continue
		}
		partner, share := -1, 0.0
		for b, seen := i+1, 0; b < len(groups) && seen < partners && !k.ended(); b++ {
			if groups[b] == nil {
				continue
			}
			seen++
			all := float64(a.len() * groups[b].len())
			if !k.product(a, groups[b]) {
				continue
			}
			if s := float64(k.tried.len()) / all; partner < 0 || s < share {
				partner, share = b, s
				k.tried, k.best = k.best, k.tried
			}
		}
		if partner >= 0 {
			groups[partner] = nil
			a = &choices{
				reaches: slices.Clone(k.best.reaches), gains: slices.Clone(k.best.gains),
				sides: slices.Clone(k.best.sides), ends: slices.Clone(k.best.ends),
			}
		}
		joined = append(joined, a)
	}
	return joined
}

// product makes tried the group of two; false if it is too large.
func (k *joiner) product(a, b *choices) bool {
	k.tried.reset(k.choices.metric)
	for i := range int32(a.len()) {
		for j := range int32(b.len()) {
			reach, ok := k.meet(a.sidesOf(i), b.sidesOf(j))
			if k.Norm == polytope.LInf {
				reach = max(a.reaches[i], b.reaches[j])
			}
			if !ok || reach > k.limit {
				k.tried.sides = k.tried.sides[:k.tried.ends[k.tried.len()]]
				continue
			}
			if k.tried.closeChoice(reach); k.tried.len() > mostJoined {
				return false
			}
			gains := b.gains[int(j)*k.margins:]
			for l, gain := range a.gains[int(i)*k.margins : int(i+1)*k.margins] {
				k.tried.gains = append(k.tried.gains, gain+gains[l])
			}
		}
	}
	return true
}

// meet appends to tried the sides of what two choices have in common, and returns its reach where
// gaps add up; false if that is nothing.
func (k *joiner) meet(a, b []side) (reach float64, ok bool) {
	reach = k.reach
	for len(a) > 0 || len(b) > 0 {
		var s side
		switch {
		case len(b) == 0 || len(a) > 0 && a[0].feature < b[0].feature:
			s, a = a[0], a[1:]
		case len(a) == 0 || b[0].feature < a[0].feature:
			s, b = b[0], b[1:]
		default:
			s = a[0]
			s.Lo, s.Hi = max(s.Lo, b[0].Lo), min(s.Hi, b[0].Hi)
			if s.Lo > s.Hi {
				return 0, false
			}
			s.gap = max(s.gap, b[0].gap) // the common intervals are no nearer
			a, b = a[1:], b[1:]
		}
		if own := k.gaps[s.feature]; s.gap > own {
			reach += s.gap - own
		}
		k.tried.sides = append(k.tried.sides, s)
	}
	return reach, true
}
