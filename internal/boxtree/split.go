package boxtree

import (
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/boxtree/grid"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// splitter says where to split a region in which the best choices do not meet.
type splitter struct {
	*boxSearch
	region  region
	meeting grid.Meeting // of the best choices
	regrets grid.Losses  // of them
	// of divideSet: losses of the halves behind each interval
	lows, highs []float64
}

func newSplitter(s *boxSearch) splitter {
	return splitter{boxSearch: s, region: newRegion(&s.View)}
}

// meet returns the intersection of the best choices in the region. Of sets it takes the run nearest
// to X.
func (o *splitter) meet(best []int32) *grid.Meeting {
	m, c := &o.meeting, o.region.choices
	m.Begin(o.region.box)
	for _, i := range best {
		if i == none {
			continue
		}
		sides := c.sidesOf(i)
		for j := range sides {
			s := &sides[j]
			if m.Keep(s.feature, s.Span); s.set > 0 {
				m.KeepSet(s.feature, c.setOf(s.set, o.Words(s.feature)), true)
			}
		}
	}
	m.End(o.NearestIn)
	return m
}

// border returns where to split when the best choices of a crossing are disjoint: of all borders
// between two of them the one at which both halves lose most, by the product of the losses of the
// groups whose best choice goes, with the next within the bound. Where prices overflow any border
// between two of them does: it separates them.
func (o *splitter) border(
	x crossing, m *grid.Meeting, bound, floor float64,
) (split grid.Cut) {
	c, b := o.region.choices, m.Box
	o.regrets.Reset(c.lows.offset, c.lows.intervals(), m)
	o.weigh(x, b, bound)
	most := math.Inf(-1)
	if len(m.Disjoint) > 0 {
		split = grid.Cut{Feature: m.Disjoint[0], After: b[m.Disjoint[0]].Hi}
	}
	better := func(f, after int32, score float64) {
		if score > most {
			split, most = grid.Cut{Feature: f, After: after}, score
		}
	}
	for _, f := range m.Apart {
		after, score := o.divideSet(x, f, bound, floor)
		better(f, after, score)
	}
	far := o.Norm != polytope.LInf // and one half of each border is farther than the other
	for _, f := range m.Disjoint {
		var price func(after int32) (low, high float64)
		if far {
			price = func(after int32) (low, high float64) { return o.farther(x, f, after, bound) }
		}
		after, score := int32(0), 0.0
		if c.sets != nil && len(c.sets[f]) > 0 {
			after, score = o.divideSet(x, f, bound, floor)
		} else {
			after, score = o.regrets.Weakest(f, b[f], floor, price)
		}
		better(f, after, score)
	}
	return split
}

// farther returns the price that the half of a split away from X pays besides in ℓ1 and ℓ2, where
// the box of that half is farther.
func (o *splitter) farther(x crossing, f, interval int32, bound float64) (low, high float64) {
	c := o.region.choices
	known := c.metric.Scaled(bound)
	if o.Norm == polytope.LInf || known == 0 {
		return 0, 0
	}
	below := interval < o.At[f]
	half := grid.Span{Lo: interval, Hi: interval} // the nearest intervals of the half
	if !below {
		half = grid.Span{Lo: interval + 1, Hi: interval + 1}
	}
	if whole := o.region.box[f]; o.Prices != nil { // they may be any
		if half.Lo = whole.Lo; !below {
			half = grid.Span{Lo: interval + 1, Hi: whole.Hi}
		}
	}
	more := max(0, c.metric.Scale(o.Gap(f, half.Lo, half.Hi))-o.region.gaps[f])
	price := distanceWeight * x.spread * more / known
	if below {
		return price, 0
	}
	return 0, price
}

// distanceWeight is the worth of moving by the whole bound, in terms of the mean spread of the
// gains of a group.
const distanceWeight = 5

// regretFloor is the least regret, in terms of the mean spread of the gains of a group.
const regretFloor = 0.05

// weigh adds up, at the intervals between the first end and the last beginning of a
// best choice in each disjoint feature, the regrets of those that end or begin there.
func (o *splitter) weigh(x crossing, b grid.Box, bound float64) {
	c := o.region.choices
	known := c.metric.Scaled(bound)
	for g, i := range x.best {
		if i == none {
			continue
		}
		regret := -1.0
		sides := c.sidesOf(i)
		for j := range sides {
			s := &sides[j]
			meet := b[s.feature]
			if !s.Misses(meet) {
				continue
			}
			if regret < 0 {
				regret = o.regret(x, g, known)
			}
			o.regrets.Add(s.feature, s.Span, meet, regret)
		}
	}
}

// regret estimates the loss of a group that loses its best choice: the difference to the next
// within a reach.
func (o *splitter) regret(x crossing, g int, known float64) float64 {
	c := o.region.choices
	p := x.of(g)
	order, end := c.orderOf(p.margin), c.first[g+1]
	place := c.placeOf(order, g, x.best[g])
	for place++; ; place++ {
		if place = o.region.next(order, place, end); place == end {
			return p.spread * p.weight
		}
		if i := order[place]; c.reaches[i] <= known {
			return (x.gains[g] - c.gain(i, p.margin) + p.spread*regretFloor) * p.weight
		}
	}
}

// resize returns a slice of n elements of any value in the memory of s.
func resize[T any](s []T, n int) []T { return slices.Grow(s[:0], n)[:n] }

// farthest returns the bound of a box in the region, that of the region's node if it
// attains that but for rounding. Otherwise it returns where to split, too: toward the
// box, in the feature that adds most.
func (o *splitter) farthest(
	b grid.Box, bound float64,
) (split grid.Cut, distance float64, attained bool) {
	m := &o.region.choices.metric
	split, reach := o.Toward(m, b, o.region.box)
	if split.Feature < 0 || reach <= m.Scaled(bound) {
		return split, bound, true
	}
	return split, max(bound, m.Distance(reach)), false
}
