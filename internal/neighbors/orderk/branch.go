package orderk

import (
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/neighbors"
	"github.com/seed-1a7dc1f9/facet/internal/nnindex"
	"github.com/seed-1a7dc1f9/facet/internal/search"
)

// orders are those of a node, from which its children take theirs one after the other.
type orders struct{ first, left int64 }

// take returns the first order of child i, and how many it has.
func (o *orders) take(i int) (first, span int64) {
	first, span = o.first, o.left/int64(i+2)
	o.first, o.left = first+span, o.left-span
	return first, span
}

// branch makes the nodes that decide on a list of rows, the first of them on the first,
// the second on the first two, and so on.
func branch(
	n search.Node, p *node, kind nodeKind, list []int32, c *children, bound func(i int) float64,
) {
	left := orders{n.Order, p.span}
	for i := range list {
		order, span := left.take(i)
		b := max(n.Bound, bound(i))
		if !c.within(b) {
			continue
		}
		child := &node{parent: p, pivot: p.pivot, kind: kind, at: int32(i), list: list, span: span}
		c.add(search.Node{Bound: b, Order: order, State: child})
	}
}

// branchOnRival makes the nodes in which the first of some rivals that the pivot
// precedes is the first, the second, … of them. One of them it must precede, because
// they are more than may precede it. bound bounds such a node.
func branchOnRival(
	n search.Node, p *node, rivals []neighbors.Ranked, c *children,
	bound func(r neighbors.Ranked) float64,
) {
	list := make([]int32, len(rivals))
	for i, r := range rivals {
		list[i] = r.ID
	}
	branch(n, p, rivalNode, list, c, func(i int) float64 { return bound(rivals[i]) })
}

// branchOnMember makes the nodes in which the first of the members that is no neighbour
// is the first, the second, … of the undecided ones.
func branchOnMember(n search.Node, d *decisions, members []int32, c *children) {
	var list []int32
	for _, m := range members {
		if d.marks[m]&isIn == 0 {
			list = append(list, m)
		}
	}
	branch(n, d.node(), memberNode, list, c, func(int) float64 { return 0 })
}

// branchOnOutsider makes the nodes in which one more row than those counted is a
// neighbour and comes before row q, which is none.
func (o *opener) branchOnOutsider(
	n search.Node, d *decisions, counted []int32, q int32, c *children,
) {
	if len(d.in) == o.k {
		return
	}
	outsider := o.table.Row(q)
	squared := nnindex.Squared(o.X, outsider)
	queue := make([]neighbors.Ranked, o.table.Len())
	for i := range queue {
		x := o.table.Row(int32(i))
		b := neighbors.BisectorBound(nnindex.Squared(o.X, x), squared,
			neighbors.DualDistance(o.Cost, outsider, x), o.table.Dim)
		queue[i] = neighbors.Ranked{Value: b, ID: int32(i)}
	}
	slices.SortFunc(queue, neighbors.Ranked.Compare)
	o.expand(
		n, &outsiderBranch{
			node:    d.node(),
			rival:   q,
			counted: counted,
			queue:   queue,
			span:    d.node().span,
		}, d, c,
	)
}

// partnersOf returns the supporting rows in the order in which their coming
// before the pivot is bounded, up to the cutoff of the first call: by the bisector
// of the two and, as they must do without most rivals too, by a few rivals.
func (o *opener) partnersOf(v *pivot, cutoff float64) []neighbors.Ranked {
	v.once.Do(func() {
		squared := nnindex.Squared(o.X, v.x)
		limit := squared +
			2*cutoff*neighbors.DualDistance(o.Cost, v.x,
				o.X)*(1+neighbors.Spread)
		refutes := o.refutesWith(v)
		for i := range v.candidates.supporting {
			r := &v.candidates.supporting[i]
			if r.bound > cutoff {
				break
			}
			if r.square*(1-neighbors.Spread)-2*cutoff*r.length > limit {
				continue
			}
			b := r.bound
			if r.square > squared {
				g := o.Cost
				length := neighbors.DualDistance(g, v.x, o.table.Row(r.id))
				b = max(b, neighbors.BisectorBound(r.square, squared, length, o.table.Dim))
			}
			if b <= cutoff && r.id != v.id && !refutes(r) {
				v.partners = append(v.partners, neighbors.Ranked{Value: b, ID: r.id})
			}
		}
		slices.SortFunc(v.partners, neighbors.Ranked.Compare)
	})
	return v.partners
}

