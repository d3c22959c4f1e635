package potentials

import (
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/boxtree/grid"
)

// Gathering collects the leaves of trees that meet a box, tree after tree, for New.
type Gathering struct {
	Box    grid.Box
	Near   func(own grid.Box) bool            // whether a leaf with this box counts; nil if all do
	Gain   func(tree int, leaf int32) float64 // that a leaf adds to the margin
	Leaves []Leaf
	First  []int32 // leaves of tree t: First[t] ≤ l < First[t+1]
}

// Add collects those of a tree of a grid.
func (g *Gathering) Add(of *grid.Grid, t *grid.Tree) {
	if g.First == nil {
		g.First = []int32{0}
	}
	own := slices.Clone(g.Box)
	of.Leaves(t, g.Box, func(i int32, sides []grid.Side) {
		var leaf Leaf
		for _, s := range sides {
			if own[s.Feature] = s.Span; s.Span != g.Box[s.Feature] {
				leaf.Sides = append(leaf.Sides, Side{Feature: s.Feature, Span: s.Span})
			}
		}
		if g.Near == nil || g.Near(own) {
			leaf.Gain = g.Gain(t.Index, i)
			g.Leaves = append(g.Leaves, leaf)
		}
		for _, s := range sides {
			own[s.Feature] = g.Box[s.Feature]
		}
	})
	g.First = append(g.First, int32(len(g.Leaves)))
}
