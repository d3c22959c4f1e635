package trees

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"sort"

	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// A test of a set has several thresholds, ascending. An input goes left if the number of those is
// even that it lies beyond, which means that it would go right at a test of that threshold alone:
// between the first two inputs go right, before and behind these left. So a set of categories is
// one test, for every code that a library takes a fraction or a negative value for.

// checkSet returns an error for thresholds that do not part the line into so many parts.
func (c Comparison) checkSet(thresholds []float64) error {
	if len(thresholds) == 1 {
		return fmt.Errorf("a set of a single threshold")
	}
	for i, t := range thresholds {
		if !(math.Abs(t) <= math.MaxFloat64) {
			return fmt.Errorf("a threshold of a set is %v", t)
		}
		if i > 0 && compareBorders(c.border(thresholds[i-1]), c.border(t)) >= 0 {
			return fmt.Errorf("thresholds of a set do not ascend: %v after %v", t, thresholds[i-1])
		}
	}
	return nil
}

// beyond returns how many thresholds a value lies beyond that is rounded as the comparison does.
func (c Comparison) beyond(thresholds []float64, v float64) int {
	atMost := c == AtMostFloat32 || c == AtMostFloat64
	return sort.Search(len(thresholds), func(i int) bool {
		return v < thresholds[i] || (atMost && v == thresholds[i])
	})
}

// HasSets reports whether some test is one of a set.
func (t *Axis) HasSets() bool { return t.sets != nil }

// set returns the thresholds of node i, nil unless it tests a set.
func (t *Axis) set(i int) []float64 {
	if t.sets == nil {
		return nil
	}
	return t.sets[i]
}

// SendsLeft reports whether inner node i sends a number left.
func (t *Axis) SendsLeft(i int, v float64) bool {
	if t.Comparison.rounds() {
		v = float64(float32(v))
	}
	if set := t.set(i); set != nil {
		return t.Comparison.beyond(set, v)%2 == 0
	}
	return v <= t.tests[i].last
}

// SetBorders returns the borders of the test of a set of node i, ascending; nil of any other node.
func (t *Axis) SetBorders(i int) []Border {
	thresholds := t.set(i)
	if thresholds == nil {
		return nil
	}
	borders := make([]Border, len(thresholds))
	for k, threshold := range thresholds {
		borders[k] = t.Comparison.border(threshold)
	}
	return borders
}

// leafBySets is Leaf of a tree with tests of sets.
func (t *Axis) leafBySets(x []float64) int {
	rounds, i := t.Comparison.rounds(), int32(0)
	for {
		next := t.Children[i]
		if next.Left < 0 {
			return int(i)
		}
		test, v := &t.tests[i], x[t.tests[i].feature]
		if rounds {
			v = float64(float32(v))
		}
		left := v <= test.last
		if set := t.sets[i]; set != nil {
			left = t.Comparison.beyond(set, v)%2 == 0
		}
		if v != v {
			left = test.missingLeft
		}
		if i = next.Right; left {
			i = next.Left
		}
	}
}

// sides returns the values of the parent's feature that go on to child: intervals that do not
// touch.
func (t *Axis) sides(parent, child int) iter.Seq[polytope.Interval] {
	return func(yield func(polytope.Interval) bool) {
		left := child == int(t.Children[parent].Left)
		borders := t.SetBorders(parent)
		if borders == nil {
			yield(t.Border(parent).Side(left))
			return
		}
		for k := range len(borders) + 1 {
			if (k%2 == 0) != left {
				continue
			}
			i := polytope.Line()
			if k > 0 {
				i = geometry.Intersect(i, borders[k-1].Side(false))
			}
			if k < len(borders) {
				i = geometry.Intersect(i, borders[k].Side(true))
			}
			if !yield(i) {
				return
			}
		}
	}
}

// Parts lists the boxes of inputs in b that reach node i: one, or none, of a tree without sets. A
// box holds until the next.
func (t *Axis) Parts(b polytope.Box, i int) iter.Seq[polytope.Box] {
	return func(yield func(polytope.Box) bool) {
		part := slices.Clone(b)
		if t.sets != nil {
			t.parts(part, i, yield)
		} else if t.Restrict(part, i); !geometry.EmptyBox(part) {
			yield(part)
		}
	}
}

func (t *Axis) parts(b polytope.Box, i int, yield func(polytope.Box) bool) bool {
	if i == 0 {
		return yield(b)
	}
	parent := int(t.Parents[i])
	f := t.Feature(parent)
	whole := b[f]
	defer func() { b[f] = whole }()
	for side := range t.sides(parent, i) {
		b[f] = geometry.Intersect(whole, side)
		if !geometry.Empty(b[f]) && !t.parts(b, parent, yield) {
			return false
		}
	}
	return true
}

// RestrictTo intersects b with the box of inputs around x that reach node i, as x does.
func (t *Axis) RestrictTo(b polytope.Box, i int, x []float64) {
	if t.sets == nil {
		t.Restrict(b, i)
		return
	}
	for i > 0 {
		parent := int(t.Parents[i])
		f := t.Feature(parent)
		for side := range t.sides(parent, i) {
			if side.Contains(x[f]) {
				b[f] = geometry.Intersect(b[f], side)
			}
		}
		i = parent
	}
}
