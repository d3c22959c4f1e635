package grid

import (
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// Grid is the common grid of all thresholds of an ensemble. The K borders of a feature
// cut its line into K+1 intervals; infinite ones do not cut. Leaves and search boxes are boxes of
// intervals, so their intersections are exact.
type Grid struct {
	Borders []trees.Borders // by feature
	Trees   []Tree
	Depth   int // of the deepest tree
	sets    []Set
	words   []int32 // by feature: see Words; nil if there are no sets
}

// Tree is tree number Index over intervals.
type Tree struct {
	Index int
	Nodes []Node
}

// Leaf returns the leaf of a tree that a cell lies in.
func (g *Grid) Leaf(t *Tree, cell []int32) int32 {
	i := int32(0)
	for n := &t.Nodes[0]; n.Feature >= 0; n = &t.Nodes[i] {
		if i = n.Right; g.Left(n, cell[n.Feature]) {
			i = n.Left
		}
	}
	return i
}

// LeavesIn returns the leaf of each tree in a box that lies in one leaf of each.
func (g *Grid) LeavesIn(b Box) []int {
	cell, leaves := make([]int32, len(b)), make([]int, len(g.Trees))
	for f, s := range b {
		cell[f] = s.Lo
	}
	for t := range leaves {
		leaves[t] = int(g.Leaf(&g.Trees[t], cell))
	}
	return leaves
}

// Forest is trees that vote, and their grid.
type Forest struct {
	*trees.Sums
	*Grid
}

// Most returns the largest gain of a margin in the leaves below a node of a tree that meet a box,
// which it changes and restores. The intervals that a test of a set sends to either side count as
// all between its first and its last interval, so that the gain may be that of a leaf too many.
func (g *Forest) Most(t *Tree, i int32, b Box, margin *trees.Margin) float64 {
	for {
		n := &t.Nodes[i]
		if n.Feature < 0 {
			return margin.Gain(g.Value(t.Index, int(i)))
		}
		now := b[n.Feature]
		switch {
		case n.Cut >= now.Hi:
			i = n.Left
			continue
		case n.Cut < now.Lo && !n.IsSet():
			i = n.Right
			continue
		}
		left, right := g.Halves(n, now)
		best := math.Inf(-1)
		if left.Lo <= left.Hi {
			b[n.Feature] = left
			best = g.Most(t, n.Left, b, margin)
		}
		if right.Lo <= right.Hi {
			b[n.Feature] = right
			best = max(best, g.Most(t, n.Right, b, margin))
		}
		b[n.Feature] = now
		return best
	}
}

// Node sends intervals up to Cut left, none if that is −1. A leaf has no feature: −1. A smaller cut
// is that of a test of a set.
type Node struct{ Feature, Cut, Left, Right int32 }

// Span holds the intervals Lo ≤ s ≤ Hi of a feature.
type Span struct{ Lo, Hi int32 }

// Box is a span of each feature.
type Box []Span

// At returns the box of one cell.
func At(cell []int32) Box {
	b := make(Box, len(cell))
	for f, interval := range cell {
		b[f] = Span{interval, interval}
	}
	return b
}

// Outside returns a border of an inner box, to split off the part of b beyond it; false when inner
// is all of b.
func (b Box) Outside(inner Box) (split Cut, ok bool) {
	for f, s := range b {
		switch {
		case inner[f].Lo > s.Lo:
			return Cut{int32(f), inner[f].Lo - 1}, true
		case inner[f].Hi < s.Hi:
			return Cut{int32(f), inner[f].Hi}, true
		}
	}
	return split, false
}

// Cut is the border behind an interval of a feature.
type Cut struct{ Feature, After int32 }

// New returns the grid of trees.
func New(dim int, axes []*trees.Axis) Grid {
	g := Grid{Borders: trees.BordersOf(dim, axes)}
	known := map[string]int32{}
	for i, t := range axes {
		g.Trees = append(g.Trees, Tree{Index: i, Nodes: g.nodes(t, known)})
		g.Depth = max(g.Depth, t.Depth())
	}
	return g
}

// nodes returns the nodes of a tree over grid. Of the sets that are known it is the number.
func (g *Grid) nodes(t *trees.Axis, known map[string]int32) []Node {
	nodes := make([]Node, t.Len())
	for i, children := range t.Children {
		f := t.Feature(i)
		if nodes[i] = (Node{Feature: -1}); f >= 0 {
			nodes[i] = Node{int32(f), 0, children.Left, children.Right}
			if set := t.SetBorders(i); set != nil {
				nodes[i].Cut = g.addSet(f, set, known)
			} else {
				nodes[i].Cut = g.Borders[f].Rank(t.Border(i))
			}
		}
	}
	return nodes
}
