package classifier

import (
	"fmt"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// ObliqueTree is a linear decision tree (paper, appendix A; also called oblique):
// an inner node sends x left when Weights·x ≤ Threshold and right otherwise; a
// leaf predicts its most frequent class, the smaller label of a tie.
//
// Weights·x is a float64 sum from the first feature to the last in which every
// product is rounded before it is added, so that all machines predict the same.
// Cells are those of exact arithmetic; where the sum is within its rounding error
// of the threshold a prediction may differ from them, and a cell thinner than that
// does not count. Tests of a single feature are exact: their cells end at the very
// float64 at which predictions change.
type ObliqueTree struct {
	dim, classes int
	nodes        []ObliqueNode
	splits       []obliqueSplit // of each inner node
	values       []float64      // class frequencies of node i at classes·i
	labels       []int32        // what each node would predict
	parents      []int32        // −1 for the root
}

// ObliqueNode is a node of an ObliqueTree. Node 0 is the root. Children come after
// their parents; a leaf has Left = Right = −1 and no Weights.
type ObliqueNode struct {
	Weights     []float64 // one per feature
	Threshold   float64
	Left, Right int
	// Value holds the class frequencies of the training rows that reach the node,
	// or whatever else an ObliqueEnsemble adds up, one number per class.
	Value []float64
}

var (
	_ Decomposable = (*ObliqueTree)(nil)
	_ Locator      = (*ObliqueTree)(nil)
	_ Searcher     = (*ObliqueTree)(nil)
)

// NewObliqueTree makes a tree over dim features from its nodes, which it copies.
// Nodes without a weight that is not zero send every input the same way, and so do
// infinite thresholds. It returns an error wrapping ErrModel that names the first
// node that is malformed: weights that are not finite or not dim many, a threshold
// that is NaN, values that are not finite or not of one length, a child that does
// not come after its parent or has two.
func NewObliqueTree(dim int, nodes []ObliqueNode) (*ObliqueTree, error) {
	if dim < 1 || dim > math.MaxInt32 || len(nodes) == 0 || len(nodes) > math.MaxInt32 {
		return nil, fmt.Errorf("classifier: oblique tree of %d nodes over %d features: %w", len(nodes), dim, ErrModel)
	}
	t := &ObliqueTree{dim: dim, classes: len(nodes[0].Value), parents: slices.Repeat([]int32{-1}, len(nodes))}
	if t.classes == 0 {
		return nil, fmt.Errorf("classifier: oblique tree without classes: %w", ErrModel)
	}
	for i, n := range nodes {
		if err := t.add(i, n, len(nodes)); err != nil {
			return nil, fmt.Errorf("classifier: oblique tree node %d: %w: %w", i, ErrModel, err)
		}
	}
	for i, p := range t.parents {
		if i > 0 && p < 0 {
			return nil, fmt.Errorf("classifier: oblique tree node %d: %w: no node has it for a child", i, ErrModel)
		}
	}
	return t, nil
}

// add checks node i and appends a copy of it.
func (t *ObliqueTree) add(i int, n ObliqueNode, nodes int) error {
	if len(n.Value) != t.classes {
		return fmt.Errorf("%d class frequencies, want %d", len(n.Value), t.classes)
	}
	label := 0
	for c, v := range n.Value {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("frequency of class %d is %v", c, v)
		}
		if v > n.Value[label] {
			label = c
		}
	}
	copied := ObliqueNode{Left: -1, Right: -1}
	var split obliqueSplit
	if n.Left >= 0 || n.Right >= 0 {
		if err := t.adopt(i, n, nodes); err != nil {
			return err
		}
		copied = ObliqueNode{Weights: slices.Clone(n.Weights), Threshold: n.Threshold, Left: n.Left, Right: n.Right}
		split = newObliqueSplit(copied.Weights, n.Threshold)
	}
	t.nodes = append(t.nodes, copied)
	t.splits = append(t.splits, split)
	t.values = append(t.values, n.Value...)
	t.labels = append(t.labels, int32(label))
	return nil
}

// adopt checks inner node i and makes it the parent of its children.
func (t *ObliqueTree) adopt(i int, n ObliqueNode, nodes int) error {
	if len(n.Weights) != t.dim {
		return fmt.Errorf("%d weights, want %d", len(n.Weights), t.dim)
	}
	for j, w := range n.Weights {
		if math.IsNaN(w) || math.IsInf(w, 0) {
			return fmt.Errorf("weight of feature %d is %v", j, w)
		}
	}
	if math.IsNaN(n.Threshold) {
		return fmt.Errorf("threshold is NaN")
	}
	for _, child := range []int{n.Left, n.Right} {
		if child <= i || child >= nodes {
			return fmt.Errorf("child %d of %d nodes", child, nodes)
		}
		if t.parents[child] >= 0 {
			return fmt.Errorf("child %d is also a child of node %d", child, t.parents[child])
		}
		t.parents[child] = int32(i)
	}
	return nil
}

// Dim returns the number of features.
func (t *ObliqueTree) Dim() int { return t.dim }

// Classes returns the number of classes.
func (t *ObliqueTree) Classes() int { return t.classes }

// Nodes returns a copy of the nodes.
func (t *ObliqueTree) Nodes() []ObliqueNode {
	nodes := slices.Clone(t.nodes)
	for i := range nodes {
		nodes[i].Weights = slices.Clone(nodes[i].Weights)
		nodes[i].Value = slices.Clone(t.value(i))
	}
	return nodes
}

// value returns the class frequencies of node i.
func (t *ObliqueTree) value(i int) []float64 { return t.values[i*t.classes : (i+1)*t.classes] }

// Predict returns the label of x. It costs one sum of Dim products for each test on
// the way.
func (t *ObliqueTree) Predict(x []float64) int { return int(t.labels[t.leaf(x)]) }

// leaf returns the leaf that x reaches.
func (t *ObliqueTree) leaf(x []float64) int {
	i := 0
	for t.nodes[i].Left >= 0 {
		i = t.child(i, t.splits[i].left(x))
	}
	return i
}

// child returns the left or the right child of inner node i.
func (t *ObliqueTree) child(i int, left bool) int {
	if left {
		return t.nodes[i].Left
	}
	return t.nodes[i].Right
}

// newObliqueTree makes a tree of nodes that it does not keep.
func newObliqueTree(dim int, nodes []trees.Node) (*ObliqueTree, error) {
	public := make([]ObliqueNode, len(nodes))
	for i, n := range nodes {
		public[i] = ObliqueNode{Weights: n.Weights, Threshold: n.Threshold, Left: n.Left, Right: n.Right, Value: n.Value}
	}
	return NewObliqueTree(dim, public)
}

// plain returns the nodes. Their values are not to be changed.
func (t *ObliqueTree) plain() []trees.Node {
	nodes := make([]trees.Node, len(t.nodes))
	for i, n := range t.nodes {
		nodes[i] = trees.Node{Weights: n.Weights, Threshold: n.Threshold, Left: n.Left, Right: n.Right, Value: t.value(i)}
	}
	return nodes
}
