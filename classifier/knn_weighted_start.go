package classifier

import (
	"context"

	"github.com/seed-1a7dc1f9/facet/classifier/search"
)

// start makes the first box from what the prologue found.
func (o *weightedOpener) start(ctx context.Context, n search.Node, p *prologue, cutoff float64) error {
	size := o.horizon()
	if p.best.Example != nil {
		size = p.best.Distance
		cutoff = min(cutoff, o.goal(p.best.Distance))
	}
	part := o.firstBox(size)
	part.known = &p.best
	if p.best.Example == nil && !o.inside(part) {
		o.children = append(o.children, search.Node{Bound: size, Order: wholeSpan, State: horizon{}})
	}
	return o.examine(ctx, n.Bound, n.Order, part, cutoff)
}

// horizon returns the size of the first box when there is no example.
func (o *weightedOpener) horizon() float64 {
	return farAway * (max(o.extent, o.radius) + o.toDomain())
}

// wholeSpan is the number of orders below the first box.
const wholeSpan = 1 << 62

// firstBox returns the displacements in the domain no longer than size.
func (o *weightedOpener) firstBox(size float64) *weightedPart {
	d := o.c.Dim()
	part := &weightedPart{lo: make([]float64, d), hi: make([]float64, d), span: wholeSpan, known: new(search.Answer)}
	for j := range d {
		part.lo[j], part.hi[j] = -size, size
		if o.domain != nil {
			part.lo[j] = max(part.lo[j], o.domain[j].Lo)
			part.hi[j] = min(part.hi[j], o.domain[j].Hi)
		}
	}
	for g := range o.groups {
		part.groups = append(part.groups, int32(g))
	}
	return part
}

// inside reports whether the domain ends within the first box.
func (o *weightedOpener) inside(part *weightedPart) bool {
	for j := range part.lo {
		if o.domain == nil || o.domain[j].Lo < part.lo[j] || o.domain[j].Hi > part.hi[j] {
			return false
		}
	}
	return true
}

// toDomain returns the distance of the domain.
func (o *weightedOpener) toDomain() float64 {
	if o.domain == nil {
		return 0
	}
	return o.domain.Distance(o.q.Norm, o.zero)
}
