package boxtree

import (
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// profile holds what leads come to in each slot of a span of a feature, the other features
// being where they are, less their slack: above zero they are sure.
type profile struct {
	feature int32
	span
	leads []trees.Lead
	sums  []float64 // of lead i in slot s: i·width + s − lo
}

// profile computes a profile by one walk through each tree, in memory that the next call
// overwrites.
func (l *localSearch) profile(leads []trees.Lead, f int32, s span) profile {
	p := profile{feature: f, span: s, leads: leads}
	w := p.width()
	l.memory = resize(l.memory, len(leads)*w)
	p.sums = l.memory
	clear(p.sums)
	if l.sparse() {
		for i := range leads {
			p.sums[i*w] = l.without(i, f)
		}
		for _, t := range l.users(f) {
			l.visit(&p, &l.trees[t], 0, s.lo, s.hi)
		}
	} else {
		for i := range leads {
			p.sums[i*w] = leads[i].Base - leads[i].Slack
		}
		for t := range l.trees {
			l.visit(&p, &l.trees[t], 0, s.lo, s.hi)
		}
	}
	for i := range p.sums { // of differences from slot to slot
		if i%w > 0 {
			p.sums[i] += p.sums[i-1]
		}
	}
	return p
}

// width is the number of differences of one lead: the last is that behind the span.
func (p *profile) width() int { return int(p.hi-p.lo) + 2 }

// visit adds the leaves below a node that the slots lo ≤ s ≤ hi of the feature reach.
func (l *localSearch) visit(p *profile, t *gridTree, node, lo, hi int32) {
	for {
		n := &t.nodes[node]
		switch {
		case n.feature < 0:
			p.add(l.model.Value(t.index, int(node)), lo, hi)
			return
		case n.feature != p.feature:
			if l.cell[n.feature] <= n.cut {
				node = n.left
			} else {
				node = n.right
			}
		case n.cut >= hi:
			node = n.left
		case n.cut < lo:
			node = n.right
		default:
			l.visit(p, t, n.left, lo, n.cut)
			node, lo = n.right, n.cut+1
		}
	}
}

// add adds the differences that a leaf makes at its first slot and behind its last.
func (p *profile) add(value []float64, lo, hi int32) {
	for i := range p.leads {
		gain := p.leads[i].Gain(value)
		sums := p.sums[i*p.width():]
		sums[lo-p.lo] += gain
		sums[hi-p.lo+1] -= gain
	}
}

// least returns the smallest of the leads in a slot.
func (p *profile) least(slot int32) float64 {
	least := math.Inf(1)
	for i := int(slot - p.lo); i < len(p.sums); i += p.width() {
		least = min(least, p.sums[i])
	}
	return least
}

// highest returns the slot whose smallest lead is the largest, that nearest to the slot at
// of a tie.
func (p *profile) highest(at int32) (best int32, lead float64) {
	at = min(max(at, p.lo), p.hi)
	best, lead = at, p.least(at)
	for slot := p.lo; slot <= p.hi; slot++ {
		l := p.least(slot)
		if l > lead || (l == lead && max(slot-at, at-slot) < max(best-at, at-best)) {
			best, lead = slot, l
		}
	}
	return best, lead
}
