package prune

import "github.com/seed-1a7dc1f9/facet/prune/internal/bipartite"

// conflicts is the bipartite graph of the conflicts between two lists of labels.
// It stores no edge: neighbours are found in the trees of the right labels.
//
// A left label that is also on the right has no edges within itself, so that all
// labels on both sides give the doubled graph of any number of labels.
type conflicts struct {
	left, right []*labelIndex
	from        int32   // number of the first right point
	owner       []int32 // owner[u]: where in left the label of left vertex u is
	count       int     // right vertices
	ball        *ball
	trees       []*levelTree // of the right labels, from the first Begin on
}

var _ bipartite.Graph = (*conflicts)(nil)

// newConflicts joins left vertices, the points of the left labels, to right ones.
// Both lists hold labels of consecutive numbers, the left one from 0 on.
func newConflicts(left, right []*labelIndex, r *ball) *conflicts {
	c := &conflicts{left: left, right: right, from: right[0].first, ball: r}
	last := left[len(left)-1]
	c.owner = make([]int32, 0, last.first+last.size())
	for i, label := range left {
		for range label.size() {
			c.owner = append(c.owner, int32(i))
		}
	}
	for _, label := range right {
		c.count += int(label.size())
	}
	return c
}

// Left implements bipartite.Graph.
func (c *conflicts) Left() int { return len(c.owner) }

// Right implements bipartite.Graph.
func (c *conflicts) Right() int { return c.count }

// Begin implements bipartite.Graph.
func (c *conflicts) Begin(levels []int32) {
	if c.trees == nil {
		for _, label := range c.right {
			c.trees = append(c.trees, newLevelTree(label))
		}
	}
	for _, p := range c.trees {
		if levels == nil {
			p.begin(nil)
			continue
		}
		p.begin(levels[p.first-c.from:][:p.size()])
	}
}

// Find implements bipartite.Graph.
func (c *conflicts) Find(u, least int32) int32 {
	own, q := c.point(u)
	for _, p := range c.trees {
		if p.labelIndex == own {
			continue
		}
		if i := p.find(0, q, least, c.ball); i >= 0 {
			return p.first - c.from + i
		}
	}
	return bipartite.None
}

// Drop implements bipartite.Graph.
func (c *conflicts) Drop(v int32) { c.set(v, -1) }

// set gives a right vertex a level.
func (c *conflicts) set(v, level int32) {
	i := 0
	for v >= c.trees[i].size() {
		v -= c.trees[i].size()
		i++
	}
	c.trees[i].set(v, level)
}

// point returns the coordinates of a left vertex and the label it has.
func (c *conflicts) point(u int32) (*labelIndex, []float64) {
	own := c.left[c.owner[u]]
	return own, own.tree.Point(int(u - own.first))
}

// appendNeighbours appends the right vertices that u is joined to, ascending.
func (c *conflicts) appendNeighbours(dst []int32, u int32) []int32 {
	own, q := c.point(u)
	before := len(dst)
	for _, label := range c.right {
		if label != own {
			dst = label.appendWithin(dst, 0, q, c.ball)
		}
	}
	for i := before; i < len(dst); i++ {
		dst[i] -= c.from
	}
	return dst
}
