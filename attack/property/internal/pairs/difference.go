package pairs

import (
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// operand is one of both inputs of a pair, with the output that it is looked at.
type operand struct {
	*Output
	trees []*coded
	home  []int32 // the feature of the pair by that of the model
}

// value returns the contribution of a leaf, nil for none.
func (s *operand) value(t, leaf int) []float64 {
	if leaf < 0 {
		return nil
	}
	return s.Ensemble.Value(t, leaf)
}

// walker grows difference trees: of a tree of each operand, or of one alone.
type walker struct {
	a, b     operand
	pairs    [][2]int // of trees
	box      []codes  // codes of the pair that reach the node
	same     bool     // both operands have the same trees
	recopied [][]bool // by tree and node, if they are the same: a test below reads another copy
	// values are those of a leaf of each operand, none for an operand that has no part in the tree.
	values func(at [2]int, i, j int) []float64
	// based says that trees of one leaf are part of the start of the sums.
	based bool
	// cancels says that they are zeros where both operands are in the same leaf.
	cancels bool
	zeros   []float64 // as many as values
	whole   bool      // no leaves become one

	at    [2]int // the trees
	nodes []trees.Node
	most  int
	full  bool // there are too many nodes
}

// none is the node of an operand that has no part in a tree.
const none = -1

// grow returns the difference of a tree of each operand, or of one operand alone; false if it would
// have more than so many nodes. A single leaf is a difference that is everywhere the same.
func (w *walker) grow(at [2]int, most int) ([]trees.Node, bool) {
	w.at, w.nodes, w.most, w.full = at, nil, most, false
	w.below(min(at[0], 0), min(at[1], 0)) // none is −1
	return w.nodes, !w.full
}

// below appends the difference of the trees below a node of each operand, and returns where it is.
func (w *walker) below(i, j int) int {
	at := len(w.nodes)
	if i >= 0 {
		i = w.a.trees[w.at[0]].descend(i, w.a.home, w.box)
	}
	if j >= 0 {
		j = w.b.trees[w.at[1]].descend(j, w.b.home, w.box)
	}
	leafA, leafB := i < 0 || w.a.trees[w.at[0]].IsLeaf(i), j < 0 || w.b.trees[w.at[1]].IsLeaf(j)
	equal := w.cancels && i == j && !w.recopied[w.at[0]][i]
	w.full = w.full || at >= w.most
	if equal || (leafA && leafB) || w.full {
		leaf := trees.Node{Feature: -1, Left: -1, Right: -1, Value: w.zeros}
		if !equal && !w.full {
			leaf.Value = w.values(w.at, i, j)
		}
		w.nodes = append(w.nodes, leaf)
		return at
	}
	of, tree, node := &w.a, w.at[0], i
	if leafA || (!leafB && w.same && j < i) {
		of, tree, node = &w.b, w.at[1], j
	}
	test := &of.trees[tree].tests[node]
	w.part(of.home[test.feature], test, i, j)
	return at
}

// part appends a test that parts the codes of a feature, and the nodes below it.
func (w *walker) part(f int32, t *test, i, j int) {
	at, whole := len(w.nodes), w.box[f]
	sides, cuts := t.split(whole)
	n := trees.Node{Feature: int(f), Threshold: float64(cuts[0]) + 0.5, Value: w.zeros}
	if len(cuts) > 1 {
		n.Threshold = 0
		for _, cut := range cuts {
			n.Thresholds = append(n.Thresholds, float64(cut)+0.5)
		}
	}
	w.nodes = append(w.nodes, n)
	w.box[f] = sides[0]
	left := w.below(i, j)
	w.box[f] = sides[1]
	right := w.below(i, j)
	w.box[f] = whole
	a, b := &w.nodes[left], &w.nodes[right]
	if !w.whole && a.Left < 0 && b.Left < 0 && slices.Equal(a.Value, b.Value) {
		w.nodes[at] = *a
		w.nodes = w.nodes[:at+1]
		return
	}
	w.nodes[at].Left, w.nodes[at].Right = left, right
}

// difference returns by how much the outputs of two leaves differ, rounded up.
func (w *walker) difference(at [2]int, i, j int) []float64 {
	switch {
	case j < 0:
		return []float64{w.a.of(w.a.value(at[0], i)).high}
	case i < 0:
		return []float64{-w.b.of(w.b.value(at[1], j)).low}
	}
	a, b := w.a.of(w.a.value(at[0], i)), w.b.of(w.b.value(at[1], j))
	if w.a.equals(&w.b, at, i, j) {
		return []float64{0}
	}
	return []float64{precise.SubUp(a.high, b.low)}
}

// equals reports whether two leaves contribute the same numbers to the same output.
func (s *operand) equals(o *operand, at [2]int, i, j int) bool {
	v, u := s.value(at[0], i), o.value(at[1], j)
	return s.Divisor == o.Divisor && v[s.Plus] == u[o.Plus] && (s.Minus < 0) == (o.Minus < 0) &&
		(s.Minus < 0 || v[s.Minus] == u[o.Minus])
}

// mark returns, by node, whether some test from it on may send the inputs of a box to different
// operands: one of a feature that is copied.
func (w *walker) mark(c *coded) []bool {
	apart := make([]bool, c.Len())
	for i := c.Len() - 1; i >= 0; i-- {
		if c.IsLeaf(i) {
			continue
		}
		t, n := &c.tests[i], c.Children[i]
		apart[i] = apart[n.Left] || apart[n.Right]
		if a, b := w.a.home[t.feature], w.b.home[t.feature]; a != b && !apart[i] {
			left, whole := t.way(w.box[a])
			other, alike := t.way(w.box[b])
			apart[i] = !whole || !alike || left != other
		}
	}
	return apart
}
