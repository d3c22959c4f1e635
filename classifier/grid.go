package classifier

import (
	"cmp"
	"math"
	"slices"
	"sort"
)

// grid is the common grid of all thresholds of an ensemble. The K borders of a
// feature cut its line into K+1 slots (infinite ones cut nothing): slot s lies right of the borders before s
// and left of border s. Leaves and search boxes are boxes of slots, so their
// intersections are exact.
type grid struct {
	borders [][]border // by feature, ascending
	trees   []gridTree
	size    []float64 // by class: what all trees together can add to or take from its sum
	depth   int       // of the deepest tree
}

// gridTree is a tree over slots.
type gridTree struct {
	nodes  []gridNode
	values []float64 // what node i contributes to the class c at classes·i + c
}

// gridNode sends slots up to cut left, none if that is −1. A leaf has no feature: −1.
type gridNode struct{ feature, cut, left, right int32 }

func compareBorders(a, b border) int {
	if c := cmp.Compare(a.end, b.end); c != 0 || a.closed == b.closed {
		return c
	}
	if b.closed {
		return -1 // x < end ends before x ≤ end
	}
	return 1
}

func newGrid(trees []*Tree, values [][]float64) *grid {
	g := &grid{borders: make([][]border, trees[0].dim), size: make([]float64, trees[0].classes)}
	for _, t := range trees {
		for i, n := range t.nodes {
			if n.Left >= 0 && !math.IsInf(t.borders[i].end, 0) {
				g.borders[n.Feature] = append(g.borders[n.Feature], t.borders[i])
			}
		}
	}
	for f := range g.borders {
		slices.SortFunc(g.borders[f], compareBorders)
		g.borders[f] = slices.Compact(g.borders[f])
	}
	for i, t := range trees {
		g.trees = append(g.trees, gridTree{nodes: g.nodes(t), values: values[i]})
		g.measure(t, values[i])
		g.depth = max(g.depth, t.depth())
	}
	return g
}

// nodes returns the nodes of a tree over slots.
func (g *grid) nodes(t *Tree) []gridNode {
	nodes := make([]gridNode, len(t.nodes))
	for i, n := range t.nodes {
		if nodes[i] = (gridNode{feature: -1}); n.Left >= 0 {
			nodes[i] = gridNode{int32(n.Feature), g.rank(n.Feature, t.borders[i]), int32(n.Left), int32(n.Right)}
		}
	}
	return nodes
}

// measure adds the largest contribution of a tree to each class to its size.
func (g *grid) measure(t *Tree, values []float64) {
	for c := range g.size {
		most := 0.0
		for i, n := range t.nodes {
			if n.Left < 0 {
				most = max(most, math.Abs(values[i*t.classes+c]))
			}
		}
		g.size[c] += most
	}
}

// rank returns the slot that a border ends: −1 for one that no number lies left of,
// the last for one that all do.
func (g *grid) rank(f int, b border) int32 {
	if math.IsInf(b.end, -1) {
		return -1
	}
	i, _ := slices.BinarySearchFunc(g.borders[f], b, compareBorders)
	return int32(i)
}

// slot returns the slot of feature f that holds v.
func (g *grid) slot(f int, v float64) int32 {
	borders := g.borders[f]
	return int32(sort.Search(len(borders), func(i int) bool {
		return v < borders[i].end || (v == borders[i].end && borders[i].closed)
	}))
}
