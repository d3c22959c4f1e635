package boxtree

import (
	"cmp"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/boxtree/grid"
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
	ended        func() bool // whether nobody needs the result
	extents      []extent    // of the choice in hand, by feature
	tried, best  []pairing   // memory
}

// extent is the part that a choice leaves of a feature of the region, and its gap.
type extent struct {
	grid.Span
	gap float64
}

// pairing is a choice of each of two groups.
type pairing struct{ a, b int32 }

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
		ended: o.ended, extents: make([]extent, len(r.box)),
	}
	for f := range k.extents {
		k.extents[f] = k.whole(int32(f))
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
		at := int32(len(joined.ranges))
		joined.reaches = append(joined.reaches, j.reaches...)
		joined.gains = append(joined.gains, j.gains...)
		joined.ranges = append(joined.ranges, j.ranges...)
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
		if !k.alive.Has(i) || reach > k.limit {
			continue
		}
		for _, s := range c.rangesOf(i) {
			if box := k.box[s.feature]; s.Lo > box.Lo || s.Hi < box.Hi {
				j.ranges = append(j.ranges, s)
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
			if !k.try(a, groups[b]) {
				continue
			}
			if s := float64(len(k.tried)) / all; partner < 0 || s < share {
				partner, share = b, s
				k.tried, k.best = k.best, k.tried
			}
		}
		if partner >= 0 {
			a, groups[partner] = k.product(a, groups[partner]), nil
		}
		joined = append(joined, a)
	}
	return joined
}

// whole returns all of a feature of the region.
func (k *joiner) whole(f int32) extent { return extent{k.box[f], k.gaps[f]} }

// try lists in tried the choices of the group of two; false if they are too many.
func (k *joiner) try(a, b *choices) bool {
	k.tried = k.tried[:0]
	for i := range int32(a.len()) {
		own := a.rangesOf(i)
		for j := range own {
			s := &own[j]
			k.extents[s.feature] = extent{s.Span, max(s.gap, k.gaps[s.feature])}
		}
		for j := range int32(b.len()) {
			if !k.meets(a, b, i, j) {
				continue
			}
			if k.tried = append(k.tried, pairing{i, j}); len(k.tried) > mostJoined {
				break
			}
		}
		for j := range own {
			k.extents[own[j].feature] = k.whole(own[j].feature)
		}
		if len(k.tried) > mostJoined {
			return false
		}
	}
	return true
}

// meets reports whether choice i of a, which is that in hand, and choice j of b have something in
// common within the limit. Gaps are added up in the order of features only where that may matter.
func (k *joiner) meets(a, b *choices, i, j int32) bool {
	reach, sides := a.reaches[i], b.rangesOf(j)
	for n := range sides {
		s := &sides[n]
		e := &k.extents[s.feature]
		if s.Lo > e.Hi || s.Hi < e.Lo {
			return false
		}
		if s.gap > e.gap { // the common intervals are no nearer
			reach += s.gap - e.gap
		}
	}
	if k.Norm == polytope.LInf {
		return max(a.reaches[i], b.reaches[j]) <= k.limit
	}
	if math.Abs(reach-k.limit) > orderSlack*k.limit {
		return reach < k.limit
	}
	reach, _ = k.meet(nil, a.rangesOf(i), sides)
	return reach <= k.limit
}

// orderSlack bounds, as a share, how much a sum of gaps depends on their order.
const orderSlack = 1e-9

// product returns the group of two, of the choices that best lists.
func (k *joiner) product(a, b *choices) *choices {
	n, sides := len(k.best), 0
	for _, p := range k.best {
		sides += len(a.rangesOf(p.a)) + len(b.rangesOf(p.b))
	}
	j := &choices{
		reaches: make([]float64, 0, n), gains: make([]float64, 0, n*k.margins),
		ranges: make([]featureRange, 0, sides), ends: make([]int32, 1, n+1),
	}
	for _, p := range k.best {
		var reach float64
		reach, j.ranges = k.meet(j.ranges, a.rangesOf(p.a), b.rangesOf(p.b))
		if k.Norm == polytope.LInf {
			reach = max(a.reaches[p.a], b.reaches[p.b])
		}
		j.closeChoice(reach)
		gains := b.gains[int(p.b)*k.margins:]
		for l, gain := range a.gains[int(p.a)*k.margins : int(p.a+1)*k.margins] {
			j.gains = append(j.gains, gain+gains[l])
		}
	}
	return j
}

// meet appends the ranges of the intersection of two choices, and returns its reach where
// gaps add up.
func (k *joiner) meet(sides, a, b []featureRange) (reach float64, all []featureRange) {
	reach = k.reach
	for len(a) > 0 || len(b) > 0 {
		var s featureRange
		switch {
		case len(b) == 0 || len(a) > 0 && a[0].feature < b[0].feature:
			s, a = a[0], a[1:]
		case len(a) == 0 || b[0].feature < a[0].feature:
			s, b = b[0], b[1:]
		default:
			s = a[0]
			s.Lo, s.Hi = max(s.Lo, b[0].Lo), min(s.Hi, b[0].Hi)
			s.gap = max(s.gap, b[0].gap) // the common intervals are no nearer
			a, b = a[1:], b[1:]
		}
		if own := k.gaps[s.feature]; s.gap > own {
			reach += s.gap - own
		}
		sides = append(sides, s)
	}
	return reach, sides
}
