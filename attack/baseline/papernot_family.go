package baseline

import "github.com/seed-1a7dc1f9/facet/classifier"

// family is a tree that can be climbed.
type family struct {
	comparison classifier.Comparison
	nodes      []classifier.TreeNode
	parents    []int // −1 for the root
	labels     []int // of the leaves
}

func newFamily(t *classifier.Tree) *family {
	f := &family{comparison: t.Comparison(), nodes: t.Nodes()}
	f.parents, f.labels = make([]int, len(f.nodes)), make([]int, len(f.nodes))
	f.parents[0] = -1
	for i, n := range f.nodes {
		if n.Left >= 0 {
			f.parents[n.Left], f.parents[n.Right] = i, i
		}
		for label, v := range n.Value {
			if v > n.Value[f.labels[i]] {
				f.labels[i] = label
			}
		}
	}
	return f
}

// leaf returns the leaf that x reaches.
func (f *family) leaf(x []float64) int {
	i := 0
	for f.nodes[i].Left >= 0 {
		n := &f.nodes[i]
		if f.goesLeft(x[n.Feature], n.Threshold) {
			i = n.Left
		} else {
			i = n.Right
		}
	}
	return i
}

func (f *family) goesLeft(v, threshold float64) bool {
	switch f.comparison {
	case classifier.AtMostFloat32:
		return float64(float32(v)) <= threshold
	case classifier.BelowFloat32:
		return float64(float32(v)) < threshold
	case classifier.BelowFloat64:
		return v < threshold
	}
	return v <= threshold
}

// sibling returns the other child of the parent.
func (f *family) sibling(node int) int {
	parent := f.nodes[f.parents[node]]
	if node == parent.Left {
		return parent.Right
	}
	return parent.Left
}

// leftmost returns the leaf that is reached from a node by going left.
func (f *family) leftmost(node int) int {
	for f.nodes[node].Left >= 0 {
		node = f.nodes[node].Left
	}
	return node
}
