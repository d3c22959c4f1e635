package orderk

import (
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/neighbors"
	"github.com/seed-1a7dc1f9/facet/internal/search"
)

// partnerBranch stands for the nodes below a node in which more supporting rows come before
// the pivot. The rows that may are put in an order, and a node is one of them that does and, of
// the others that must, none behind it in the order: so one with fewer ahead of it than must
// makes no node. They are ordered by their bounds within the node above; a row's bound then
// bounds all nodes that it and the rows behind it make. Such bounds take time. They are computed
// for a few rows at a time, in the order of bounds known before, and a row has its position once no
// other one can be bounded below it.
type partnerBranch struct {
	node *node
	need int // that many rows must come before the pivot beside those counted
	// Rows that come before without having been asked to, too few of them: others must come
	// forward. Whether a row is one of them is settled once, so that rounding cannot make the
	// nodes miss an answer.
	counted int
	rows    []neighbors.Ranked // those counted, then those that are bounded, ascending
	placed  int                // how many of these have their position
	queue   []neighbors.Ranked // the others, ascending by the bounds known before
	span    int64              // orders left
}

// branchOnPartner makes the nodes in which more supporting rows come before the pivot. It may
// stop where their bounds turn out to be no greater than a bound that is to be beaten.
func (o *opener) branchOnPartner(
	n search.Node, d *decisions, s *rankCounts, beaten float64, toward []int32, c *children,
) {
	b := &partnerBranch{
		node: d.node(), need: o.Required - 1 - d.joined - len(s.partners),
		counted: len(s.partners), placed: len(s.partners), span: d.node().span,
	}
	for _, id := range s.partners {
		b.rows = append(b.rows, neighbors.Ranked{Value: n.Bound, ID: id})
	}
	if len(toward) > 0 {
		i := slices.IndexFunc(toward, func(id int32) bool {
			return d.marks[id]&precedes == 0 && !slices.Contains(s.partners, id)
		})
		b.rows = append(b.rows, neighbors.Ranked{Value: n.Bound, ID: toward[i]})
		c.add(search.Node{Bound: n.Bound, Order: n.Order, State: b.child(len(s.partners), b.span)})
		return
	}
	b.queue = o.partnersOf(d.pivot(), c.cutoff)
	if i := slices.IndexFunc(d.path, func(p *node) bool { return p.kind == partnerNode }); i >= 0 {
		above := d.path[i].partners
		b.queue = slices.Clone(above[:len(above)-1])
		slices.SortFunc(b.queue, neighbors.Ranked.Compare)
	}
	o.expandPartners(n, b, beaten, c)
}

// openPartners makes the next nodes of a branch.
func (o *opener) openPartners(n search.Node, b *partnerBranch, c *children) {
	d := &o.decisions
	d.enter(b.node)
	defer d.leave()
	o.start(d.path)
	rest := *b
	rest.rows = slices.Clone(b.rows)
	o.expandPartners(n, &rest, 0, c)
}

// expandPartners makes the next nodes of a branch whose node the program is at, and changes the
// branch to stand for the rest.
func (o *opener) expandPartners(n search.Node, b *partnerBranch, beaten float64, c *children) {
	first := b.counted + b.need - 1 // in rows, of those that make a node
	next := max(first, b.placed)
	for len(b.queue) > 0 && b.least() <= n.Bound &&
		!(next < len(b.rows) && b.rows[next].Value <= max(beaten, n.Bound)) {
		o.boundPartners(b, c.cutoff)
	}
	left := orders{n.Order, b.span}
	for ; b.placed < len(b.rows) && b.positions(n.Bound); b.placed++ {
		if i := b.placed; i >= first {
			order, span := left.take(i - first)
			c.add(search.Node{
				Bound: max(n.Bound, b.rows[i].Value),
				Order: order,
				State: b.child(i, span),
			})
		}
	}
	b.span = left.left
	c.add(search.Node{Bound: max(n.Bound, b.least()), Order: left.first, State: b})
}

// child returns the node that one of the rows makes.
func (b *partnerBranch) child(i int, span int64) *node {
	return &node{
		parent:   b.node,
		pivot:    b.node.pivot,
		kind:     partnerNode,
		partners: b.rows[:i+1],
		span:     span,
	}
}

// positions reports whether the next row has its position, where all nodes that are not made yet
// are bounded: below that bound, the order of rows makes no difference.
func (b *partnerBranch) positions(bound float64) bool {
	return len(b.queue) == 0 || b.rows[b.placed].Value <= max(bound, b.queue[0].Value)
}

// boundPartners bounds the next rows of the queue within the node.
func (o *opener) boundPartners(b *partnerBranch, cutoff float64) {
	end := min(batch, len(b.queue))
	next := b.queue[:end]
	b.queue = b.queue[end:]
	for _, r := range next {
		if r.Value > cutoff {
			b.queue = nil
			return
		}
		if slices.ContainsFunc(
			b.rows[:b.counted], func(c neighbors.Ranked) bool { return c.ID == r.ID },
		) {
			continue
		}
		if r.Value = max(
			r.Value, o.ahead(o.bisector(r.ID, b.node.pivot.id), cutoff),
		); r.Value <= cutoff {
			i, _ := slices.BinarySearchFunc(b.rows[b.placed:], r, neighbors.Ranked.Compare)
			b.rows = slices.Insert(b.rows, b.placed+i, r)
		}
	}
}

// least bounds the nodes that are not made yet, +Inf if there are none.
func (b *partnerBranch) least() (bound float64) {
	rows, queue := b.rows[b.placed:], b.queue
	for range max(1, b.counted+b.need-b.placed) {
		switch {
		case len(rows) > 0 && (len(queue) == 0 || rows[0].Value <= queue[0].Value):
			bound, rows = rows[0].Value, rows[1:]
		case len(queue) > 0:
			bound, queue = queue[0].Value, queue[1:]
		default:
			return math.Inf(1)
		}
	}
	return bound
}
