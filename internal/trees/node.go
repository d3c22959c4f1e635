package trees

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/precise"
)

// Node is a node of a tree of either kind. Node 0 is the root. Children come after
// their parents; a leaf has Left = Right = −1.
type Node struct {
	Feature     int       // of an axis-parallel test
	Weights     []float64 // of an oblique test, one per feature
	Threshold   float64
	Thresholds  []float64 // of an axis-parallel test of a set, in place of the one
	Left, Right int
	MissingLeft bool // an axis-parallel test sends a NaN left
	// Value is the contribution of the node, one number per class: in most trees the
	// frequencies of the classes.
	Value []float64
}

// Plain is the nodes of a tree, asked for one by one, so that readers keep those of large
// models in little memory.
type Plain interface {
	Len() int
	// Read sets all of n, whose slices are not to be changed and hold until the next.
	Read(i int, n *Node)
}

// Nodes are a tree.
type Nodes []Node

func (n Nodes) Len() int               { return len(n) }
func (n Nodes) Read(i int, node *Node) { *node = n[i] }

// At returns a node of a tree.
func At(p Plain, i int) (n Node) {
	p.Read(i, &n)
	return n
}

func (n *Node) isLeaf() bool { return n.Left < 0 && n.Right < 0 }

// Shape is the structure that trees of both kinds share.
type Shape struct {
	Dim, Classes int
	Children     []Children // of each node
	Parents      []int32    // −1 for the root
	// the prediction of each node: its largest value's class, the smaller of a tie
	Labels []int32
	values []float64 // of node i at Classes·i
	most   []float64 // the largest size of a leaf's value, by class
	fits   bool      // float32 holds the values of all leaves
}

// Children are the children of a node, both −1 for a leaf.
type Children struct{ Left, Right int32 }

// newShape checks the nodes of a tree over dim features, and copies the fields of the shape; keep
// does so with those that only trees of one kind have. Its errors are faults of the first node that
// is malformed.
func newShape(dim int, nodes Plain, keep func(i int, n *Node) error) (Shape, error) {
	n := nodes.Len()
	var next Node // of one memory
	if n > 0 {
		nodes.Read(0, &next)
	}
	s, err := makeShape(dim, len(next.Value), n)
	if err != nil {
		return Shape{}, err
	}
	for i := range s.Parents {
		s.Parents[i] = -1
	}
	// No more than a malformed tree, whose other nodes lack values, may ask for.
	s.values = make([]float64, 0, min(s.Classes*n, 1<<16))
	for i := range n {
		nodes.Read(i, &next)
		if err := s.add(&next, keep); err != nil {
			return Shape{}, AtNode(i, err)
		}
	}
	if i := slices.Index(s.Parents[1:], -1); i >= 0 {
		return Shape{}, AtNode(i+1, errors.New("no node has it for a child"))
	}
	return s, nil
}

// makeShape makes room for so many nodes.
func makeShape(dim, classes, nodes int) (Shape, error) {
	if dim < 1 || dim > math.MaxInt32 || nodes == 0 || nodes > math.MaxInt32 {
		return Shape{}, faultf("%d nodes over %d features", nodes, dim)
	}
	if classes == 0 {
		return Shape{}, faultf("no classes")
	}
	numbers := make([]int32, 2*nodes) // of both slices below, in one allocation
	return Shape{
		Dim: dim, Classes: classes, Children: make([]Children, 0, nodes),
		Parents: numbers[:nodes:nodes], Labels: numbers[nodes:nodes],
		most: make([]float64, classes), fits: true,
	}, nil
}

// add checks the next node and appends it.
func (s *Shape) add(n *Node, keep func(i int, n *Node) error) error {
	label, err := s.keepValue(n.Value, n.isLeaf())
	if err != nil {
		return err
	}
	if err := keep(s.Len(), n); err != nil {
		return err
	}
	children := Children{-1, -1}
	if !n.isLeaf() {
		if err := s.adopt(n.Left, n.Right); err != nil {
			return err
		}
		children = Children{int32(n.Left), int32(n.Right)}
	}
	s.Children = append(s.Children, children)
	s.Labels = append(s.Labels, label)
	return nil
}

// keepValue appends the values of a node, and returns the class of the largest.
func (s *Shape) keepValue(value []float64, leaf bool) (int32, error) {
	if len(value) != s.Classes {
		return 0, fmt.Errorf("%d class frequencies, want %d", len(value), s.Classes)
	}
	best := 0
	for c, v := range value {
		if !precise.Finite(v) {
			return 0, fmt.Errorf("frequency of class %d is %v", c, v)
		}
		if v > value[best] {
			best = c
		}
		s.values = append(s.values, v)
		if leaf {
			s.most[c] = max(s.most[c], math.Abs(v))
			s.fits = s.fits && float64(float32(v)) == v
		}
	}
	return int32(best), nil
}

// adopt makes the next node the parent of its children.
func (s *Shape) adopt(children ...int) error {
	i := len(s.Children)
	for _, child := range children {
		if child <= i || child >= len(s.Parents) {
			return fmt.Errorf("child %d of %d nodes", child, len(s.Parents))
		}
		if s.Parents[child] >= 0 {
			return fmt.Errorf("child %d is also a child of node %d", child, s.Parents[child])
		}
		s.Parents[child] = int32(i)
	}
	return nil
}

// shape makes types that embed a Shape trees.
func (s *Shape) shape() *Shape { return s }

// Len returns the number of nodes.
func (s *Shape) Len() int { return len(s.Children) }

// IsLeaf reports whether node i is one.
func (s *Shape) IsLeaf(i int) bool { return s.Children[i].Left < 0 }

// Leaves lists the leaves from left to right.
func (s *Shape) Leaves() iter.Seq[int] {
	return func(yield func(int) bool) { s.leavesBelow(0, yield) }
}

func (s *Shape) leavesBelow(i int, yield func(int) bool) bool {
	if s.IsLeaf(i) {
		return yield(i)
	}
	c := s.Children[i]
	return s.leavesBelow(int(c.Left), yield) && s.leavesBelow(int(c.Right), yield)
}

// Value returns the contribution of node i, which is not to be changed.
func (s *Shape) Value(i int) []float64 { return s.values[i*s.Classes : (i+1)*s.Classes] }

// Depth returns the number of tests above the deepest leaf.
func (s *Shape) Depth() int {
	deepest, depth := int32(0), make([]int32, s.Len())
	for i := 1; i < len(depth); i++ { // parents come first
		depth[i] = depth[s.Parents[i]] + 1
		deepest = max(deepest, depth[i])
	}
	return int(deepest)
}
