package boxtree

import (
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/boxtree/grid"
	"github.com/seed-1a7dc1f9/facet/internal/search"
)

// choices are the leaves that each tree can reach within a ball around X, in
// groups of which an input chooses one each. A group stands for one tree, and its
// choices for leaves, or for several trees: see join. They do not change once indexed.
type choices struct {
	metric  grid.Metric
	within  float64  // how far the ball reaches
	ball    grid.Box // intervals that meet the ball
	first   []int32  // choices of group g: first[g] ≤ i < first[g+1]
	parts   []int32  // groups of part p of the model: parts[p] ≤ g < parts[p+1]
	trees   []int32  // by group, until indexed
	reaches []float64
	gains   []float64      // choice after choice, its gain of each margin
	base    []float64      // each margin before any group chooses, from the first on
	margin  int            // which is that of so many margins of the search
	ranges  []featureRange // those of choice i: ends[i] ≤ j < ends[i+1], by feature
	ends    []int32

	order []int32 // by margin: the choices of each group, the largest gain first
	// ordered says that there is one margin, and that the choices of each group lie in its order.
	ordered bool
	spread  []float64 // by margin: mean difference of the gains of a group
	// The ranges once more, end by end: those of choice i are limits[i] ≤ j < limits[i+1].
	bounds []bound
	limits []int32
	most   int       // bounds of a choice
	edges  edges     // the choices by their bounds
	bits   []uint64  // of sets of intervals, one after the other
	sets   [][]owned // by feature: the ranges with sets; nil if there are none
	joined bool      // groups stand for several trees: see join
	// shared counts the memory of those of a large search, nil for others.
	shared *search.Shared
}

// featureRange restricts a choice to the intervals of a feature.
type featureRange struct {
	feature int32
	grid.Span
	set int32   // one more than where its set begins in bits; 0 for all of the span
	gap float64 // scaled distance from X
}

// bound is an end of a range that does not reach as far as the ball: the choice lies at least
// there. That is so of both ends of feature f: end 2f is where a range begins and end 2f+1
// where it ends, seen in a mirror in which interval s is −s.
type bound struct{ end, at int32 }

// owned is a set of intervals of a choice.
type owned struct{ choice, set int32 }

func (c *choices) groups() int { return len(c.first) - 1 }
func (c *choices) len() int    { return len(c.reaches) }
func (c *choices) pairs() int  { return c.groups() * c.len() } // of a group and a choice

// rangesOf returns the ranges of choice i.
func (c *choices) rangesOf(i int32) []featureRange { return c.ranges[c.ends[i]:c.ends[i+1]] }

// boundsOf returns the bounds of choice i.
func (c *choices) boundsOf(i int32) []bound { return c.bounds[c.limits[i]:c.limits[i+1]] }

// gain returns the gain that choice i adds to a margin.
func (c *choices) gain(i int32, margin int) float64 {
	return c.gains[int(i)*len(c.base)+margin-c.margin]
}

// groupsOf returns the groups of a part: first ≤ g < last.
func (c *choices) groupsOf(part int) (first, last int) {
	return int(c.parts[part]), int(c.parts[part+1])
}

// baseOf returns a margin before any group chooses.
func (c *choices) baseOf(margin int) float64 { return c.base[margin-c.margin] }

// spreadOf returns the mean difference of the gains of a group.
func (c *choices) spreadOf(margin int) float64 { return c.spread[margin-c.margin] }

// ranked returns the choices of a group, those first that add most to a margin.
func (c *choices) ranked(margin, group int) []int32 {
	return c.orderOf(margin)[c.first[group]:c.first[group+1]]
}

// orderOf returns the choices of all groups, one after the other, those first that add most to a
// margin.
func (c *choices) orderOf(margin int) []int32 {
	return c.order[(margin-c.margin)*c.len():][:c.len()]
}

// placeOf returns where in the order of a margin a choice of a group is.
func (c *choices) placeOf(margin, group int, choice int32) int32 {
	if c.ordered {
		return choice
	}
	return c.first[group] + int32(slices.Index(c.ranked(margin, group), choice))
}

// reset empties c but keeps its memory.
func (c *choices) reset(m grid.Metric) {
	c.metric, c.ball, c.margin = m, c.ball[:0], 0
	c.first, c.ends = append(c.first[:0], 0), append(c.ends[:0], 0)
	c.parts = append(c.parts[:0], 0)
	c.reaches, c.gains, c.base, c.ranges = c.reaches[:0], c.gains[:0], c.base[:0], c.ranges[:0]
	c.bits, c.sets, c.trees = c.bits[:0], nil, c.trees[:0]
}

// setOf returns the intervals of a range with a set.
func (c *choices) setOf(set int32, words int) grid.Set { return c.bits[set-1:][:words] }

