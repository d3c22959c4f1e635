package xgboostfile

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-1a7dc1f9/facet/internal/modelfile/document"
	"github.com/seed-1a7dc1f9/facet/internal/modelfile/models"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// columns are a tree as the file has it.
type columns struct {
	params       params
	left, right  []int32
	feature      []int32
	condition    []float32
	defaultLeft  []bool
	kind         []int32 // 1 for a set of categories, else 0
	categories   []int32 // of all sets
	sets         []int32 // the nodes that have one
	begins, size []int32 // where each set begins, and how large it is
	nodes        models.Columns
}

// members are the parts of a tree that are read.
func (c *columns) members(d document.Reader) members {
	m := members{
		"tree_param": c.params.texts(d, "tree_param",
			"num_nodes num_deleted num_feature size_leaf_vector"),
		"left_children":       &c.left,
		"right_children":      &c.right,
		"split_indices":       &c.feature,
		"split_conditions":    &c.condition,
		"default_left":        &c.defaultLeft,
		"split_type":          &c.kind,
		"categories":          &c.categories,
		"categories_nodes":    &c.sets,
		"categories_segments": &c.begins,
		"categories_sizes":    &c.size,
	}
	for key := range strings.FieldsSeq(
		"base_weights id loss_changes parents sum_hessian leaf_child_counts",
	) {
		m[key] = ignored{}
	}
	return m
}

// reset forgets a tree, but for the memory that it took.
func (c *columns) reset() {
	clear(c.params)
	c.defaultLeft, c.condition = c.defaultLeft[:0], c.condition[:0]
	for _, list := range []*[]int32{
		&c.left, &c.right, &c.feature, &c.kind, &c.categories, &c.sets, &c.begins, &c.size,
	} {
		*list = (*list)[:0]
	}
}

// tree is the nodes of a tree.
type tree struct {
	trees.Plain
	// The largest feature that is compared, and the node that does, in the file.
	feature, at int
}

// tree returns the nodes. Those that were pruned lie unreached among the others, and
// those grown in their place may come before their parents.
func (c *columns) tree() (*tree, error) {
	deleted, err := c.check()
	if err != nil {
		return nil, err
	}
	t := &tree{}
	if err := c.decode(t); err != nil {
		return nil, err
	}
	if err := c.tests(); err != nil {
		return nil, err
	}
	if t.Plain, err = c.nodes.Pack(); err != nil {
		return nil, err
	}
	if unreached := c.nodes.Len() - t.Len(); unreached != deleted {
		err = fmt.Errorf("%d of %d nodes are not below node 0, num_deleted is %d",
			unreached, c.nodes.Len(), deleted)
	}
	return t, err
}

// check refuses columns that no tree can have here, and returns how many nodes are deleted.
func (c *columns) check() (deleted int, err error) {
	n := len(c.left)
	number, outputs := n, 0
	err = errors.Join(c.params.integer("num_nodes", &number),
		c.params.integer("size_leaf_vector", &outputs), c.params.integer("num_deleted", &deleted))
	switch {
	case err != nil:
		return 0, err
	case number != n:
		return 0, fmt.Errorf("num_nodes is %d, and there are %d", number, n)
	case outputs > 1:
		return 0, models.Unsupported(fmt.Sprintf("size_leaf_vector is %d: leaves of several "+
			"values; multi_strategy=\"one_output_per_tree\" trains others", outputs))
	}
	if len(c.right) != n || len(c.feature) != n || len(c.condition) != n ||
		len(c.defaultLeft) != n || (len(c.kind) != n && len(c.kind) > 0) {
		return 0, fmt.Errorf("%d left_children, %d right_children, %d split_indices, %d "+
			"split_conditions, %d default_left, %d split_type: want as many of each",
			n, len(c.right), len(c.feature), len(c.condition), len(c.defaultLeft), len(c.kind))
	}
	return deleted, nil
}

// decode decodes the nodes as they are numbered in the file.
func (c *columns) decode(t *tree) error {
	n := &c.nodes
	n.Left, n.Right, n.Feature, n.MissingLeft = c.left, c.right, c.feature, c.defaultLeft
	n.Threshold, n.Sets = n.Threshold[:0], nil
	for i, condition := range c.condition {
		n.Threshold = append(n.Threshold, float64(condition))
		if c.isLeaf(i) {
			continue
		}
		feature := int(c.feature[i])
		if feature < 0 {
			return trees.AtNode(i, fmt.Errorf("split_indices is %d", feature))
		}
		if feature > t.feature {
			t.feature, t.at = feature, i
		}
	}
	return nil
}

func (c *columns) isLeaf(node int) bool { return c.left[node] < 0 && c.right[node] < 0 }
func (c *columns) isSet(node int) bool  { return len(c.kind) > 0 && c.kind[node] == 1 }

// tests decodes the sets of categories.
func (c *columns) tests() error {
	any := false
	for i, kind := range c.kind {
		if kind != 0 && kind != 1 {
			return trees.AtNode(i, fmt.Errorf("split_type is %d, want 0 or 1", kind))
		}
		any = any || kind == 1
	}
	if !any {
		return nil
	}
	if len(c.begins) != len(c.sets) || len(c.size) != len(c.sets) {
		return fmt.Errorf("%d categories_nodes, %d categories_segments, %d "+
			"categories_sizes: want as many of each", len(c.sets), len(c.begins), len(c.size))
	}
	given := make([]bool, len(c.left))
	for i, node := range c.sets {
		if node < 0 || int(node) >= len(c.left) || !c.isSet(int(node)) || given[node] {
			return fmt.Errorf("categories_nodes: node %d has no set, or two", node)
		}
		if given[node] = true; c.left[node] < 0 {
			continue // a split that was pruned
		}
		codes, err := c.set(i)
		if err != nil {
			return trees.AtNode(int(node), err)
		}
		ends := models.Ends(codes, func(code int) float64 { return float64(code + 1) })
		c.nodes.Test(int(node), trees.BelowFloat32, ends, true)
	}
	for i, left := range c.left {
		if left >= 0 && c.isSet(i) && !given[i] {
			return trees.AtNode(i,
				errors.New("a set of categories that is not among the categories_nodes"))
		}
	}
	return nil
}

// set returns the codes of a set, ascending.
func (c *columns) set(i int) ([]int, error) {
	begin, size := int64(c.begins[i]), int64(c.size[i])
	if begin < 0 || size < 0 || begin+size > int64(len(c.categories)) {
		return nil, fmt.Errorf("categories %d to %d of %d", begin, begin+size, len(c.categories))
	}
	codes := make([]int, size)
	for k := range codes {
		if codes[k] = int(c.categories[begin+int64(k)]); codes[k] < 0 ||
			codes[k] >= models.MostCodes {
			return nil, fmt.Errorf("category %d, want 0 to %d", codes[k], models.MostCodes-1)
		}
	}
	slices.Sort(codes)
	return slices.Compact(codes), nil
}
