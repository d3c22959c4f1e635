package orderk

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync"

	"github.com/seed-1a7dc1f9/facet/classifier/search"
	"github.com/seed-1a7dc1f9/facet/internal/neighbors"
	"github.com/seed-1a7dc1f9/facet/internal/nnindex"
)

// pivot is a row of the side that a part takes for the last that the quota needs.
type pivot struct {
	id       int32
	x        []float64
	once     sync.Once
	partners []ranked
}

// line is the row of the parts below a part in which one more training row comes
// before another one. They are made a few at a time, in the order of a lower
// bound that does not look at the part's own decisions.
type line struct {
	part  *orderPart
	model orderPart // of the parts: kind, rival
	need  int       // that many rows must come before
	// Rows that come before without having been asked to, too few of them: one that
	// is not among them must come forward. Whether a row is one of them is settled
	// once, so that rounding cannot make the parts miss an answer.
	counted []int32
	queue   []ranked // rows with their bounds, ascending
	taken   []int32  // those that came forward so far and fit
	next    int      // the place in queue of the next
	span    int64    // orders left
}

// batch is how many places of a queue are looked at in one go.
const batch = 16

// partnersOf returns the rows of the side in the order in which their coming
// before the pivot is bounded, up to the cutoff of the first call: by the bisector
// of the two and, as they must do without most rivals too, by a few rivals.
func (o *orderOpener) partnersOf(v *pivot, cutoff float64) []ranked {
	v.once.Do(func() {
		reach := nnindex.Squared(o.q.X, v.x)
		limit := reach + 2*cutoff*neighbors.DualDistance(o.q.Norm, o.q.X, v.x)*(1+neighbors.Spread)
		for i := range o.field.side {
			r := &o.field.side[i]
			if r.alone > cutoff {
				break
			}
			if r.square*(1-neighbors.Spread)-2*cutoff*r.length > limit {
				continue
			}
			b := r.alone
			if r.square > reach {
				b = max(b, neighbors.BisectorBound(r.square, reach, neighbors.DualDistance(o.q.Norm, r.point, v.x), o.table.Dim))
			}
			if b <= cutoff && r.id != v.id {
				v.partners = append(v.partners, ranked{b, r.id})
			}
		}
		slices.SortFunc(v.partners, ascending)
	})
	return v.partners
}

// alone returns what a few rivals bound a row of the side by, as a pivot or a row
// before one.
func (o *orderOpener) alone(p []float64, squared float64) float64 {
	o.boundRow(p, squared, o.quota.Spare+fewRivals)
	return o.top.least()
}

// boundByPartners bounds a pivot by the rows of the side that must come before it.
func (o *orderOpener) boundByPartners(v *pivot, bound, cutoff float64) float64 {
	need := o.quota.Seats - 1
	reach := nnindex.Squared(o.q.X, v.x)
	free := 0
	for _, r := range o.close {
		if r.Squared < reach && r.alone <= bound {
			free++
		}
	}
	if free >= need {
		return bound
	}
	partners := o.partnersOf(v, cutoff)
	if len(partners) < need {
		return math.Inf(1)
	}
	return max(bound, partners[need-1].value)
}

func ascending(a, b ranked) int {
	return cmp.Or(cmp.Compare(a.value, b.value), cmp.Compare(a.id, b.id))
}

// bringOn makes the parts in which one more row of the side comes before the
// pivot. Each later part leaves the earlier rows to the earlier parts.
func (o *orderOpener) bringOn(n search.Node, p *orderPart, cutoff float64) {
	l := &line{
		part: p, model: orderPart{kind: joinPart, rival: p.pivot.id}, queue: o.partnersOf(p.pivot, cutoff),
		need: o.quota.Seats - 1 - o.joined - len(o.company), counted: slices.Clone(o.company), span: p.span,
	}
	o.advance(n, l, cutoff)
}

// advance makes the next parts of a line whose part the program is at.
func (o *orderOpener) advance(n search.Node, l *line, cutoff float64) {
	rest := *l
	rest.taken = slices.Clone(l.taken)
	end := min(l.next+batch, len(l.queue))
	for ; rest.next < end && l.bound(rest.next) <= cutoff; rest.next++ {
		r := l.queue[rest.next]
		if !o.fits(l, r.id) {
			continue
		}
		child := l.model
		child.parent, child.pivot, child.at = l.part, l.part.pivot, int32(len(rest.taken))
		child.span = rest.span / int64(child.at+2)
		rest.taken = append(rest.taken, r.id)
		bound := max(n.Bound, l.bound(rest.next), o.ahead(o.bisector(r.id, l.model.rival)))
		if bound <= cutoff {
			child.list = rest.taken
			o.push(search.Node{Bound: bound, Order: n.Order, State: &child}, cutoff)
		}
		n.Order += child.span
		rest.span -= child.span
	}
	if rest.next < len(l.queue) {
		o.push(search.Node{Bound: max(n.Bound, l.bound(rest.next)), Order: n.Order, State: &rest}, cutoff)
	}
}

// bound bounds a part in which the row at a place of the queue is the first to come
// forward, others that are needed after it.
func (l *line) bound(place int) float64 {
	if place += l.need - 1; place < len(l.queue) {
		return l.queue[place].value
	}
	return math.Inf(1)
}

// fits reports whether a row may come forward in a line and is not counted yet.
func (o *orderOpener) fits(l *line, id int32) bool {
	barred := uint8(precedes | isLeft)
	if l.model.kind == enterPart {
		barred = isIn | isOut
	}
	return id != l.model.rival && o.marks[id]&barred == 0 && !slices.Contains(l.counted, id)
}

// openLine goes on with a line.
func (o *orderOpener) openLine(ctx context.Context, n search.Node, l *line, cutoff float64) (search.Opened, error) {
	o.enter(l.part)
	defer o.leave()
	if err := o.program.resume(ctx, o.path); err != nil {
		return search.Opened{}, failed(l.part, n.Bound, err)
	}
	o.advance(n, l, cutoff)
	return search.Opened{Children: o.children}, nil
}
