package trees

import (
	"fmt"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Oblique is a linear decision tree: an inner node sends x left when Weights·x ≤ Threshold,
// where every product of the sum is rounded before it is added, first feature first.
type Oblique struct {
	Shape
	splits []Split // of each inner node
}

// NewOblique returns the tree of some nodes, of which it keeps copies. Its errors are faults.
func NewOblique(dim int, nodes Plain) (*Oblique, error) {
	t := &Oblique{splits: make([]Split, nodes.Len())}
	var err error
	t.Shape, err = newShape(dim, nodes, func(i int, n *Node) error {
		if n.isLeaf() {
			return nil
		}
		if err := checkTest(dim, n); err != nil {
			return err
		}
		t.splits[i] = newSplit(slices.Clone(n.Weights), n.Threshold)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return t, nil
}

func checkTest(dim int, n *Node) error {
	if len(n.Weights) != dim {
		return fmt.Errorf("%d weights, want %d", len(n.Weights), dim)
	}
	for j, w := range n.Weights {
		if !precise.Finite(w) {
			return fmt.Errorf("weight of feature %d is %v", j, w)
		}
	}
	if math.IsNaN(n.Threshold) {
		return fmt.Errorf("threshold is NaN")
	}
	return nil
}

// Read implements Plain.
func (t *Oblique) Read(i int, n *Node) {
	s, children := &t.splits[i], t.Children[i]
	*n = Node{
		Weights:   s.weights,
		Threshold: s.threshold,
		Left:      int(children.Left),
		Right:     int(children.Right),
		Value:     t.Value(i),
	}
}

// Split returns the test of inner node i, which is not to be changed.
func (t *Oblique) Split(i int) *Split { return &t.splits[i] }

// Predict returns the label of x.
func (t *Oblique) Predict(x []float64) int { return int(t.Labels[t.Leaf(x)]) }

// Leaf returns the leaf that x reaches.
func (t *Oblique) Leaf(x []float64) int {
	i := 0
	for !t.IsLeaf(i) {
		i = t.Child(i, t.splits[i].left(x))
	}
	return i
}

// Child returns the left or the right child of inner node i.
func (t *Oblique) Child(i int, left bool) int {
	if left {
		return int(t.Children[i].Left)
	}
	return int(t.Children[i].Right)
}

// Sure reports whether x reaches its leaf in any arithmetic at least as good as
// float64.
func (t *Oblique) Sure(x []float64) bool {
	for i := 0; !t.IsLeaf(i); i = t.Child(i, t.splits[i].left(x)) {
		if !t.splits[i].sure(x) {
			return false
		}
	}
	return true
}

// Above returns the test whose side leads to node i, which is not the root, its node,
// and whether that is the low side.
func (t *Oblique) Above(i int) (s *Split, parent int, low bool) {
	parent = int(t.Parents[i])
	s = &t.splits[parent]
	return s, parent, (i == int(t.Children[parent].Left)) == s.LeftIsLow
}

// Contradicts reports whether tests of one feature, whose borders lie between the same two
// float64, keep all inputs from node i: of the sides of a box it cannot be seen.
func (t *Oblique) Contradicts(i int) bool {
	lows, highs := map[int]Border{}, map[int]Border{} // where the inputs begin and end
	for i > 0 {
		s, parent, low := t.Above(i)
		i = parent
		if s.Border.Between == nil {
			continue
		}
		f, own, other := s.Direction.Feature, lows, highs
		if low {
			own, other = highs, lows
		}
		if b, ok := own[f]; !ok || (compareBorders(s.Border, b) < 0) == low {
			own[f] = s.Border
		}
		if _, ok := other[f]; ok && compareBorders(highs[f], lows[f]) <= 0 {
			return true
		}
	}
	return false
}

// Restrict intersects p with the inputs that reach node i.
func (t *Oblique) Restrict(p *polytope.Polyhedron, i int) {
	for i > 0 {
		s, parent, low := t.Above(i)
		s.Direction.Restrict(p, t.Dim, s.Border, low)
		i = parent
	}
}
