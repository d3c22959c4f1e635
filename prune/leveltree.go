package prune

import (
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/nnindex"
)

// equalPoints is the number of equal points from which they are halved further.
const equalPoints = 32

// levelTree gives every point of a label a level and answers which point of a
// ball has a level of at least so much. Each node of the tree knows the highest
// level in it, so that nodes without one are skipped, and a node that lies within the ball as a
// whole is descended without a distance.
type levelTree struct {
	*labelIndex
	nodes  []nnindex.Node // the tree's, then halves of its leaves of equal points
	level  []int32        // of the points; negative: out
	top    []int32        // of the nodes, the highest level of their points
	parent []int32        // of the nodes; the root is its own
	leaf   []int32        // of the points, the node that holds it
}

func newLevelTree(c *labelIndex) *levelTree {
	nodes := halveEqual(c.tree.Nodes)
	p := &levelTree{
		labelIndex: c,
		nodes:      nodes,
		level:      make([]int32, c.size()),
		top:        make([]int32, len(nodes)),
		parent:     make([]int32, len(nodes)),
		leaf:       make([]int32, c.size()),
	}
	for i, n := range nodes {
		if n.Left != 0 {
			p.parent[n.Left], p.parent[n.Left+1] = int32(i), int32(i)
			continue
		}
		for k := n.First; k < n.End; k++ {
			p.leaf[k] = int32(i)
		}
	}
	return p
}

// halveEqual splits the leaves that hold many points, which are equal. The
// halves have no box of their own and need none: a box that is a point is missed
// or covered, and not looked into.
func halveEqual(nodes []nnindex.Node) []nnindex.Node {
	nodes = slices.Clone(nodes)
	for i := 0; i < len(nodes); i++ {
		n := nodes[i]
		if n.Left != 0 || n.End-n.First <= equalPoints {
			continue
		}
		middle := n.First + (n.End-n.First)/2
		nodes[i].Left = int32(len(nodes))
		nodes = append(nodes, nnindex.Node{First: n.First, End: middle}, nnindex.Node{
			First: middle,
			End:   n.End,
		})
	}
	return nodes
}

// begin gives the points their levels, or all of them 0. It takes O(n) time.
func (p *levelTree) begin(levels []int32) {
	if levels == nil {
		clear(p.level)
		clear(p.top)
		return
	}
	copy(p.level, levels)
	for i := len(p.top) - 1; i >= 0; i-- { // children come after their parents
		p.top[i] = p.highest(int32(i))
	}
}

// highest computes the top of a node from its children.
func (p *levelTree) highest(node int32) int32 {
	n := p.nodes[node]
	if n.Left != 0 {
		return max(p.top[n.Left], p.top[n.Left+1])
	}
	top := int32(-1)
	for _, level := range p.level[n.First:n.End] {
		top = max(top, level)
	}
	return top
}

// set gives one point a level.
func (p *levelTree) set(point, level int32) {
	p.level[point] = level
	for node := p.leaf[point]; ; node = p.parent[node] {
		top := p.highest(node)
		if p.top[node] == top {
			return
		}
		p.top[node] = top
		if node == 0 {
			return
		}
	}
}

// find returns a point of a node in the ball around q at level least or above, or −1.
func (p *levelTree) find(node int32, q []float64, least int32, r *ball) int32 {
	if p.top[node] < least {
		return -1
	}
	lo, hi := p.tree.Box(int(node))
	switch r.box(q, lo, hi) {
	case outside:
		return -1
	case inside:
		return p.any(node, least)
	}
	n := p.nodes[node]
	if n.Left == 0 {
		for i := n.First; i < n.End; i++ {
			if p.level[i] >= least && r.within(q, p.tree.Point(int(i))) {
				return i
			}
		}
		return -1
	}
	if found := p.find(n.Left, q, least, r); found >= 0 {
		return found
	}
	return p.find(n.Left+1, q, least, r)
}

// any returns a point of the node at level least or above; there is one.
func (p *levelTree) any(node, least int32) int32 {
	n := p.nodes[node]
	for n.Left != 0 {
		next := n.Left
		if p.top[next] < least {
			next++
		}
		n = p.nodes[next]
	}
	i := n.First
	for p.level[i] < least {
		i++
	}
	return i
}