// best returns the value of a margin with the best choice of each group.
func (c *choices) best(margin int) float64 {
	sum := c.baseOf(margin)
	for g := range c.groups() {
		most := math.Inf(-1)
		for i := c.first[g]; i < c.first[g+1]; i++ {
			most = max(most, c.gain(i, margin))
		}
		sum += most
	}
	return sum
}

// closeChoice ends a choice whose ranges have been appended.
func (c *choices) closeChoice(reach float64) {
	c.reaches, c.ends = append(c.reaches, reach), append(c.ends, int32(len(c.ranges)))
}

// closeGroup ends a group, and returns how many there are. One that leaves no choice joins the base
// instead.
func (c *choices) closeGroup() int {
	begin := int(c.first[len(c.first)-1])
	if c.len() != begin+1 {
		c.first = append(c.first, int32(c.len()))
		return c.groups()
	}
	for i := range c.base {
		c.base[i] += c.gain(int32(begin), c.margin+i)
	}
	c.gains = c.gains[:begin*len(c.base)]
	c.reaches = c.reaches[:begin]
	c.ends = c.ends[:begin+1]
	c.ranges = c.ranges[:c.ends[begin]]
	return c.groups()
}

// mattering returns the parts that matter for some of the margins, indexed: these, and the groups
// of trees that add to one of them. Others become a part of the base, since their leaves all add
// the same. Most trees of a softmax model add to other classes.
func (c *choices) mattering(t target, matters func(tree int32) bool) *choices {
	own := &choices{
		metric: c.metric, within: c.within, ball: c.ball, bits: c.bits, margin: t.first,
		first: []int32{0}, ends: []int32{0}, base: slices.Clone(c.base[t.first:t.last]),
	}
	for g, tree := range c.trees {
		own.endParts(c.parts, g)
		for i := c.first[g]; i < c.first[g+1]; i++ {
			gains := c.gains[int(i)*len(c.base):][t.first:t.last]
			if !matters(tree) {
				for l, gain := range gains {
					own.base[l] += gain
				}
				break
			}
			own.gains = append(own.gains, gains...)
			own.ranges = append(own.ranges, c.rangesOf(i)...)
			own.closeChoice(c.reaches[i])
		}
		if matters(tree) || c.first[g] == c.first[g+1] {
			own.first = append(own.first, int32(own.len()))
		}
	}
	own.endParts(c.parts, c.groups())
	return own.indexed()
}

// endParts says that the parts begin here which have their first groups, among others, at one.
func (c *choices) endParts(among []int32, at int) {
	for len(c.parts) < len(among) && int(among[len(c.parts)]) <= at {
		c.parts = append(c.parts, int32(c.groups()))
	}
}

// indexed returns a copy of c, in memory of its own, prepared for the search.
func (c *choices) indexed() *choices { return c.indexedIn(nil) }

// indexedIn is indexed, in the memory of choices that nobody uses any more, or new memory for nil.
func (c *choices) indexedIn(i *choices) *choices {
	if i == nil {
		i = &choices{}
	}
	*i = choices{
		metric: c.metric, within: c.within, joined: c.joined, margin: c.margin,
		ball:    append(i.ball[:0], c.ball...),
		first:   append(i.first[:0], c.first...),
		parts:   append(i.parts[:0], c.parts...),
		reaches: append(i.reaches[:0], c.reaches...),
		gains:   append(i.gains[:0], c.gains...),
		base:    append(i.base[:0], c.base...),
		ranges:  i.ranges[:0],
		ends:    i.ends[:0],
		bits:    append(i.bits[:0], c.bits...),
		order:   resize(i.order, len(c.base)*c.len()),
		spread:  resize(i.spread, len(c.base)),
		bounds:  i.bounds[:0],
		limits:  i.limits[:0],
		edges:   i.edges,
	}
	clear(i.spread)
	for margin := range i.base {
		for g := range i.groups() {
			i.rank(i.margin+margin, g)
		}
	}
	i.arrange(c)
	i.own()
	i.bind()
	i.edges.sort(i)
	return i
}

// arrange copies the ranges of ranked choices from others and, if there is one margin, puts
// all that belongs to a choice in its order.
func (c *choices) arrange(from *choices) {
	if c.ordered = len(c.base) == 1; !c.ordered {
		c.ranges, c.ends = append(c.ranges, from.ranges...), append(c.ends, from.ends...)
		return
	}
	c.ranges = slices.Grow(c.ranges, len(from.ranges))
	c.ends = append(c.ends, 0)
	for place, i := range c.order {
		c.reaches[place], c.gains[place] = from.reaches[i], from.gains[i]
		c.ranges = append(c.ranges, from.rangesOf(i)...)
		c.ends = append(c.ends, int32(len(c.ranges)))
		c.order[place] = int32(place)
	}
}

