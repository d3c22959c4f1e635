package models

import (
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// packed is a boosted tree in 16 bytes a node, numbered so that right children follow left ones.
type packed []packedNode

type packedNode struct {
	condition [1]float64 // a threshold, or the value of a leaf
	feature   int32
	left      int32 // child, 0 for none; negated where a missing value goes there
}

func (p packed) Len() int { return len(p) }

func (p packed) Node(i int) trees.Node {
	n := &p[i]
	if n.left == 0 {
		return trees.Node{Threshold: n.condition[0], Left: -1, Right: -1, Value: n.condition[:]}
	}
	left := int(max(n.left, -n.left))
	return trees.Node{
		Feature:     int(n.feature),
		Threshold:   n.condition[0],
		Left:        left,
		Right:       left + 1,
		MissingLeft: n.left < 0,
	}
}

// Pack copies the nodes of a boosted tree, whose leaves have one value and inner nodes none, as
// Ordered returns them. Without tests of sets they take little memory.
func Pack(nodes []trees.Node) trees.Plain {
	p := make(packed, len(nodes))
	for i := range nodes {
		n := &nodes[i]
		if n.Thresholds != nil {
			return loose(nodes)
		}
		p[i] = packedNode{
			condition: [1]float64{n.Threshold},
			feature:   int32(n.Feature),
			left:      int32(max(n.Left, 0)),
		}
		if n.Left < 0 && n.Right < 0 {
			p[i].condition = [1]float64{n.Value[0]}
		}
		if n.MissingLeft {
			p[i].left = -p[i].left
		}
	}
	return p
}

// loose returns nodes with values of their own.
func loose(from []trees.Node) trees.Nodes {
	nodes, values := slices.Clone(from), make([]float64, len(from))
	for i := range nodes {
		if nodes[i].Value != nil {
			values[i] = nodes[i].Value[0]
			nodes[i].Value = values[i : i+1]
		}
	}
	return nodes
}
