package models

import (
	"fmt"

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
	for i, t := range m.Trees {
		if m.Adds != nil {
			t = &trees.Adding{Plain: t, Class: m.Adds[i], Classes: m.outputs()}
		}
		if err := tree(i, t); err != nil {
			return trees.AtTree(i, err)
		}
	}
	return nil
}
