package trees

import (
	"errors"
	"fmt"
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/precise"
)

// Packed is a tree whose leaves have one value, and inner nodes none, in 16 bytes a node. Nodes are
// numbered level by level, siblings side by side: no test is of a set.
type Packed []PackedNode

// PackedNode is a node of a Packed tree.
type PackedNode struct {
	Condition [1]float64 // the threshold, or the value of a leaf
	Feature   int32
	Left      int32 // child, 0 for none; negated where a missing value goes there
}

// Len implements Plain.
func (p Packed) Len() int { return len(p) }

// Read implements Plain.
func (p Packed) Read(i int, to *Node) {
	n := &p[i]
	if n.Left == 0 {
		*to = Node{Left: -1, Right: -1, Value: n.Condition[:]}
		return
	}
	left := int(max(n.Left, -n.Left))
	*to = Node{
		Feature: int(n.Feature), Threshold: n.Condition[0], MissingLeft: n.Left < 0,
		Left: left, Right: left + 1,
	}
}

// Adding is a tree whose nodes have one value or none, which it adds to a class of several: values
// of the others are 0.
type Adding struct {
	Plain
	Class, Classes int
	row            []float64
}

// Read implements Plain. The value holds until the next is read.
func (a *Adding) Read(i int, n *Node) {
	if a.row == nil {
		a.row = make([]float64, a.Classes)
	}
	a.Plain.Read(i, n)
	if a.row[a.Class] = 0; len(n.Value) > 0 {
		a.row[a.Class] = n.Value[0]
	}
	n.Value = a.row
}

// unpack adds the nodes of a packed tree that adds to a class, as NewAxis does those of any other.
func (t *Axis) unpack(dim int, p Packed, class, classes int) (err error) {
	if t.Shape, err = makeShape(dim, classes, len(p)); err != nil {
		return err
	}
	t.Children, t.Labels = t.Children[:len(p)], t.Labels[:len(p)]
	t.values = make([]float64, classes*len(p))
	t.Parents[0], t.fits = -1, true
	most, next := 0.0, int32(1) // the first node without a parent
	for i := range p {
		n, test := &p[i], &t.tests[i]
		if n.Left == 0 {
			v := n.Condition[0]
			if !precise.Finite(v) {
				return AtNode(i, fmt.Errorf("frequency of class %d is %v", class, v))
			}
			t.Children[i], test.left = Children{-1, -1}, int32(i)
			t.values[i*classes+class], t.Labels[i] = v, labelOf(v, class, classes)
			t.fits = t.fits && float64(float32(v)) == v
			most = max(most, math.Abs(v))
			continue
		}
		if err := t.Comparison.check(n.Condition[0]); err != nil {
			return AtNode(i, err)
		}
		if n.Feature < 0 || int(n.Feature) >= dim {
			return AtNode(i, fmt.Errorf("feature %d of %d", n.Feature, dim))
		}
		left := max(n.Left, -n.Left)
		if left != next || int(left)+1 >= len(p) {
			return AtNode(i, fmt.Errorf("children %d and %d of %d nodes", left, left+1, len(p)))
		}
		next += 2
		t.thresholds[i], t.Children[i] = n.Condition[0], Children{left, left + 1}
		t.Parents[left], t.Parents[left+1] = int32(i), int32(i)
		test.last, test.feature = t.Comparison.last(n.Condition[0]), n.Feature
		test.left, test.either, test.missingLeft = left, left^(left+1), n.Left < 0
	}
	t.most[class] = most
	if int(next) != len(p) {
		return AtNode(int(next), errors.New("no node has it for a child"))
	}
	return nil
}

// labelOf returns the class of the largest value, the smaller of a tie, where all are 0 but that of
// one class.
func labelOf(v float64, class, classes int) int32 {
	switch {
	case v > 0:
		return int32(class)
	case v < 0 && class == 0 && classes > 1:
		return 1
	}
	return 0
}
