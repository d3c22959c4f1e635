package lightgbmfile

import (
	"fmt"
	"strconv"

	"github.com/seed-1a7dc1f9/facet/internal/modelfile/models"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// columns are the arrays of one tree after the other, as the file has them.
type columns struct {
	feature, decision, left, right []int
	threshold, values              []float64
	nodes                          models.Columns
}

// tree returns the nodes of a tree. Features of sets get as many codes as these hold, at least.
func (c *columns) tree(s *section, codes []int) (trees.Plain, error) {
	leaves, sets, linear := s.integer("num_leaves"), s.integer("num_cat"), s.optional("is_linear",
		0)
	switch {
	case s.err != nil:
		return nil, s.err
	case leaves < 1:
		return nil, s.errorf("num_leaves", "%d", leaves)
	case linear != 0:
		return nil, s.errorf("is_linear", "%w",
			models.Unsupported("linear models in the leaves: linear_tree=false trains others"))
	}
	if err := c.splits(s, leaves, sets, codes); err != nil {
		return nil, err
	}
	c.values = list(s, "leaf_value", leaves, c.values, finite)
	if s.err != nil {
		return nil, s.err
	}
	for i, value := range c.values {
		at := len(c.feature) + i
		c.nodes.Left[at], c.nodes.Right[at], c.nodes.Threshold[at] = -1, -1, value
	}
	nodes, err := c.nodes.Pack()
	if err == nil && nodes.Len() < c.nodes.Len() {
		err = fmt.Errorf("%d of %d nodes are not below node 0",
			c.nodes.Len()-nodes.Len(), c.nodes.Len())
	}
	if err != nil {
		return nil, s.errorf("left_child", "%w", err)
	}
	return nodes, nil
}

// splits sets the inner nodes of a tree, as they are numbered in the file.
func (c *columns) splits(s *section, leaves, sets int, codes []int) error {
	n := leaves - 1
	c.feature = list(s, "split_feature", n, c.feature, strconv.Atoi)
	c.threshold = list(s, "threshold", n, c.threshold, threshold)
	c.decision = list(s, "decision_type", n, c.decision, strconv.Atoi)
	c.left = list(s, "left_child", n, c.left, strconv.Atoi)
	c.right = list(s, "right_child", n, c.right, strconv.Atoi)
	bits := s.bits(sets)
	if s.err != nil {
		return s.err
	}
	c.nodes.Resize(n + leaves)
	for i, f := range c.feature {
		if f < 0 || f >= len(codes) {
			return s.errorf("split_feature", "%d of split %d, want 0 to %d", f, i, len(codes)-1)
		}
		test, err := decide(c.decision[i], c.threshold[i], bits)
		if err != nil {
			return s.errorf("decision_type", "%d of split %d: %w", c.decision[i], i, err)
		}
		codes[f] = max(codes[f], test.codes)
		c.nodes.Feature[i], c.nodes.Threshold[i] = int32(f), test.threshold
		c.nodes.MissingLeft[i] = test.missingLeft
		c.nodes.Left[i] = s.child("left_child", i, leaves, c.left[i])
		c.nodes.Right[i] = s.child("right_child", i, leaves, c.right[i])
		if test.parted {
			c.nodes.Test(i, trees.AtMostFloat64, test.parts, test.left)
		}
	}
	return s.err
}

// child returns the number of a child of split i. Leaves, which the file has as −1, −2,
// …, count on after the splits.
func (s *section) child(key string, i, leaves, child int) int32 {
	if child < -leaves || child >= leaves-1 {
		s.note(s.errorf(key, "%d of split %d, want %d to %d", child, i, -leaves, leaves-2))
	}
	if child < 0 {
		return int32(leaves - 2 - child)
	}
	return int32(child)
}
