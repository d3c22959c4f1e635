package trees

import (
	"errors"
	"fmt"
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Axis is an axis-parallel tree: an inner node sends x left when its feature compares
// so with a threshold.
type Axis struct {
	Shape
	Comparison Comparison
	tests      []test    // of each inner node
	thresholds []float64 // of each inner node, as they were given
	// of each node, nil unless it tests a set; nil if none does
	sets [][]float64
}

// test sends an input left or right.
type test struct {
	last        float64 // the largest value that goes left
	feature     int32   // 0 in a leaf
	left        int32   // child; a leaf is its own
	either      int32   // the bits in which the children differ
	missingLeft bool
}

// NewAxis returns the tree of some nodes. Its errors are faults.
func NewAxis(dim int, c Comparison, nodes Plain) (*Axis, error) {
	if c < AtMostFloat32 || c > BelowFloat64 {
		return nil, faultf("comparison %d", c)
	}
	n := nodes.Len()
	t := &Axis{Comparison: c, tests: make([]test, n), thresholds: make([]float64, n)}
	if a, ok := nodes.(*Adding); ok {
		if p, ok := a.Plain.(Packed); ok {
			return t, t.unpack(dim, p, a.Class, a.Classes)
		}
	}
	var err error
	t.Shape, err = newShape(dim, nodes, func(i int, n *Node) error {
		t.thresholds[i] = n.Threshold
		if n.isLeaf() {
			t.tests[i].left = int32(i)
			if len(n.Thresholds) > 0 {
				return errors.New("a leaf with thresholds")
			}
			return nil
		}
		if n.Feature < 0 || n.Feature >= dim {
			return fmt.Errorf("feature %d of %d", n.Feature, dim)
		}
		t.tests[i] = test{
			feature: int32(n.Feature), missingLeft: n.MissingLeft,
			left: int32(n.Left), either: int32(n.Left) ^ int32(n.Right),
		}
		if len(n.Thresholds) > 0 {
			return t.addSet(i, n)
		}
		if err := c.check(n.Threshold); err != nil {
			return err
		}
		t.tests[i].last = c.last(n.Threshold)
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
	return nil
}

// Read implements Plain.
func (t *Axis) Read(i int, n *Node) {
	test, children := t.tests[i], t.Children[i]
	*n = Node{
		Feature: t.Feature(i), Threshold: t.thresholds[i], Thresholds: t.set(i),
		MissingLeft: test.missingLeft,
		Left:        int(children.Left), Right: int(children.Right), Value: t.Value(i),
	}
}

// Node returns node i, as Read does.
func (t *Axis) Node(i int) Node { return At(t, i) }

// Feature returns the feature that inner node i compares, −1 for a leaf.
func (t *Axis) Feature(i int) int {
	if t.IsLeaf(i) {
		return -1
	}
	return int(t.tests[i].feature)
}

// Border returns the border of inner node i, which tests no set.
func (t *Axis) Border(i int) Border {
	last := t.tests[i].last
	if size := math.Abs(last); t.Comparison.rounds() && size > 0 && size < math.MaxFloat32 {
		return borderAfter(float32(last)) // as searches of one tree ask all the time
	}
	return t.Comparison.border(t.thresholds[i])
}

// Leaf returns the leaf that x reaches.
func (t *Axis) Leaf(x []float64) int {
	if t.sets != nil {
		return t.leafBySets(x)
	}
	rounds, i := t.Comparison.rounds(), int32(0)
	for {
		next := t.tests[i].next(x, rounds)
		if next == i {
			return int(i)
		}
		i = next
	}
}

// next returns the child that x goes to; a leaf is its own. It is computed, so that the processor
// need not guess where a number goes; few values are missing.
func (t *test) next(x []float64, rounds bool) int32 {
	v := x[t.feature]
	if rounds {
		v = float64(float32(v))
	}
	right := int32(1)
	if v <= t.last {
		right = 0
	}
	if v != v && t.missingLeft {
		right = 0
	}
	return t.left ^ t.either&-right
}

// abreast is how many trees a row walks at once: while one waits for memory, others go on.
const abreast = 16

// leaves sets the leaves that x reaches in so many trees, or fewer.
func leaves(trees []*Axis, x []float64, at *[abreast]int32) {
	rounds := trees[0].Comparison.rounds()
	*at = [abreast]int32{}
	for moved := int32(1); moved != 0; {
		moved = 0
		for k, t := range trees {
			next := t.tests[at[k&(abreast-1)]].next(x, rounds)
			moved |= next ^ at[k&(abreast-1)]
			at[k&(abreast-1)] = next
		}
	}
}

// Restrict intersects b with the inputs that reach node i of a tree without sets.
func (t *Axis) Restrict(b polytope.Box, i int) {
	for i > 0 {
		parent := int(t.Parents[i])
		f := t.Feature(parent)
		b[f] = geometry.Intersect(b[f], t.Side(parent, i))
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
			v = geometry.Intersect(v, t.Side(parent, i))
		}
		i = parent
	}
	return v
}