// bind collects the bounds of all ranges.
func (c *choices) bind() {
	c.bounds, c.limits = slices.Grow(c.bounds, len(c.ranges)), append(c.limits, 0)
	begin := int32(0)
	for _, end := range c.ends[1:] {
		for j := begin; j < end; j++ {
			s := &c.ranges[j]
			ball := c.ball[s.feature]
			if s.Lo > ball.Lo {
				c.bounds = append(c.bounds, bound{2 * s.feature, s.Lo})
			}
			if s.Hi < ball.Hi {
				c.bounds = append(c.bounds, bound{2*s.feature + 1, -s.Hi})
			}
		}
		begin = end
		last := c.limits[len(c.limits)-1]
		c.limits = append(c.limits, int32(len(c.bounds)))
		c.most = max(c.most, len(c.bounds)-int(last))
	}
}

// bytes returns the memory that indexed choices take, but for a few hundred.
func (c *choices) bytes() int {
	const rangeBytes = 24
	n := rangeBytes*cap(c.ranges) + 8*(cap(c.reaches)+cap(c.gains)+cap(c.base)+cap(c.spread)) +
		8*(cap(c.ball)+cap(c.bounds)) + 4*(cap(c.first)+cap(c.ends)+cap(c.limits)+cap(c.order))
	e := &c.edges
	return n + 4*(cap(e.choices)+cap(e.first)+cap(e.offset))
}

// own lists the ranges with sets by their features.
func (c *choices) own() {
	if len(c.bits) == 0 {
		return
	}
	c.sets = make([][]owned, len(c.ball))
	for i := range int32(c.len()) {
		for _, s := range c.rangesOf(i) {
			if s.set > 0 {
				c.sets[s.feature] = append(c.sets[s.feature], owned{i, s.set})
			}
		}
	}
}

// rank sorts the choices of a group by their gains for a margin, the nearer first of a tie.
func (c *choices) rank(margin, group int) {
	order := c.ranked(margin, group)
	if len(order) == 0 {
		return
	}
	for i := range order {
		order[i] = c.first[group] + int32(i)
	}
	if len(order) <= fewChoices {
		c.insert(order, margin)
	} else {
		slices.SortStableFunc(order, func(a, b int32) int {
			switch {
			case c.better(a, b, margin):
				return -1
			case c.better(b, a, margin):
				return 1
			}
			return 0
		})
	}
	c.spread[margin-c.margin] += (c.gain(order[0], margin) - c.gain(order[len(order)-1], margin)) /
		float64(c.groups())
}

// fewChoices is how many are sorted by insertion, which is the faster for them.
const fewChoices = 64

// insert sorts choices by insertion.
func (c *choices) insert(order []int32, margin int) {
	for i, choice := range order {
		j := i
		for ; j > 0 && c.better(choice, order[j-1], margin); j-- {
			order[j] = order[j-1]
		}
		order[j] = choice
	}
}

func (c *choices) better(a, b int32, margin int) bool {
	gainA, gainB := c.gain(a, margin), c.gain(b, margin)
	return gainA > gainB || (gainA == gainB && c.reaches[a] < c.reaches[b])
}

// edges are the choices by their bounds.
type edges struct {
	choices []int32
	first   []int32 // choices bound at some place: from first[i] on, if that is place number i
	offset  []int32 // by end: the number of its place 0
}

// sort lists the bounds of all choices, by their ends and places.
func (e *edges) sort(c *choices) {
	e.offset = resize(e.offset, 2*len(c.ball))
	places := int32(0)
	for f, s := range c.ball {
		e.offset[2*f] = places - s.Lo
		places += s.Hi - s.Lo + 1
		e.offset[2*f+1] = places + s.Hi
		places += s.Hi - s.Lo + 1
	}
	e.first = resize(e.first, int(places)+1)
	clear(e.first)
	for _, b := range c.bounds {
		e.first[e.offset[b.end]+b.at]++
	}
	for i := range places {
		e.first[i+1] += e.first[i] // where the place ends, until the choices are in place
	}
	e.choices = resize(e.choices, len(c.bounds))
	for i := int32(c.len()) - 1; i >= 0; i-- {
		for _, b := range c.boundsOf(i) {
			at := &e.first[e.offset[b.end]+b.at]
			*at--
			e.choices[*at] = i
		}
	}
}

// between returns the choices with a bound of an end at from ≤ place < to.
func (e *edges) between(end, from, to int32) []int32 {
	at := e.offset[end]
	return e.choices[e.first[at+from]:e.first[at+to]]
}
