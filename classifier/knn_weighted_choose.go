package classifier

import "math"

// A part falls into sets of neighbours when there are at most fewSets of them, or
// manySets once its box is narrow: around a point that many rows are equally far
// from, splitting brings no fewer.
const (
	fewSets  = 12
	manySets = 1 << 14
	narrow   = 0x1p-24 // of the largest distance that matters
)

// choose returns the parts that a part falls into by the set of neighbours and the
// label that wins; false when there are more sets than the limit. It follows sortOut.
//
// The open groups fill the seats in the order of their distances: some of them
// hold all their rows, and the last one perhaps only the first few.
func (o *weightedOpener) choose(part *weightedPart, limit int) ([]*weightedPart, bool) {
	_, _, seats := o.sortOut(part.groups)
	c := chooser{o: o, part: part, limit: limit}
	if seats == 0 {
		c.emit(-1, 0)
	} else {
		c.fill(0, seats, math.Inf(1))
	}
	return c.parts, c.sets <= c.limit
}

func (o *weightedOpener) narrow(part *weightedPart) bool {
	for j, lo := range part.lo {
		hi := part.hi[j]
		if hi-lo > narrow*max(o.extent, math.Abs(lo), math.Abs(hi)) {
			return false
		}
	}
	return true
}

// chooser lists sets of neighbours.
type chooser struct {
	o     *weightedOpener
	part  *weightedPart
	full  []int32 // the open groups that hold all their rows
	parts []*weightedPart
	sets  int
	limit int
}

// fill adds open groups from the i-th on, to fill the seats left. nearest is the
// squared distance within which a group that was passed over lies wherever in the
// box: no group that lies beyond can come before it.
func (c *chooser) fill(i, seats int, nearest float64) {
	c.last(seats)
	for ; i < len(c.o.open) && c.sets <= c.limit; i++ {
		g := c.o.open[i]
		if c.o.near[g] > nearest {
			return // so do those that follow
		}
		if n := c.o.size(g); n <= seats {
			c.full = append(c.full, g)
			if n == seats {
				c.emit(-1, 0)
			} else {
				c.fill(i+1, seats-n, nearest)
			}
			c.full = c.full[:len(c.full)-1]
		}
		nearest = min(nearest, c.o.far[g])
	}
}

// last lets groups with more rows than seats take all of those left.
func (c *chooser) last(seats int) {
	for _, g := range c.o.open {
		if c.o.size(g) > seats && !c.isFull(g) {
			c.emit(g, seats)
		}
	}
}

func (c *chooser) isFull(g int32) bool {
	for _, f := range c.full {
		if f == g {
			return true
		}
	}
	return false
}

// emit lists the set of the certain groups, the full ones and, unless last is −1,
// the first seats rows of last.
func (c *chooser) emit(last int32, seats int) {
	pairs, ok := c.pairs(last)
	if !ok {
		return
	}
	if c.sets++; c.sets > c.limit {
		return
	}
	for _, t := range c.o.contests {
		if set := c.set(t, last, seats); set != nil {
			c.parts = append(c.parts, &weightedPart{lo: c.part.lo, hi: c.part.hi, set: set, pairs: pairs, known: c.part.known})
		}
	}
}

// pairs lists the bisectors around the set that the box does not settle; false when
// it rules one out.
func (c *chooser) pairs(last int32) (pairs []precedence, ok bool) {
	ok = true
	add := func(g, h int32) {
		if c.o.far[g] >= c.o.near[h] {
			pairs = append(pairs, precedence{g, h})
		}
		ok = ok && c.o.near[g] <= c.o.far[h]
	}
	for _, h := range c.o.open {
		if c.isFull(h) {
			continue
		}
		if h != last && last >= 0 {
			add(last, h)
			continue // the full groups come before last
		}
		for _, g := range c.full {
			add(g, h)
		}
	}
	return pairs, ok
}

// set returns the sums that decide a contest, nil when a rival cannot be beaten.
func (c *chooser) set(t contest, last int32, seats int) *neighborSet {
	set := &neighborSet{}
	for _, rival := range t.rivals {
		var terms []term
		for _, groups := range [][]int32{c.o.certain, c.full} {
			for _, g := range groups {
				terms = c.add(terms, g, c.o.size(g), t.label, rival)
			}
		}
		if last >= 0 {
			terms = c.add(terms, last, seats, t.label, rival)
		}
		switch {
		case len(terms) == 0 && rival < t.label, outranked(terms, last):
			return nil
		case len(terms) > 0:
			set.sums = append(set.sums, terms)
		}
	}
	return set
}

// add appends the term of the first count rows of a group, unless they cancel.
func (c *chooser) add(terms []term, g int32, count int, label, rival int32) []term {
	if net := c.o.net(g, int32(count), label, rival); net != 0 {
		terms = append(terms, term{g, net})
	}
	return terms
}

// outranked reports whether a sum is negative by the order of distances alone: no
// group lies beyond last, so if only last has a positive term, the others weigh as
// much as their nets. Equal distances are no set with an interior.
func outranked(terms []term, last int32) bool {
	total := int32(0)
	for _, t := range terms {
		if t.net > 0 && t.group != last {
			return false
		}
		total += t.net
	}
	return len(terms) > 0 && total <= 0
}
