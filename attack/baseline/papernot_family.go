package baseline

import (
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// family is a tree that can be climbed.
type family struct{ *trees.Axis }

func newFamily(t *classifier.Tree, c classifier.Comparison) (family, error) {
	nodes := t.Nodes()
	axis, err := trees.NewAxis(t.Dim(), trees.Comparison(c), len(nodes), func(i int) trees.Node {
		n := &nodes[i]
		return trees.Node{Feature: n.Feature, Threshold: n.Threshold, Left: n.Left, Right: n.Right, Value: n.Value}
	})
	return family{axis}, err
}

func (f family) parent(node int) int { return int(f.Parents[node]) }
func (f family) label(node int) int  { return int(f.Labels[node]) }

// sibling returns the other child of the parent.
func (f family) sibling(node int) int {
	parent := f.Node(f.parent(node))
	if node == parent.Left {
		return parent.Right
	}
	return parent.Left
}

// leftmost returns the leaf that is reached from a node by going left.
func (f family) leftmost(node int) int {
	for !f.IsLeaf(node) {
		node = f.Node(node).Left
	}
	return node
}
