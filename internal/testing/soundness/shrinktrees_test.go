package soundness

import (
	"iter"
	"slices"

	"github.com/seed-1a7dc1f9/facet/classifier"
)

// smallerTrees lists trees in which a node is the leaf of one of its sides, or a
// threshold is rounder.
func smallerTrees(nodes []classifier.TreeNode) iter.Seq[[]classifier.TreeNode] {
	return func(yield func([]classifier.TreeNode) bool) {
		for i, n := range nodes {
			if simple := simplerValues(n.Value, n.Left < 0); simple != nil {
				c := slices.Clone(nodes)
				if c[i].Value = simple; !yield(c) {
					return
				}
			}
			if n.Left < 0 {
				continue
			}
			for _, side := range []int{n.Left, n.Right} {
				if !yield(grafted(nodes, i, side)) {
					return
				}
			}
			for _, simple := range rounder(n.Threshold) {
				c := slices.Clone(nodes)
				if c[i].Threshold = simple; !yield(c) {
					return
				}
			}
		}
	}
}

// simplerValues returns 1 for the winner of a leaf and 0 for others, and zeros for an
// inner node; nil if the values are that already.
func simplerValues(values []float64, leaf bool) []float64 {
	simple := make([]float64, len(values))
	if leaf {
		simple[largest(values)] = 1
	}
	if slices.Equal(simple, values) {
		return nil
	}
	return simple
}

// grafted returns the tree with node side in the place of node at.
func grafted(nodes []classifier.TreeNode, at, side int) []classifier.TreeNode {
	var out []classifier.TreeNode
	var add func(i int) int
	add = func(i int) int {
		if i == at {
			i = side
		}
		place := len(out)
		out = append(out, nodes[i])
		if nodes[i].Left >= 0 {
			left := add(nodes[i].Left)
			right := add(nodes[i].Right)
			out[place].Left, out[place].Right = left, right
		}
		return place
	}
	add(0)
	return out
}
