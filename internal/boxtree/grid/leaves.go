package grid

import "slices"

// Side is the intervals of a feature that belong to a leaf: those of a span and, if there is a set,
// that are in it, too.
type Side struct {
	Feature int32
	Span
	Set Set
}

// Leaves visits the leaves of a tree that meet a box, with a side in each feature that tests on the
// way part. Sides are the next leaf's afterwards.
func (g *Grid) Leaves(t *Tree, box Box, visit func(leaf int32, sides []Side)) {
	w := leafWalk{Grid: g, nodes: t.Nodes, box: box, visit: visit}
	w.below(0)
}

type leafWalk struct {
	*Grid
	nodes []Node
	box   Box
	sides []Side // of the inputs that reach the node
	visit func(leaf int32, sides []Side)
}

// below visits the leaves below a node.
func (w *leafWalk) below(i int32) {
	n := &w.nodes[i]
	if n.Feature < 0 {
		w.visit(i, w.sides)
		return
	}
	at := slices.IndexFunc(w.sides, func(s Side) bool { return s.Feature == n.Feature })
	count := len(w.sides)
	if at < 0 {
		at = count
		w.sides = append(w.sides, Side{n.Feature, w.box[n.Feature], nil})
	}
	whole := w.sides[at]
	low, high := whole.Split(n.Cut)
	for _, half := range [...]struct {
		child int32
		span  Span
	}{{n.Left, low}, {n.Right, high}} {
		s := Side{n.Feature, half.span, whole.Set}
		if n.IsSet() {
			s.Set = make(Set, w.Words(n.Feature))
			if copy(s.Set, whole.Set); whole.Set == nil {
				s.Set.Fill()
			}
			w.Keep(s.Set, n, half.child == n.Left)
			s.Span = s.Set.Hull(whole.Span)
		}
		if w.sides[at] = s; s.Lo <= s.Hi {
			w.below(half.child)
		}
	}
	w.sides[at] = whole
	w.sides = w.sides[:count]
}
