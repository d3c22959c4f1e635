package potentials

import "github.com/seed-1a7dc1f9/facet/internal/boxtree/grid"

// Gathering collects the leaves of trees that meet a box, tree after tree, for New.
type Gathering struct {
	Box    grid.Box
	Near   func(own grid.Box) bool            // whether a leaf with this box counts; nil if all do
	Gain   func(tree int, leaf int32) float64 // what a leaf adds to the lead
	Leaves []Leaf
	First  []int32 // leaves of tree t: First[t] ≤ l < First[t+1]
	own    grid.Box
}

// Add collects those of a tree.
func (g *Gathering) Add(t *grid.Tree) {
	if g.First == nil {
		g.First, g.own = []int32{0}, append(grid.Box(nil), g.Box...)
	}
	g.visit(t, 0)
	g.First = append(g.First, int32(len(g.Leaves)))
}

// visit collects the leaves below a node.
func (g *Gathering) visit(t *grid.Tree, i int32) {
	n := &t.Nodes[i]
	if n.Feature < 0 {
		g.leaf(t, i)
		return
	}
	s := &g.own[n.Feature]
	whole := *s
	if whole.Lo <= n.Cut {
		s.Hi = min(whole.Hi, n.Cut)
		g.visit(t, n.Left)
		s.Hi = whole.Hi
	}
	if whole.Hi > n.Cut {
		s.Lo = max(whole.Lo, n.Cut+1)
		g.visit(t, n.Right)
		s.Lo = whole.Lo
	}
}

// leaf appends a leaf.
func (g *Gathering) leaf(t *grid.Tree, i int32) {
	if g.Near != nil && !g.Near(g.own) {
		return
	}
	leaf := Leaf{Gain: g.Gain(t.Index, i)}
	for f, s := range g.own {
		if s != g.Box[f] {
			leaf.Sides = append(leaf.Sides, Side{Feature: int32(f), Span: s})
		}
	}
	g.Leaves = append(g.Leaves, leaf)
}
