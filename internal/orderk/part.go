package orderk

import "github.com/seed-1a7dc1f9/facet/internal/closest"

// orderPart is a part of an orderSearch: a pivot and the decisions on the path
// from the root. Siblings share a list of rows, of which each decides on those up
// to its own place.
type orderPart struct {
	parent *orderPart
	pivot  *pivot
	kind   partKind
	at     int32 // place in list
	list   []int32
	rival  int32   // of an enterPart: the row that list[at] must come before
	span   int64   // width of its range of orders
	done   *solved // once it was opened and has children
}

// solved is what the parts below a part start from.
type solved struct {
	rows  []row // that the part has added
	basis closest.Basis
}

// added returns the rows that a part above others has added to its program: none
// for a root that was passed over.
func (p *orderPart) added() []row {
	if p.done == nil {
		return nil
	}
	return p.done.rows
}

// partKind says what the list of a part means.
type partKind uint8

const (
	rootPart  partKind = iota // nothing is decided
	forcePart                 // rivals: list[at] comes after the pivot, those before it in the list may come before
	joinPart                  // rows of the side: list[at] comes before the pivot, those before it in the list are left to siblings
	leavePart                 // members: list[at] is no neighbour, those before it in the list are
	enterPart                 // list[at] is a neighbour, those before it in the list are not
)

// row is a half-space a·u ≤ b of displacements, a of dual length 1: that one
// training row is at least as near as another, or a side of the domain.
type row struct {
	a             []float64
	b, err        float64
	before, after int32   // both negative for a side of the domain
	length        float64 // of the bisector before it was divided by it
}

// What is decided on a training row, as bits.
const (
	mayPrecede = 1 << iota // rival: it may come before the pivot
	follows                // the pivot comes before it
	precedes               // it comes before the pivot
	isIn                   // it is one of the k neighbours
	isOut                  // it is not
	isLeft                 // of the side: it is left to a sibling to have it precede the pivot
)

// enter marks the decisions on the path to p.
func (o *orderOpener) enter(p *orderPart) {
	o.path = o.path[:0]
	for q := p; q != nil; q = q.parent {
		o.path = append(o.path, q)
	}
	o.allowed, o.joined = 0, 0
	for _, q := range o.path {
		o.decide(q)
	}
}

// decide marks the decisions of one part.
func (o *orderOpener) decide(q *orderPart) {
	switch q.kind {
	case forcePart:
		o.allowed += int(q.at)
		o.markAll(q, mayPrecede, follows)
	case joinPart:
		o.joined++
		o.markAll(q, isLeft, precedes)
	case leavePart:
		o.markAll(q, isIn, isOut)
		o.in = append(o.in, q.list[:q.at]...)
		o.out = append(o.out, q.list[q.at])
	case enterPart:
		o.markAll(q, isOut, isIn)
		o.out = append(o.out, q.list[:q.at]...)
		o.in = append(o.in, q.list[q.at])
	}
}

// markAll marks the rows of a part's list up to its place, and that in its place.
func (o *orderOpener) markAll(q *orderPart, before, at uint8) {
	for _, id := range q.list[:q.at] {
		o.mark(id, before)
	}
	o.mark(q.list[q.at], at)
}

func (o *orderOpener) mark(id int32, decision uint8) {
	o.marks[id] |= decision
	o.marked = append(o.marked, id)
}

// leave forgets the marks of enter.
func (o *orderOpener) leave() {
	for _, id := range o.marked {
		o.marks[id] = 0
	}
	o.marked = o.marked[:0]
	o.in, o.out = o.in[:0], o.out[:0]
}
