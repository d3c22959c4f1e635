package orderk

import (
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/classifier/search"
)

// lazyBranch stands for the parts below a part in which one more row comes before
// another one. They are made a few at a time, in the order of a lower bound that does
// not look at the part's own decisions.
type lazyBranch struct {
	part  *part
	kind  partKind // of the parts, and
	rival int32    // the row to come before
	need  int      // that many rows must come before
	// Rows that come before without having been asked to, too few of them: one that
	// is not among them must come forward. Whether a row is one of them is settled
	// once, so that rounding cannot make the parts miss an answer.
	counted []int32
	queue   []ranked // rows with their bounds, ascending
	taken   []int32  // those that came forward so far and fit
	next    int      // the index in queue of the next
	span    int64    // orders left
}

// openLazy makes the next parts of a lazy branch.
func (o *opener) openLazy(n search.Node, l *lazyBranch, c *children) {
	d := &o.decisions
	d.enter(l.part)
	defer d.leave()
	o.program.start(d.path)
	o.expand(n, l, d, c)
}

// expand makes the next parts of a lazy branch whose part the program is at.
func (o *opener) expand(n search.Node, l *lazyBranch, d *decisions, c *children) {
	rest := *l
	rest.taken = slices.Clone(l.taken)
	left := orders{n.Order, l.span}
	end := min(l.next+batch, len(l.queue))
	for ; rest.next < end && l.bound(rest.next) <= c.cutoff; rest.next++ {
		r := l.queue[rest.next]
		if !l.fits(d, r.id) {
			continue
		}
		child := &part{parent: l.part, pivot: l.part.pivot, kind: l.kind, rival: l.rival, at: int32(len(rest.taken))}
		var order int64
		order, child.span = left.take(len(rest.taken))
		rest.taken = append(rest.taken, r.id)
		child.list = rest.taken
		c.add(search.Node{Bound: max(n.Bound, l.bound(rest.next), o.ahead(o.bisector(r.id, l.rival))), Order: order, State: child})
	}
	if rest.next < len(l.queue) {
		rest.span = left.left
		c.add(search.Node{Bound: max(n.Bound, l.bound(rest.next)), Order: left.first, State: &rest})
	}
}

// bound bounds a part in which the row at an index of the queue is the first to come
// forward, others that are needed after it.
func (l *lazyBranch) bound(index int) float64 {
	if index += l.need - 1; index < len(l.queue) {
		return l.queue[index].value
	}
	return math.Inf(1)
}

// fits reports whether a row may come forward and is not counted yet.
func (l *lazyBranch) fits(d *decisions, id int32) bool {
	barred := uint8(precedes | isLeft)
	if l.kind == outsiderPart {
		barred = isIn | isOut
	}
	return id != l.rival && d.marks[id]&barred == 0 && !slices.Contains(l.counted, id)
}
