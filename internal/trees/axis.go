package trees

import (
	"errors"
	"fmt"

	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Axis is an axis-parallel tree: an inner node sends x left when its feature compares
// so with a threshold.
type Axis struct {
	Shape
	Comparison Comparison
	tests      []test // of each inner node
	cuts       []cut  // of each node
	// of each node, nil unless it tests a set; nil if none does
	sets [][]float64
}

// test is what an input is sent left or right by.
type test struct {
	last        float64 // the largest value that goes left
	feature     int32   // −1 in a leaf
	missingLeft bool
	closed      bool // the border is
}

// cut is a threshold, as it was given, and in an inner node where its border ends.
type cut struct{ end, threshold float64 }

// NewAxis returns the tree of n nodes. Its errors are faults.
func NewAxis(dim int, c Comparison, n int, node func(i int) Node) (*Axis, error) {
	if c < AtMostFloat32 || c > BelowFloat64 {
		return nil, faultf("comparison %d", c)
	}
	t := &Axis{Comparison: c, tests: make([]test, n), cuts: make([]cut, n)}
	var err error
	t.Shape, err = newShape(dim, n, node, func(i int, n Node) error {
		t.tests[i].feature, t.cuts[i].threshold = -1, n.Threshold
		if n.isLeaf() {
			if len(n.Thresholds) > 0 {
				return errors.New("a leaf with thresholds")
			}
			return nil
		}
		if n.Feature < 0 || n.Feature >= dim {
			return fmt.Errorf("feature %d of %d", n.Feature, dim)
		}
		if len(n.Thresholds) > 0 {
			return t.addSet(i, &n)
		}
		if err := c.check(n.Threshold); err != nil {
			return err
		}
		border := c.border(n.Threshold)
		t.tests[i] = test{c.last(n.Threshold), int32(n.Feature), n.MissingLeft, border.Closed}
		t.cuts[i].end = border.End
		return nil
	})
	if err != nil {
		return nil, err
	}
	return t, nil
}

// addSet adds node i, which tests a set.
func (t *Axis) addSet(i int, n *Node) error {
	if err := t.Comparison.checkSet(n.Thresholds); err != nil {
		return err
	}
	if t.sets == nil {
		t.sets = make([][]float64, len(t.tests))
	}
	t.sets[i] = n.Thresholds
	t.tests[i].feature, t.tests[i].missingLeft = int32(n.Feature), n.MissingLeft
	return nil
}

// Node returns node i. Its Value and Thresholds are not to be changed.
func (t *Axis) Node(i int) Node {
	test, children := t.tests[i], t.Children[i]
	return Node{
		Feature: int(test.feature), Threshold: t.cuts[i].threshold, Thresholds: t.set(i),
		MissingLeft: test.missingLeft,
		Left:        int(children.Left), Right: int(children.Right), Value: t.Value(i),
	}
}

// Feature returns the feature that inner node i compares, −1 for a leaf.
func (t *Axis) Feature(i int) int { return int(t.tests[i].feature) }

// Border returns the border of inner node i, which tests no set.
func (t *Axis) Border(i int) Border { return Border{End: t.cuts[i].end, Closed: t.tests[i].closed} }

// Leaf returns the leaf that x reaches.
func (t *Axis) Leaf(x []float64) int {
	if t.sets != nil {
		return t.leafBySets(x)
	}
	children, rounds, i := t.Children, t.Comparison.rounds(), int32(0)
	for tests := t.tests[:len(children)]; ; { // as long, so that an index is checked once
		next := children[i]
		if next.Left < 0 {
			return int(i)
		}
		test := &tests[i]
		v := x[test.feature]
		if rounds {
			v = float64(float32(v))
		}
		if v <= test.last || (test.missingLeft && v != v) {
			i = next.Left
		} else {
			i = next.Right
		}
	}
}

// Restrict intersects b with the inputs that reach node i of a tree without sets.
func (t *Axis) Restrict(b polytope.Box, i int) {
	for i > 0 {
		parent := int(t.Parents[i])
		f := t.Feature(parent)
		b[f] = b[f].Intersect(t.Side(parent, i))
		i = parent
	}
}

// Side returns the values of the parent's feature that go on to child.
func (t *Axis) Side(parent, child int) polytope.Interval {
	return t.Border(parent).Side(child == int(t.Children[parent].Left))
}

// Interval returns the values of feature f that reach node i.
func (t *Axis) Interval(i, f int) polytope.Interval {
	v := polytope.Line()
	for i > 0 {
		parent := int(t.Parents[i])
		if t.Feature(parent) == f {
			v = v.Intersect(t.Side(parent, i))
		}
		i = parent
	}
	return v
}
