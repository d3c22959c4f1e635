package prune

import "github.com/seed-1a7dc1f9/facet/internal/bipartite"

// conflicts is the bipartite graph of the conflicts between two lists of clouds.
// It stores no edge: neighbours are found in the trees of the right clouds.
//
// A left cloud that is also on the right has no edges within itself, so that all
// clouds on both sides give the doubled graph of any number of labels.
type conflicts struct {
	left, right []*cloud
	from        int32   // number of the first right point
	owner       []int32 // owner[u]: the place in left of the cloud that left vertex u is in
	count       int     // right vertices
	reach       *reach
	peaks       []*peaks // of the right clouds, from the first Begin on
}

var _ bipartite.Graph = (*conflicts)(nil)

// newConflicts joins left vertices, the points of the left clouds, to right ones.
// Both lists hold clouds of consecutive numbers, the left one from 0 on.
func newConflicts(left, right []*cloud, r *reach) *conflicts {
	c := &conflicts{left: left, right: right, from: right[0].first, reach: r}
	last := left[len(left)-1]
	c.owner = make([]int32, 0, last.first+last.size())
	for i, cloud := range left {
		for range cloud.size() {
			c.owner = append(c.owner, int32(i))
		}
	}
	for _, cloud := range right {
		c.count += int(cloud.size())
	}
	return c
}

// Left implements bipartite.Graph.
func (c *conflicts) Left() int { return len(c.owner) }

// Right implements bipartite.Graph.
func (c *conflicts) Right() int { return c.count }

// Begin implements bipartite.Graph.
func (c *conflicts) Begin(levels []int32) {
	if c.peaks == nil {
		for _, cloud := range c.right {
			c.peaks = append(c.peaks, newPeaks(cloud))
		}
	}
	for _, p := range c.peaks {
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
	for _, p := range c.peaks {
		if p.cloud == own {
			continue
		}
		if i := p.find(0, q, least, c.reach); i >= 0 {
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
	for v >= c.peaks[i].size() {
		v -= c.peaks[i].size()
		i++
	}
	c.peaks[i].set(v, level)
}

// point returns the coordinates of a left vertex and the cloud it is in.
func (c *conflicts) point(u int32) (*cloud, []float64) {
	own := c.left[c.owner[u]]
	return own, own.tree.Point(int(u - own.first))
}

// appendNeighbours appends the right vertices that u is joined to, ascending.
func (c *conflicts) appendNeighbours(dst []int32, u int32) []int32 {
	own, q := c.point(u)
	before := len(dst)
	for _, cloud := range c.right {
		if cloud != own {
			dst = cloud.appendWithin(dst, 0, q, c.reach)
		}
	}
	for i := before; i < len(dst); i++ {
		dst[i] -= c.from
	}
	return dst
}
