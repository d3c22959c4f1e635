package models

import (
	"errors"
	"fmt"

	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// MostValues is how many values a byte of a file may ask for. A boosted tree holds a
// number for each leaf, a tree here one for each node and class: without a limit a small
// file with a large number of classes asks for any amount of memory. LightGBM's files,
// the most compact, need 20 values a byte for a thousand classes.
const MostValues = 32

// Spread gives the nodes of boosted trees, which have one number or none, a value for each
// class, or one in a regressor: their number times the rate for the class that their tree adds
// to, and zeros. The file has so many bytes.
func (m *Model) Spread(size int, rate float64, class func(tree int) int) error {
	classes, left := max(1, len(m.ClassValues)), MostValues*int64(size)
	for i, nodes := range m.Trees {
		if left -= int64(len(nodes)) * int64(classes); left < 0 {
			return trees.AtTree(i, fmt.Errorf("%d nodes of %d classes: more than a file of this size can mean", len(nodes), classes))
		}
		all := make([]float64, len(nodes)*classes)
		for k := range nodes {
			value := all[k*classes : (k+1)*classes : (k+1)*classes]
			if n := &nodes[k]; len(n.Value) > 0 {
				value[class(i)] = rate * n.Value[0]
			}
			nodes[k].Value = value
		}
	}
	return nil
}

// Ordered numbers nodes with children after their parents and the root, which is the
// first, before all. Nodes that the root does not reach are left out. Nodes that are so
// numbered already are returned themselves.
func Ordered(nodes []trees.Node) ([]trees.Node, error) {
	if len(nodes) == 0 {
		return nil, errors.New("no nodes")
	}
	reached, moved := make([]bool, len(nodes)), false
	reached[0] = true
	order := make([]int32, 1, len(nodes))
	for i := 0; i < len(order); i++ {
		n := &nodes[order[i]]
		if n.Left < 0 && n.Right < 0 {
			continue
		}
		for _, child := range [...]int{n.Left, n.Right} {
			if child < 0 || child >= len(nodes) {
				return nil, trees.AtNode(int(order[i]), fmt.Errorf("child %d of %d nodes", child, len(nodes)))
			}
			if reached[child] {
				return nil, trees.AtNode(int(order[i]), fmt.Errorf("child %d is the root or has another parent", child))
			}
			reached[child], moved = true, moved || child != len(order)
			order = append(order, int32(child))
		}
	}
	if !moved && len(order) == len(nodes) {
		return nodes, nil
	}
	sorted := make([]trees.Node, len(order))
	next := 1 // the number of the next child
	for i, from := range order {
		sorted[i] = nodes[from]
		if n := &sorted[i]; n.Left >= 0 || n.Right >= 0 {
			n.Left, n.Right = next, next+1
			next += 2
		}
	}
	return sorted, nil
}
