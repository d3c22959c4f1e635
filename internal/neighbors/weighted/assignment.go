package weighted

import (
	"cmp"
	"math"
	"slices"
)

// fewSets is the number of sets of neighbours up to which a node falls into them, and
// manySets that beyond a horizon, where splitting brings no fewer.
const (
	fewSets  = 12
	manySets = 1 << 14
)

// assignment says who the k neighbours in a box can be: the rows of certain groups are
// all among them wherever in it, those of open ones compete for the ranks left free.
type assignment struct {
	certain, open []int32 // ascending by where their spans begin
	free          int

	sorted []int32
	before []int // rows of the groups before each of sorted
}

// assign sorts the groups of a node by where their spans begin.
func (o *opener) assign(p *node, spans []span) *assignment {
	s := &o.assigned
	s.sorted = append(s.sorted[:0], p.groups...)
	slices.SortFunc(s.sorted, func(g, h int32) int {
		return cmp.Or(cmp.Compare(spans[g].near, spans[h].near), cmp.Compare(g, h))
	})
	s.before = append(s.before[:0], 0)
	for i, g := range s.sorted {
		s.before = append(s.before, s.before[i]+len(o.groups.rows[g]))
	}
	s.certain, s.open, s.free = s.certain[:0], s.open[:0], o.k
	for _, g := range s.sorted {
		end, _ := slices.BinarySearchFunc(s.sorted, spans[g].far, func(h int32, far float64) int {
			if spans[h].near <= far {
				return -1
			}
			return 1
		})
		if s.before[end] <= o.k {
			s.certain = append(s.certain, g)
			s.free -= len(o.groups.rows[g])
		} else {
			s.open = append(s.open, g)
		}
	}
	return s
}

// chooser lists the nodes that a node falls into by the set of neighbours and the label
// that wins. The open groups fill the ranks in the order of their distances: some of
// them hold all their rows, and the last one perhaps only the first few.
type chooser struct {
	*assignment
	o     *opener
	node  *node
	spans []span
	full  []int32 // the open groups that hold all their rows
	nodes []*node
	sets  int
	limit int
}

// choose returns those nodes; false when there are more sets than the limit.
func (o *opener) choose(p *node, s *assignment, spans []span, limit int) ([]*node, bool) {
	c := chooser{assignment: s, o: o, node: p, spans: spans, limit: limit}
	if s.free == 0 {
		c.emit(-1, 0)
	} else {
		c.fill(0, s.free, math.Inf(1))
	}
	return c.nodes, c.sets <= c.limit
}

// fill adds open groups from the i-th on, to fill the ranks left. nearest is the
// squared distance within which a group that was passed over lies wherever in the
// box: no group that lies beyond can come before it.
func (c *chooser) fill(i, ranks int, nearest float64) {
	for _, g := range c.open {
		if len(c.o.groups.rows[g]) > ranks && !slices.Contains(c.full, g) {
			c.emit(g, ranks)
		}
	}
	for ; i < len(c.open) && c.sets <= c.limit; i++ {
		g := c.open[i]
		if c.spans[g].near > nearest {
			return // so do those that follow
		}
		if n := len(c.o.groups.rows[g]); n <= ranks {
			c.full = append(c.full, g)
			if n == ranks {
				c.emit(-1, 0)
			} else {
				c.fill(i+1, ranks-n, nearest)
			}
			c.full = c.full[:len(c.full)-1]
		}
		nearest = min(nearest, c.spans[g].far)
	}
}

// emit lists the set of the certain groups, the full ones and, unless last is −1,
// the first ranks rows of last.
func (c *chooser) emit(last int32, ranks int) {
	pairs, ok := c.pairs(last, ranks)
	if !ok {
		return
	}
	if c.sets++; c.sets > c.limit {
		return
	}
	for _, t := range c.o.goals {
		if sums := c.sums(t, last, ranks); sums != nil {
			c.nodes = append(c.nodes, &node{
				box:   c.node.box,
				sums:  sums,
				pairs: pairs,
				known: c.node.known,
			})
		}
	}
}

// pairs lists the bisectors around the set that the box does not settle; false when
// it rules one out.
func (c *chooser) pairs(last int32, ranks int) (pairs []precedence, ok bool) {
	ok = true
	add := func(g, h int32) {
		if c.spans[g].far >= c.spans[h].near {
			in, out := c.o.groups.rows[g], c.o.groups.rows[h]
			if g == last {
				in = in[:ranks]
			}
			if h == last {
				out = out[ranks:]
			}
			pairs = append(pairs, precedence{g, h, in[len(in)-1], out[0]})
		}
		ok = ok && c.spans[g].near <= c.spans[h].far
	}
	for _, h := range c.open {
		switch {
		case slices.Contains(c.full, h):
		case h != last && last >= 0:
			add(last, h) // the full groups come before last
		default:
			for _, g := range c.full {
				add(g, h)
			}
		}
	}
	return pairs, ok
}

// sums returns the sums that decide a goal, nil when a rival cannot be beaten.
func (c *chooser) sums(t goal, last int32, ranks int) [][]term {
	sums := [][]term{}
	for _, rival := range t.rivals {
		var terms []term
		for _, groups := range [...][]int32{c.certain, c.full} {
			for _, g := range groups {
				terms = c.o.appendTerm(terms, g, c.o.groups.rows[g], t.label, rival)
			}
		}
		if last >= 0 {
			terms = c.o.appendTerm(terms, last, c.o.groups.rows[last][:ranks], t.label, rival)
		}
		switch {
		case len(terms) == 0 && rival < t.label, outranked(terms, last):
			return nil
		case len(terms) > 0:
			sums = append(sums, terms)
		}
	}
	return sums
}

// outranked reports whether a sum is negative by the order of distances alone: no
// group lies beyond last, so if only last has a positive term, the others weigh as
// much as their nets. Equal distances are those of other orders of the groups, too.
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