// refutesWith returns a function that tells whether a row and the pivot are refuted together.
func (o *opener) refutesWith(v *pivot) func(r *candidate) bool {
	i := slices.IndexFunc(v.candidates.supporting, func(r candidate) bool { return r.id == v.id })
	if i < 0 || v.candidates.supporting[i].lines == nil {
		return func(*candidate) bool { return false }
	}
	refuter := o.near.Refuter(o.Allowed, v.candidates.radius)
	own := v.candidates.supporting[i].lines
	return func(r *candidate) bool { return refuter.Refutes(own, r.lines) }
}

// boundByPartners bounds a pivot by the supporting rows that must come before it.
func (o *opener) boundByPartners(v *pivot, bound, cutoff float64) float64 {
	need := o.Required - 1
	squared := nnindex.Squared(o.X, v.x)
	free := 0
	for _, r := range o.close {
		if r.square < squared && r.bound <= bound {
			free++
		}
	}
	if free >= need && (need == 0 || v.candidates.supporting[0].lines == nil) {
		return bound
	}
	partners := o.partnersOf(v, cutoff)
	if len(partners) < need {
		return math.Inf(1)
	}
	return max(bound, partners[need-1].Value)
}

// outsiderBranch stands for the nodes below a node in which one more row is a neighbour. They
// are made a few at a time, in the order of a lower bound that does not look at the node's
// own decisions.
type outsiderBranch struct {
	node  *node
	rival int32 // the row to come before
	// Rows that come before without having been asked to, too few of them: one that
	// is not among them must come forward. Whether a row is one of them is settled
	// once, so that rounding cannot make the nodes miss an answer.
	counted []int32
	queue   []neighbors.Ranked // rows with their bounds, ascending
	taken   []int32            // those that came forward so far and fit
	span    int64              // orders left
}

// openOutsiders makes the next nodes of a branch.
func (o *opener) openOutsiders(n search.Node, b *outsiderBranch, c *children) {
	d := &o.decisions
	d.enter(b.node)
	defer d.leave()
	o.start(d.path)
	o.expand(n, b, d, c)
}

// expand makes the next nodes of a branch whose node the program is at.
func (o *opener) expand(n search.Node, b *outsiderBranch, d *decisions, c *children) {
	rest := *b
	rest.taken = slices.Clone(b.taken)
	left := orders{n.Order, b.span}
	end := min(batch, len(b.queue))
	for _, r := range b.queue[:end] {
		if r.Value > c.cutoff {
			return
		}
		if r.ID == b.rival || d.decided(r.ID) || slices.Contains(b.counted, r.ID) {
			continue
		}
		child := &node{
			parent: b.node,
			pivot:  b.node.pivot,
			kind:   outsiderNode,
			rival:  b.rival,
			at:     int32(len(rest.taken)),
		}
		var order int64
		order, child.span = left.take(len(rest.taken))
		rest.taken = append(rest.taken, r.ID)
		child.list = rest.taken
		c.add(search.Node{
			Bound: max(n.Bound, r.Value, o.ahead(o.bisector(r.ID, b.rival), c.cutoff)),
			Order: order,
			State: child,
		})
	}
	if rest.queue = b.queue[end:]; len(rest.queue) > 0 {
		rest.span = left.left
		c.add(search.Node{
			Bound: max(n.Bound, rest.queue[0].Value),
			Order: left.first,
			State: &rest,
		})
	}
}
