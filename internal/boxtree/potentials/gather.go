package potentials

import (
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/boxtree/grid"
)

// Gathering collects the leaves of trees that meet a box, tree after tree, for New. No test is one
// of a set.
type Gathering struct {
	Box    grid.Box
	Near   func(own grid.Box) bool            // whether a leaf with this box counts; nil if all do
	Gain   func(tree int, leaf int32) float64 // that a leaf adds to the margin
	Leaves []Leaf
	First  []int32 // leaves of tree t: First[t] ≤ l < First[t+1]

	own  grid.Box // of the inputs that reach the node being visited
	path []int32  // features in which that is less than Box
}

// Add collects those of a tree.
func (g *Gathering) Add(t *grid.Tree) {
	if g.First == nil {
		g.First, g.own = []int32{0}, slices.Clone(g.Box)
	}
	g.visit(t, 0)
	g.First = append(g.First, int32(len(g.Leaves)))
}

// visit collects the leaves below a node.
func (g *Gathering) visit(t *grid.Tree, i int32) {
	n := &t.Nodes[i]
	if n.Feature < 0 {
		g.add(t.Index, i)
		return
	}
	whole := g.own[n.Feature]
	low, high := whole.Split(n.Cut)
	g.enter(t, n.Left, n.Feature, low)
	g.enter(t, n.Right, n.Feature, high)
	g.own[n.Feature] = whole
}

// enter visits a child, which some intervals of a feature reach.
func (g *Gathering) enter(t *grid.Tree, child, f int32, s grid.Span) {
	if s.Lo > s.Hi {
		return
	}
	depth := len(g.path)
	if s != g.Box[f] && !slices.Contains(g.path, f) {
		g.path = append(g.path, f)
	}
	g.own[f] = s
	g.visit(t, child)
	g.path = g.path[:depth]
}

// add appends a leaf.
func (g *Gathering) add(tree int, leaf int32) {
	if g.Near != nil && !g.Near(g.own) {
		return
	}
	sides := make([]Range, len(g.path))
	for i, f := range g.path {
		sides[i] = Range{Feature: f, Span: g.own[f]}
	}
	g.Leaves = append(g.Leaves, Leaf{Gain: g.Gain(tree, leaf), Ranges: sides})
}
