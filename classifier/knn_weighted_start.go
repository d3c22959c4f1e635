package classifier

import (
	"context"
	"errors"
	"fmt"
	"math"
)

// start makes the first box from what the prologue found.
func (o *weightedOpener) start(ctx context.Context, n Node, p *prologue, cutoff float64) error {
	size := farAway * (o.extent + o.toDomain())
	if p.best.Example != nil {
		size = p.best.Distance
		cutoff = min(cutoff, p.goal())
	}
	part := o.firstBox(size)
	if p.best.Example == nil && !o.inside(part) {
		o.children = append(o.children, Node{Bound: size, Order: math.MaxInt64, State: horizon{}})
	}
	return o.examine(ctx, n.Bound, n.Order, part, cutoff)
}

// horizon is the state of the node for what lies beyond the first box.
type horizon struct{}

// beyondHorizon looks whether some set of neighbours could answer at all, and gives
// up on what lies beyond the first box if so.
func (o *weightedOpener) beyondHorizon(ctx context.Context, n Node) error {
	everything := o.firstBox(math.Inf(1))
	o.survey(everything)
	sets, ok := o.choose(everything)
	for i := 0; ok && i < len(sets); i++ {
		if err := o.examineSet(ctx, 0, 0, sets[i], math.MaxFloat64); err != nil {
			return err
		}
		ok = len(o.children) == 0
	}
	if ok {
		return nil
	}
	return &Undecided{Bound: n.Bound, Err: fmt.Errorf("classifier: weighted k-NN: %w", errFarAway)}
}

var errFarAway = errors.New("no answer near the training rows, and none ruled out far away")

// firstBox returns the displacements in the domain no longer than size.
func (o *weightedOpener) firstBox(size float64) *weightedPart {
	d := o.c.Dim()
	part := &weightedPart{lo: make([]float64, d), hi: make([]float64, d), span: 1 << 62}
	for j := range d {
		part.lo[j], part.hi[j] = -size, size
		if o.domain != nil {
			part.lo[j] = max(part.lo[j], o.domain[j].Lo)
			part.hi[j] = min(part.hi[j], o.domain[j].Hi)
		}
	}
	for g := range o.c.groups {
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
