package lightgbmfile

import (
	"fmt"
	"strconv"

	"github.com/seed-1a7dc1f9/facet/internal/models"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// nodes returns the nodes of a tree, the leaves with their number. Where a node has
// parts, they are numbered as in the file, else children follow their parents. Features of sets get
// as many codes as these hold, at least.
func (s *section) nodes(codes []int) ([]trees.Node, error) {
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
	nodes, err := s.splits(leaves, sets, codes)
	if err != nil {
		return nil, err
	}
	values := list(s, "leaf_value", leaves, finite)
	for i := range values {
		nodes = append(nodes, trees.Node{Left: -1, Right: -1, Value: values[i : i+1]})
	}
	if s.err != nil {
		return nil, s.err
	}
	sorted, err := new(models.Orderer).Ordered(nodes)
	if err == nil && len(sorted) < len(nodes) {
		err = fmt.Errorf("%d of %d nodes are not below node 0", len(nodes)-len(sorted), len(nodes))
	}
	if err != nil {
		return nil, s.errorf("left_child", "%w", err)
	}
	return sorted, nil
}

// splits returns the inner nodes of a tree.
func (s *section) splits(leaves, sets int, codes []int) ([]trees.Node, error) {
	n := leaves - 1
	feature := list(s, "split_feature", n, strconv.Atoi)
	thresholds := list(s, "threshold", n, threshold)
	decision := list(s, "decision_type", n, strconv.Atoi)
	left := list(s, "left_child", n, strconv.Atoi)
	right := list(s, "right_child", n, strconv.Atoi)
	bits := s.bits(sets)
	if s.err != nil {
		return nil, s.err
	}
	nodes := make([]trees.Node, n)
	for i := range nodes {
		f := feature[i]
		if f < 0 || f >= len(codes) {
			return nil, s.errorf("split_feature", "%d of split %d, want 0 to %d",
				f, i, len(codes)-1)
		}
		test, err := decide(decision[i], thresholds[i], bits)
		if err != nil {
			return nil, s.errorf("decision_type", "%d of split %d: %w", decision[i], i, err)
		}
		codes[f] = max(codes[f], test.codes)
		nodes[i] = trees.Node{
			Feature: f, Threshold: test.threshold, MissingLeft: test.missingLeft,
			Left:  s.child("left_child", i, leaves, left[i]),
			Right: s.child("right_child", i, leaves, right[i]),
		}
		if test.parted {
			models.TestEnds(&nodes[i], trees.AtMostFloat64, test.parts, test.left)
		}
	}
	return nodes, s.err
}

// child returns the number of a child of split i. Leaves, which the file has as −1, −2,
// …, count on after the splits.
func (s *section) child(key string, i, leaves, child int) int {
	if child < -leaves || child >= leaves-1 {
		s.note(s.errorf(key, "%d of split %d, want %d to %d", child, i, -leaves, leaves-2))
	}
	if child < 0 {
		return leaves - 2 - child
	}
	return child
}
