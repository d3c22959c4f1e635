package boxtree

import "github.com/seed-1a7dc1f9/facet/internal/trees"

// grid is the common grid of all thresholds of an ensemble. The K borders of a feature
// cut its line into K+1 slots; infinite ones cut nothing. Leaves and search boxes are
// boxes of slots, so their intersections are exact.
type grid struct {
	borders []trees.Borders // by feature
	trees   []gridTree
	depth   int // of the deepest tree
}

// gridTree is tree number index over slots.
type gridTree struct {
	index int
	nodes []gridNode
}

// leaf returns the leaf that a cell lies in.
func (t *gridTree) leaf(cell []int32) int32 {
	i := int32(0)
	for n := &t.nodes[0]; n.feature >= 0; n = &t.nodes[i] {
		if i = n.right; cell[n.feature] <= n.cut {
			i = n.left
		}
	}
	return i
}

// gridNode sends slots up to cut left, none if that is −1. A leaf has no feature: −1.
type gridNode struct{ feature, cut, left, right int32 }

// span holds the slots lo ≤ s ≤ hi of a feature.
type span struct{ lo, hi int32 }

// box is a span of each feature.
type box []span

func newGrid(dim int, axes []*trees.Axis) grid {
	g := grid{borders: trees.BordersOf(dim, axes)}
	for i, t := range axes {
		g.trees = append(g.trees, gridTree{index: i, nodes: g.nodes(t)})
		g.depth = max(g.depth, t.Depth())
	}
	return g
}

// nodes returns the nodes of a tree over slots.
func (g *grid) nodes(t *trees.Axis) []gridNode {
	nodes := make([]gridNode, t.Len())
	for i, children := range t.Children {
		f := t.Feature(i)
		if nodes[i] = (gridNode{feature: -1}); f >= 0 {
			nodes[i] = gridNode{int32(f), g.borders[f].Rank(t.Border(i)), children.Left, children.Right}
		}
	}
	return nodes
}
