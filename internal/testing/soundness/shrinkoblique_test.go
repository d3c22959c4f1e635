package soundness

import (
	"iter"
	"slices"

	"github.com/seed-1a7dc1f9/facet/classifier"
)

// smallerObliqueTrees lists trees in which a node is one of its sides, or a number is
// rounder.
func smallerObliqueTrees(nodes []classifier.ObliqueNode) iter.Seq[[]classifier.ObliqueNode] {
	return func(yield func([]classifier.ObliqueNode) bool) {
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
			for _, s := range []int{n.Left, n.Right} {
				if !yield(graftedOblique(nodes, i, s)) {
					return
				}
			}
			for _, simple := range rounder(n.Threshold) {
				c := slices.Clone(nodes)
				if c[i].Threshold = simple; !yield(c) {
					return
				}
			}
			for j, w := range n.Weights {
				for _, simple := range rounder(w) {
					c := slices.Clone(nodes)
					c[i].Weights = slices.Clone(n.Weights)
					if c[i].Weights[j] = simple; !yield(c) {
						return
					}
				}
			}
		}
	}
}

// graftedOblique returns the tree with node below in the place of node at.
func graftedOblique(nodes []classifier.ObliqueNode, at, below int) []classifier.ObliqueNode {
	var out []classifier.ObliqueNode
	var add func(i int) int
	add = func(i int) int {
		if i == at {
			i = below
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
