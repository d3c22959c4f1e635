package prune

import (
	"context"

	"github.com/seed-1a7dc1f9/facet/internal/matching"
	"github.com/seed-1a7dc1f9/facet/internal/nnindex"
	"github.com/seed-1a7dc1f9/facet/internal/rows"
)

// conflicts is the bipartite graph of the conflicts between two lists of clouds.
// It stores no edge: neighbours are found in the trees of the right clouds.
//
// A left cloud that is also on the right has no edges within itself, so that all
// clouds on both sides give the doubled graph of any number of labels.
type conflicts struct {
	left  []*cloud
	right []*peaks
	from  int32   // number of the first right point
	owner []int32 // owner[u]: the place in left of the cloud that left vertex u is in
	count int     // right vertices
	reach *reach
}

// graph is conflicts, or lists of them.
type graph = matching.Graph

var _ graph = (*conflicts)(nil)

// newClouds numbers the rows label by label, each in the order of a k-d tree. It
// takes O(n log² n) time.
func newClouds(ctx context.Context, t *rows.Table, labels [][]int32) ([]*cloud, error) {
	clouds := make([]*cloud, len(labels))
	first := int32(0)
	for i, members := range labels {
		if err := ctx.Err(); err != nil {
			return nil, finding(err)
		}
		tree, err := nnindex.Build(ctx, t.Data, t.Dim, members)
		if err != nil {
			return nil, finding(err)
		}
		clouds[i] = &cloud{tree: tree, first: first}
		first += int32(len(members))
	}
	return clouds, nil
}

// newConflicts joins left vertices, the points of the left clouds, to right ones.
// Both lists hold clouds of consecutive numbers, the left one from 0 on.
func newConflicts(left, right []*cloud, r *reach) *conflicts {
	c := &conflicts{left: left, from: right[0].first, reach: r}
	for i, cloud := range left {
		for range cloud.size() {
			c.owner = append(c.owner, int32(i))
		}
	}
	for _, cloud := range right {
		c.right = append(c.right, newPeaks(cloud, r))
		c.count += int(cloud.size())
	}
	return c
}

// Left implements matching.Graph.
func (c *conflicts) Left() int { return len(c.owner) }

// Right implements matching.Graph.
func (c *conflicts) Right() int { return c.count }

// Begin implements matching.Graph.
func (c *conflicts) Begin(levels []int32) {
	for _, p := range c.right {
		if levels == nil {
			p.begin(nil)
			continue
		}
		p.begin(levels[p.first-c.from:][:p.size()])
	}
}

// Find implements matching.Graph.
func (c *conflicts) Find(u, least int32) int32 {
	own, q := c.point(u)
	for _, p := range c.right {
		if p.cloud == own {
			continue
		}
		if i := p.find(q, least); i >= 0 {
			return p.first - c.from + i
		}
	}
	return matching.Free
}

// Drop implements matching.Graph.
func (c *conflicts) Drop(v int32) { c.set(v, -1) }

// raise puts a vertex that is out at level 0.
func (c *conflicts) raise(v int32) { c.set(v, 0) }

func (c *conflicts) set(v, level int32) {
	i := 0
	for v >= c.right[i].size() {
		v -= c.right[i].size()
		i++
	}
	c.right[i].set(v, level)
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
	for _, p := range c.right {
		if p.cloud != own {
			dst = p.appendWithin(dst, q, c.reach)
		}
	}
	for i := before; i < len(dst); i++ {
		dst[i] -= c.from
	}
	return dst
}
