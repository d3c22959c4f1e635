package modelfile

import (
	"errors"
	"fmt"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/models"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// xgboostTree has parallel arrays over its nodes, node 0 the root. A leaf has its
// value for a split condition.
type xgboostTree struct {
	Params      params    `json:"tree_param"`
	Left        []int     `json:"left_children"`
	Right       []int     `json:"right_children"`
	Feature     []int     `json:"split_indices"`
	Condition   []float32 `json:"split_conditions"`
	DefaultLeft []any     `json:"default_left"` // false or true; from version 1.6 on 0 or 1
	SplitType   []int     `json:"split_type"`
}

// sorted returns the nodes. Those that were pruned lie unreached among the others,
// and those grown in their place may come before their parents.
func (t *xgboostTree) sorted(features int) ([]trees.Node, error) {
	deleted, err := t.check()
	if err != nil {
		return nil, err
	}
	nodes, err := t.nodes(features)
	if err != nil {
		return nil, err
	}
	sorted, err := models.Ordered(nodes)
	if err == nil && len(sorted)+deleted != len(nodes) {
		err = fmt.Errorf("%d of %d nodes are not below node 0, num_deleted is %d", len(nodes)-len(sorted), len(nodes), deleted)
	}
	return sorted, err
}

// check refuses what a tree cannot have here, and returns how many nodes are deleted.
func (t *xgboostTree) check() (deleted int, err error) {
	n := len(t.Left)
	number, outputs := n, 0
	err = errors.Join(t.Params.integer("num_nodes", &number), t.Params.integer("size_leaf_vector", &outputs), t.Params.integer("num_deleted", &deleted))
	switch {
	case err != nil:
		return 0, err
	case number != n:
		return 0, fmt.Errorf("num_nodes is %d, and there are %d", number, n)
	case outputs > 1:
		return 0, fmt.Errorf("size_leaf_vector is %d: leaves of several values: %w", outputs, errors.ErrUnsupported)
	}
	if i := slices.IndexFunc(t.SplitType, func(kind int) bool { return kind != 0 }); i >= 0 {
		return 0, trees.AtNode(i, fmt.Errorf("split_type is %d: a categorical split: %w", t.SplitType[i], errors.ErrUnsupported))
	}
	if len(t.Right) != n || len(t.Feature) != n || len(t.Condition) != n || len(t.DefaultLeft) != n {
		return 0, fmt.Errorf("%d left_children, %d right_children, %d split_indices, %d split_conditions, %d default_left: want as many of each",
			n, len(t.Right), len(t.Feature), len(t.Condition), len(t.DefaultLeft))
	}
	return deleted, nil
}

// nodes decodes the nodes as they are numbered in the file.
func (t *xgboostTree) nodes(features int) ([]trees.Node, error) {
	nodes, conditions := make([]trees.Node, len(t.Left)), make([]float64, len(t.Left))
	for i := range nodes {
		conditions[i] = float64(t.Condition[i])
		inner := t.Left[i] >= 0 || t.Right[i] >= 0
		if inner && (t.Feature[i] < 0 || t.Feature[i] >= features) {
			return nil, trees.AtNode(i, fmt.Errorf("split_indices is %d, want 0 to %d", t.Feature[i], features-1))
		}
		left := t.DefaultLeft[i] == true || t.DefaultLeft[i] == 1.0
		if !left && t.DefaultLeft[i] != false && t.DefaultLeft[i] != 0.0 {
			return nil, trees.AtNode(i, fmt.Errorf("default_left is %v, want 0 or 1", t.DefaultLeft[i]))
		}
		nodes[i] = trees.Node{Feature: t.Feature[i], Threshold: conditions[i], Left: t.Left[i], Right: t.Right[i], MissingLeft: inner && left}
		if !inner {
			nodes[i].Value = conditions[i : i+1]
		}
	}
	return nodes, nil
}
