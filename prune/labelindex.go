package prune

import "github.com/seed-1a7dc1f9/facet/internal/nnindex"

// labelIndex holds the rows of one label in a k-d tree. Its points are numbered from
// first on in the order of the tree, so that near ones have near numbers.
type labelIndex struct {
	tree  *nnindex.Tree
	first int32
}

// boxPrice is the number of points, per column, that are compared as fast as the
// boxes around the halves of them: most differ in their first columns, while a box
// has to be looked at in all.
const boxPrice = 4

// size returns the number of points.
func (c *labelIndex) size() int32 { return int32(len(c.tree.IDs)) }

// appendWithin appends the numbers of the points of a node of the tree that are in
// the ball around q, ascending. A box within it is taken without looking into it.
func (c *labelIndex) appendWithin(dst []int32, node int32, q []float64, r *ball) []int32 {
	n := c.tree.Nodes[node]
	lo, hi := c.tree.Box(int(node))
	switch where := r.box(q, lo, hi); {
	case where == outside:
	case where == inside:
		for i := n.First; i < n.End; i++ {
			dst = append(dst, c.first+i)
		}
	case n.Left == 0 || n.End-n.First <= boxPrice*int32(len(q)):
		for i := n.First; i < n.End; i++ {
			if r.within(q, c.tree.Point(int(i))) {
				dst = append(dst, c.first+i)
			}
		}
	default:
		dst = c.appendWithin(dst, n.Left, q, r)
		dst = c.appendWithin(dst, n.Left+1, q, r)
	}
	return dst
}
