package models

import (
	"errors"
	"fmt"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// MostValues is how many values a byte of a file may ask for. A boosted tree holds a
// number for each leaf, a tree here one for each node and class: without a limit a small
// file with a large number of classes asks for any amount of memory. LightGBM's files,
// the most compact, need 20 values a byte for a thousand classes.
const MostValues = 32

// Spread says which class each boosted tree adds to, 0 in a regressor. The file has so many bytes.
func (m *Model) Spread(size int, class func(tree int) int) error {
	left := MostValues * int64(size)
	m.Adds = make([]int, len(m.Trees))
	for i, t := range m.Trees {
		if left -= int64(t.Len()) * int64(m.outputs()); left < 0 {
			return trees.AtTree(i,
				fmt.Errorf("%d nodes of %d classes: more than a file of this size can mean",
					t.Len(), m.outputs()))
		}
		m.Adds[i] = class(i)
	}
	return nil
}

// outputs is how many values a node has that boosted trees are made of.
func (m *Model) outputs() int { return max(1, len(m.ClassValues)) }

// Each calls tree with the number and the nodes of each tree, which have a value for each class.
// The Value of a node holds until the next is asked for.
func (m *Model) Each(tree func(i int, nodes trees.Plain) error) error {
	s := spread{row: make([]float64, m.outputs())}
	for i, t := range m.Trees {
		if m.Adds != nil {
			clear(s.row)
			s.Plain, s.class = t, m.Adds[i]
			t = &s
		}
		if err := tree(i, t); err != nil {
			return trees.AtTree(i, err)
		}
	}
	return nil
}

// spread is a tree whose values are those of one class; others have zeros.
type spread struct {
	trees.Plain
	row   []float64
	class int
}

func (s *spread) Node(i int) trees.Node {
	n := s.Plain.Node(i)
	if s.row[s.class] = 0; len(n.Value) > 0 {
		s.row[s.class] = n.Value[0]
	}
	n.Value = s.row
	return n
}

// Orderer numbers the nodes of one tree after the other.
type Orderer struct {
	reached []bool
	order   []int32
	sorted  []trees.Node
}

// Ordered numbers nodes with children after their parents and the root, which is the
// first, before all. Nodes that the root does not reach are left out. Nodes that are so
// numbered already are returned themselves; others hold until the next call.
func (o *Orderer) Ordered(nodes []trees.Node) ([]trees.Node, error) {
	if len(nodes) == 0 {
		return nil, errors.New("no nodes")
	}
	reached, order, moved := slices.Grow(o.reached[:0],
		len(nodes))[:len(nodes)], append(o.order[:0], 0), false
	clear(reached)
	reached[0] = true
	defer func() { o.reached, o.order = reached, order }()
	for i := 0; i < len(order); i++ {
		n := &nodes[order[i]]
		if n.Left < 0 && n.Right < 0 {
			continue
		}
		for _, child := range [...]int{n.Left, n.Right} {
			if child < 0 || child >= len(nodes) {
				return nil, trees.AtNode(int(order[i]),
					fmt.Errorf("child %d of %d nodes", child, len(nodes)))
			}
			if reached[child] {
				return nil, trees.AtNode(int(order[i]),
					fmt.Errorf("child %d is the root or has another parent", child))
			}
			reached[child], moved = true, moved || child != len(order)
			order = append(order, int32(child))
		}
	}
	if !moved && len(order) == len(nodes) {
		return nodes, nil
	}
	sorted := slices.Grow(o.sorted[:0], len(order))[:len(order)]
	o.sorted = sorted
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
