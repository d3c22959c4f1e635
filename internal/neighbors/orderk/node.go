package orderk

import (
	"sync"

	"github.com/seed-1a7dc1f9/facet/internal/closest"
	"github.com/seed-1a7dc1f9/facet/internal/neighbors"
	"github.com/seed-1a7dc1f9/facet/internal/neighbors/orderk/bisectors"
)

// pivot is a supporting row that a node takes for the last that the quota needs.
type pivot struct {
	id         int32
	x          []float64
	candidates *candidateSet
	once       sync.Once
	partners   []neighbors.Ranked
}

// node is a pivot and the decisions on the path from the root.
// Siblings share a list of rows, of which each decides on those up to its own position.
type node struct {
	parent *node
	pivot  *pivot
	kind   nodeKind
	at     int32 // position in list
	list   []int32
	rival  int32 // of an outsiderNode: the row that list[at] must come before
	// Of a partnerNode: the supporting rows that may come before the pivot, beside those
	// that do in the nodes above, with bounds; the last of them does.
	partners []neighbors.Ranked
	span     int64 // width of its range of orders
	below    *base // once it was opened and has children
}

// partner returns the row that a partnerNode has come before the pivot.
func (p *node) partner() int32 { return p.partners[len(p.partners)-1].ID }

// base is the program from which the nodes below a node start.
type base struct {
	added []bisectors.Constraint // by the node
	basis closest.Basis
}

// inherited appends the constraints that the nodes of a path have added to their
// programs, from the root on. A root that was passed over has none.
func inherited(to []bisectors.Constraint, path []*node) []bisectors.Constraint {
	for i := len(path) - 1; i >= 0; i-- {
		if below := path[i].below; below != nil {
			to = append(to, below.added...)
		}
	}
	return to
}

// nodeKind says how a node decides on the rows of its list.
type nodeKind uint8

const (
	rootNode nodeKind = iota // no row is decided
	// rivals: list[at] comes after the pivot, those before it in the list come before
	rivalNode
	// the last of partners comes before the pivot, and no supporting row that is not there
	partnerNode
	memberNode   // members: list[at] is no neighbour, those before it in the list are
	outsiderNode // list[at] is a neighbour, those before it in the list are not
)

// Decisions on a row, as bits.
const (
	follows  = 1 << iota // the pivot comes before it
	precedes             // it comes before the pivot
	isIn                 // it is one of the k neighbours
	isOut                // it is not
)

// decisions are those of a node that is being opened.
type decisions struct {
	path      []*node                // from it up to the root
	marks     []uint8                // by row
	marked    []int32                // the rows that have any
	in, out   []int32                // rows that are neighbours, or are not
	preceding []int32                // rivals that precede the pivot
	joined    int                    // supporting rows that do
	added     []bisectors.Constraint // for this node
}

// enter makes d the decisions on the path to p.
func (d *decisions) enter(p *node) {
	d.leave()
	for q := p; q != nil; q = q.parent {
		d.path = append(d.path, q)
		d.take(q)
	}
}

// leave forgets the decisions.
func (d *decisions) leave() {
	for _, id := range d.marked {
		d.marks[id] = 0
	}
	d.path, d.marked, d.added = d.path[:0], d.marked[:0], d.added[:0]
	d.in, d.out = d.in[:0], d.out[:0]
	d.preceding, d.joined = d.preceding[:0], 0
}

// take takes up the decisions of one node.
func (d *decisions) take(p *node) {
	switch p.kind {
	case rivalNode:
		d.preceding = append(d.preceding, p.list[:p.at]...)
		d.mark(p, precedes, follows)
	case partnerNode:
		d.joined++
		d.marks[p.partner()] |= precedes
		d.marked = append(d.marked, p.partner())
	case memberNode:
		d.mark(p, isIn, isOut)
		d.in = append(d.in, p.list[:p.at]...)
		d.out = append(d.out, p.list[p.at])
	case outsiderNode:
		d.mark(p, isOut, isIn)
		d.out = append(d.out, p.list[:p.at]...)
		d.in = append(d.in, p.list[p.at])
	}
}

// mark marks the rows of a node's list up to its position, and that at it.
func (d *decisions) mark(p *node, before, at uint8) {
	for _, id := range p.list[:p.at] {
		d.marks[id] |= before
	}
	d.marks[p.list[p.at]] |= at
	d.marked = append(d.marked, p.list[:p.at+1]...)
}

func (d *decisions) node() *node   { return d.path[0] }
func (d *decisions) pivot() *pivot { return d.path[0].pivot }

// decided reports whether a decision says if a row is a neighbour.
func (d *decisions) decided(id int32) bool { return d.marks[id]&(isIn|isOut) != 0 }

// constraints returns all constraints of the program of the node.
func (d *decisions) constraints() []bisectors.Constraint {
	return append(inherited(nil, d.path[1:]), d.added...)
}
