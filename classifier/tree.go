package classifier

import (
	"fmt"
	"math"

	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Tree is an axis-parallel decision tree for any number of classes: an inner node
// sends x left when x[Feature] ≤ Threshold, as its Comparison has it, and right
// otherwise; a leaf predicts its most frequent class, the smaller label of a tie.
type Tree struct {
	dim, classes int
	comparison   Comparison
	nodes        []TreeNode
	last         []float64 // the largest value that each inner node sends left
	values       []float64 // class frequencies of node i at classes·i
	labels       []int32   // what each node would predict
	borders      []border  // of each inner node
	parents      []int32   // −1 for the root
	classValues  []float64
}

// border is where the inputs that go left end, on the real line.
type border struct {
	end    float64
	closed bool // the end itself goes left
}

// TreeNode is a node of a Tree. Node 0 is the root. Children come after their
// parents; a leaf has Left = Right = −1 and Feature = −1.
type TreeNode struct {
	Feature     int
	Threshold   float64
	Left, Right int
	// MissingLeft sends a NaN left. Predict follows it; attacks are about finite
	// inputs.
	MissingLeft bool
	// Value holds the class frequencies of the training rows that reach the node,
	// one number per class.
	Value []float64
}

var (
	_ Decomposable = (*Tree)(nil)
	_ Locator      = (*Tree)(nil)
	_ Searcher     = (*Tree)(nil)
)

// NewTree makes a tree over dim features from its nodes. It returns an error
// wrapping ErrModel that names the first node that is malformed: a feature
// outside 0..dim−1, a threshold that is NaN, or −Inf where float64 are compared,
// values that are not finite or not of one length, a child that does not come
// after its parent or has two. A threshold of +Inf is one that only a NaN does not
// pass: libraries write it for splits by missing values.
func NewTree(dim int, p Comparison, nodes []TreeNode) (*Tree, error) {
	if dim < 1 || dim > math.MaxInt32 || len(nodes) == 0 || len(nodes) > math.MaxInt32 {
		return nil, fmt.Errorf("classifier: tree of %d nodes over %d features: %w", len(nodes), dim, ErrModel)
	}
	t := &Tree{dim: dim, comparison: p, classes: len(nodes[0].Value)}
	if t.classes == 0 || !p.valid() {
		return nil, fmt.Errorf("classifier: tree with %d classes and comparison %d: %w", t.classes, p, ErrModel)
	}
	t.parents = make([]int32, len(nodes))
	t.nodes, t.last = make([]TreeNode, 0, len(nodes)), make([]float64, 0, len(nodes))
	t.labels, t.borders = make([]int32, 0, len(nodes)), make([]border, 0, len(nodes))
	for i := range t.parents {
		t.parents[i] = -1
	}
	for i, n := range nodes {
		if err := t.add(i, n, len(nodes)); err != nil {
			return nil, fmt.Errorf("classifier: tree node %d: %w: %w", i, ErrModel, err)
		}
	}
	for i, p := range t.parents {
		if i > 0 && p < 0 {
			return nil, fmt.Errorf("classifier: tree node %d: %w: no node has it for a child", i, ErrModel)
		}
	}
	return t, nil
}

// add checks node i and appends it.
func (t *Tree) add(i int, n TreeNode, nodes int) error {
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
	var b border
	var last float64
	if n.Left >= 0 || n.Right >= 0 {
		if n.Feature < 0 || n.Feature >= t.dim {
			return fmt.Errorf("feature %d of %d", n.Feature, t.dim)
		}
		if err := t.comparison.check(n.Threshold); err != nil {
			return err
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
		b.end, b.closed = t.comparison.border(n.Threshold)
		last = t.comparison.last(n.Threshold)
	} else {
		n.Feature, n.Left, n.Right = -1, -1, -1
	}
	if t.values == nil {
		// No more than a malformed tree, whose other nodes lack values, may ask for.
		t.values = make([]float64, 0, min(len(n.Value)*nodes, 1<<16))
	}
	t.values = append(t.values, n.Value...)
	n.Value = nil
	t.nodes = append(t.nodes, n)
	t.labels = append(t.labels, int32(label))
	t.last = append(t.last, last)
	t.borders = append(t.borders, b)
	return nil
}

// Dim returns the number of features.
func (t *Tree) Dim() int { return t.dim }

// Classes returns the number of classes.
func (t *Tree) Classes() int { return t.classes }

// Comparison returns how features are compared with thresholds.
func (t *Tree) Comparison() Comparison { return t.comparison }

// ClassValues returns the labels that the classes 0, 1, … have in the training
// data of a model that was read from a file, nil for any other.
func (t *Tree) ClassValues() []float64 { return append([]float64(nil), t.classValues...) }

// Nodes returns a copy of the nodes.
func (t *Tree) Nodes() []TreeNode {
	nodes := append([]TreeNode(nil), t.nodes...)
	for i := range nodes {
		nodes[i].Value = append([]float64(nil), t.values[i*t.classes:(i+1)*t.classes]...)
	}
	return nodes
}

// Predict returns the label of x.
func (t *Tree) Predict(x []float64) int { return int(t.labels[t.leaf(x)]) }

// leaf returns the leaf that x reaches.
func (t *Tree) leaf(x []float64) int {
	i := 0
	for {
		n := &t.nodes[i]
		if n.Left < 0 {
			return i
		}
		v := x[n.Feature]
		if t.comparison.rounds() {
			v = float64(float32(v))
		}
		if v <= t.last[i] || (n.MissingLeft && v != v) {
			i = n.Left
		} else {
			i = n.Right
		}
	}
}

// depth returns the number of tests above the deepest leaf.
func (t *Tree) depth() int {
	deepest, depth := int32(0), make([]int32, len(t.nodes))
	for i := 1; i < len(depth); i++ { // parents come first
		depth[i] = depth[t.parents[i]] + 1
		deepest = max(deepest, depth[i])
	}
	return int(deepest)
}

// box sets b to the inputs that reach node i.
func (t *Tree) box(b polytope.Box, i int) {
	for f := range b {
		b[f] = polytope.Line()
	}
	for i > 0 {
		parent := int(t.parents[i])
		f := t.nodes[parent].Feature
		b[f] = b[f].Intersect(t.side(parent, i))
		i = parent
	}
}

// side returns the values of the parent's feature that go on to child.
func (t *Tree) side(parent, child int) polytope.Interval {
	side, b := polytope.Line(), t.borders[parent]
	if child == t.nodes[parent].Left {
		side.Hi, side.HiOpen = b.end, !b.closed
	} else {
		side.Lo, side.LoOpen = b.end, b.closed
	}
	return side
}

// interval returns the values of feature f that reach node i.
func (t *Tree) interval(i, f int) polytope.Interval {
	v := polytope.Line()
	for i > 0 {
		parent := int(t.parents[i])
		if t.nodes[parent].Feature == f {
			v = v.Intersect(t.side(parent, i))
		}
		i = parent
	}
	return v
}
