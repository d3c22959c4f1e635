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
	places  []int32      // of it, by end: see bound
	regrets []float64    // of the best choices, by the places of their bounds: see edges
	bounds  []bound      // of the best choices, group by group
	ends    []int        // by group: those of the best choice end there
	missed  []int        // memory of misses
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
	o.places = resize(o.places, 2*len(m.Box))
	for f, s := range m.Box {
		o.places[2*f], o.places[2*f+1] = s.Lo, -s.Hi
	}
	o.gathered(best)
	for f := range m.Box {
		m.Box[f] = grid.Span{Lo: o.places[2*f], Hi: -o.places[2*f+1]}
	}
	if c.sets != nil {
		o.meetSets(best)
	}
	m.End(o.NearestIn)
	return m
}

// gathered collects the bounds of the best choices, and where they meet.
func (o *splitter) gathered(best []int32) {
	c, places := o.region.choices, o.places
	o.bounds, o.ends = resize(o.bounds, len(best)*c.most), resize(o.ends, len(best))
	all, n := o.bounds, 0
	for g, i := range best {
		if i != none {
			for j, end := c.limits[i], c.limits[i+1]; j < end; j++ {
				b := c.bounds[j]
				places[b.end] = max(places[b.end], b.at)
				all[n] = b
				n++
			}
		}
		o.ends[g] = n
	}
	o.bounds = all[:n]
}

// meetSets keeps the sets of the best choices.
func (o *splitter) meetSets(best []int32) {
	c := o.region.choices
	for _, i := range best {
		if i == none {
			continue
		}
		for _, s := range c.rangesOf(i) {
			if s.set > 0 {
				o.meeting.KeepSet(s.feature, c.setOf(s.set, o.Words(s.feature)), true)
			}
		}
	}
}

// border returns where to split when the best choices of a crossing are disjoint: of all borders
// between two of them the one at which both halves lose most, by the product of the losses of the
// groups whose best choice goes, with the next within the bound. Where prices overflow any border
// between two of them does: it separates them.
func (o *splitter) border(
	x *crossing, m *grid.Meeting, bound, floor float64,
) (split grid.Cut) {
	c, b := o.region.choices, m.Box
	o.weigh(x, m, bound)
	split, _ = m.Border()
	most := math.Inf(-1)
	better := func(f, after int32, score float64) {
		if score > most {
			split, most = grid.Cut{Feature: f, After: after}, score
		}
	}
	for _, f := range m.SetsDisjoint {
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
			after, score = o.weakest(f, b[f], floor, price)
		}
		better(f, after, score)
	}
	return split
}

// farther returns the price that the half of a split away from X pays besides in ℓ1 and ℓ2, where
// the box of that half is farther.
func (o *splitter) farther(x *crossing, f, interval int32, bound float64) (low, high float64) {
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

// weigh adds up, at the places between the first end and the last beginning of a best choice in
// each disjoint feature, the regrets of those that end or begin there.
func (o *splitter) weigh(x *crossing, m *grid.Meeting, bound float64) {
	c := o.region.choices
	known := c.metric.Scaled(bound)
	offset := c.edges.offset
	o.regrets = resize(o.regrets, len(c.edges.first))
	regrets := o.regrets
	for _, f := range m.Disjoint {
		low, high := offset[2*f], offset[2*f+1]
		clear(regrets[low+m.Box[f].Hi+1 : low+m.Box[f].Lo+1])
		clear(regrets[high-m.Box[f].Lo+1 : high-m.Box[f].Hi+1])
	}
	g, regret := -1, 0.0
	for _, n := range o.misses() {
		if g < 0 || o.ends[g] <= n {
			for g++; o.ends[g] <= n; {
				g++
			}
			regret = o.regret(x, g, known)
		}
		b := o.bounds[n]
		regrets[offset[b.end]+b.at] += regret
	}
}

// misses lists the bounds of the best choices that other ones of them do not reach.
func (o *splitter) misses() []int {
	places := o.places
	o.missed = resize(o.missed, len(o.bounds))
	all, n := o.missed, 0
	for i, b := range o.bounds {
		if b.at+places[b.end^1] > 0 {
			all[n] = i
			n++
		}
	}
	return all[:n]
}

// weakest returns the border between disjoint sides of a feature with the largest product of the
// losses of its two halves, each of which is a floor at least. The price of a border, if there are
// prices, is a further loss of the low and of the high half.
func (o *splitter) weakest(
	f int32, meet grid.Span, floor float64, price func(after int32) (low, high float64),
) (after int32, most float64) {
	offset := o.region.choices.edges.offset
	lows := o.regrets[offset[2*f]+meet.Hi+1:][:meet.Lo-meet.Hi]
	highs := o.regrets[offset[2*f+1]-meet.Lo+1:][:len(lows)]
	left, right := floor, floor
	for _, loss := range lows {
		right += loss
	}
	after, most = meet.Hi, math.Inf(-1)
	low, high := 0.0, 0.0
	for i, loss := range lows {
		left += highs[len(highs)-1-i]
		if price != nil {
			low, high = price(meet.Hi + int32(i))
		}
		if score := (left + high) * (right + low); score > most {
			after, most = meet.Hi+int32(i), score
		}
		right -= loss
	}
	return after, most
}

// regret estimates the loss of a group that loses its best choice: the difference to the next
// within a reach.
func (o *splitter) regret(x *crossing, g int, known float64) float64 {
	c, p := o.region.choices, partial{margin: x.margin, spread: x.spread, weight: 1}
	if len(x.parts) > 0 {
		p = x.of(g)
	}
	next, ok := o.region.within(c.orderOf(p.margin), c.placeOf(p.margin, g, x.best[g])+1,
		c.first[g+1], known)
	if !ok {
		return p.spread * p.weight
	}
	return (x.gains[g] - c.gain(next, p.margin) + p.spread*regretFloor) * p.weight
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
