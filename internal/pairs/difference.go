package pairs

import (
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/boxtree/grid"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// side is one of both inputs of a pair, with the output that it is looked at.
type side struct {
	*Output
	trees []*coded
	order []int   // the number of each tree in the ensemble
	home  []int32 // the feature of the pair by that of the model
}

// value returns what a leaf contributes.
func (s *side) value(t, leaf int) []float64 { return s.Ensemble.Value(s.order[t], leaf) }

// walker grows difference trees: of tree number t of both sides, or of one alone.
type walker struct {
	a, b  *side
	box   grid.Box // of the pair, of what reaches the node
	same  bool     // both sides have the same trees
	apart [][]bool // by tree and node, if they are the same: a test below reads another copy
	// values are those of a leaf of each side, none for a side that has no part in the tree.
	values func(t, i, j int) []float64
	// cancels says that they are zeros where both sides are in the same leaf.
	cancels bool
	zeros   []float64 // as many as values

	t     int
	nodes []trees.Node
	most  int
	full  bool // there are too many nodes
}

// none is the node of a side that has no part in a tree.
const none = -1

// grow returns the difference of tree t of both sides, or of one side alone; false if it would have
// more than so many nodes. A single leaf is a difference that is everywhere the same.
func (w *walker) grow(t, a, b, most int) ([]trees.Node, bool) {
	w.t, w.nodes, w.most, w.full = t, nil, most, false
	w.below(a, b)
	return w.nodes, !w.full
}

// below appends the difference of what lies below a node of each side, and returns where it is.
func (w *walker) below(i, j int) int {
	at := len(w.nodes)
	var cut [2]int32
	if i >= 0 {
		i, cut[0] = w.a.trees[w.t].descend(i, w.a.home, w.box)
	}
	if j >= 0 {
		j, cut[1] = w.b.trees[w.t].descend(j, w.b.home, w.box)
	}
	leafA, leafB := i < 0 || w.a.trees[w.t].IsLeaf(i), j < 0 || w.b.trees[w.t].IsLeaf(j)
	equal := w.cancels && i == j && !w.apart[w.t][i]
	w.full = w.full || at >= w.most
	if equal || (leafA && leafB) || w.full {
		leaf := trees.Node{Feature: -1, Left: -1, Right: -1, Value: w.zeros}
		if !equal && !w.full {
			leaf.Value = w.values(w.t, i, j)
		}
		w.nodes = append(w.nodes, leaf)
		return at
	}
	of, node, c := w.a, i, cut[0]
	if leafA || (!leafB && w.same && j < i) {
		of, node, c = w.b, j, cut[1]
	}
	w.part(of.home[of.trees[w.t].tests[node].feature], c, i, j)
	return at
}

// part appends a test that parts the codes of a feature behind a cut, and what lies below it.
func (w *walker) part(f, cut int32, i, j int) {
	at, span := len(w.nodes), w.box[f]
	w.nodes = append(w.nodes, trees.Node{
		Feature: int(f), Threshold: float64(cut) + 0.5, Value: w.zeros,
	})
	w.box[f].Hi = cut
	left := w.below(i, j)
	w.box[f] = grid.Span{Lo: cut + 1, Hi: span.Hi}
	right := w.below(i, j)
	w.box[f] = span
	a, b := &w.nodes[left], &w.nodes[right]
	if a.Left < 0 && b.Left < 0 && slices.Equal(a.Value, b.Value) {
		w.nodes[at] = *a
		w.nodes = w.nodes[:at+1]
		return
	}
	w.nodes[at].Left, w.nodes[at].Right = left, right
}

// difference returns by how much the outputs of two leaves differ, rounded up.
func (w *walker) difference(t, i, j int) []float64 {
	switch {
	case j < 0:
		return []float64{w.a.of(w.a.value(t, i)).high}
	case i < 0:
		return []float64{-w.b.of(w.b.value(t, j)).low}
	}
	a, b := w.a.of(w.a.value(t, i)), w.b.of(w.b.value(t, j))
	if w.a.equals(w.b, t, i, j) {
		return []float64{0}
	}
	return []float64{up(a.high, b.low)}
}

// equals reports whether two leaves contribute the same numbers to the same output.
func (s *side) equals(o *side, t, i, j int) bool {
	v, u := s.value(t, i), o.value(t, j)
	return s.Divisor == o.Divisor && v[s.Plus] == u[o.Plus] && (s.Minus < 0) == (o.Minus < 0) &&
		(s.Minus < 0 || v[s.Minus] == u[o.Minus])
}

// mark returns, by node, whether some test from it on may send the inputs of a box to different
// sides: one of a feature that is copied.
func (w *walker) mark(c *coded) []bool {
	apart := make([]bool, c.Len())
	for i := c.Len() - 1; i >= 0; i-- {
		if c.IsLeaf(i) {
			continue
		}
		t, n := &c.tests[i], c.Children[i]
		apart[i] = apart[n.Left] || apart[n.Right]
		if a, b := w.a.home[t.feature], w.b.home[t.feature]; a != b && !apart[i] {
			left, whole, _ := t.way(w.box[a])
			other, alike, _ := t.way(w.box[b])
			apart[i] = !whole || !alike || left != other
		}
	}
	return apart
}
