package outputrange

import (
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/slots"
)

// choose finds the best leaf of each tree in a box, which it changes and restores. It returns
// what they add up to, as the model adds; false if a tree has none within the ball.
func (s *finder) choose(box slots.Box) (sum float64, ok bool) {
	w := walk{finder: s, box: box}
	reach := 0.0
	if s.round {
		reach = s.reach(box)
	}
	total := [1]float64{s.model.ensemble.Vote.Base[0]}
	for t := range s.chosen {
		w.nodes, w.gains, w.leaf, w.gain = s.Trees[t].Nodes, s.gains[t], -1, math.Inf(-1)
		if w.visit(0, reach); w.leaf < 0 {
			return 0, false
		}
		s.chosen[t] = w.leaf
		s.model.ensemble.Add(total[:], t, int(w.leaf))
	}
	return s.sign * total[0], true
}

// walk looks for the best leaf of a tree in a box.
type walk struct {
	*finder
	box   slots.Box
	nodes []slots.Node
	gains []float64 // the largest below each node
	leaf  int32     // the best so far, −1 if none
	gain  float64
}

// visit looks below a node, for box and node have some reach.
func (w *walk) visit(i int32, reach float64) {
	for w.gains[i] > w.gain {
		n := &w.nodes[i]
		f := n.Feature
		if f < 0 {
			w.leaf, w.gain = i, w.gains[i]
			return
		}
		now := w.box[f]
		if n.Cut >= now.Hi {
			i = n.Left
			continue
		}
		if n.Cut < now.Lo {
			i = n.Right
			continue
		}
		low, high := slots.Span{Lo: now.Lo, Hi: n.Cut}, slots.Span{Lo: n.Cut + 1, Hi: now.Hi}
		if w.gains[n.Left] >= w.gains[n.Right] {
			w.enter(n.Left, f, low, now, reach)
			w.enter(n.Right, f, high, now, reach)
		} else {
			w.enter(n.Right, f, high, now, reach)
			w.enter(n.Left, f, low, now, reach)
		}
		return
	}
}

// enter visits a child, which leaves some slots of what there is now of a feature.
func (w *walk) enter(child, f int32, s, now slots.Span, reach float64) {
	if w.round {
		if reach = w.metric.Join(reach, w.gap(f, s), w.gap(f, now)); reach > w.limit {
			return
		}
	}
	w.box[f] = s
	w.visit(child, reach)
	w.box[f] = now
}

// meet intersects a box with the best leaves, in memory that the next call overwrites.
func (s *finder) meet(box slots.Box) slots.Box {
	b := append(s.meeting[:0], box...)
	s.meeting = b
	for t, leaf := range s.chosen {
		s.restrict(b, t, leaf)
	}
	return b
}

// restrict intersects a box with a leaf.
func (s *finder) restrict(b slots.Box, tree int, leaf int32) {
	nodes, parents := s.Trees[tree].Nodes, s.model.ensemble.Trees[tree].Parents
	for i := leaf; i > 0; i = parents[i] {
		n := &nodes[parents[i]]
		if now := &b[n.Feature]; n.Left == i {
			now.Hi = min(now.Hi, n.Cut)
		} else {
			now.Lo = max(now.Lo, n.Cut+1)
		}
	}
}

// torn returns a border between two of the best leaves, whose intersection with a part is a box:
// where they have no slot in common; false if they meet.
func torn(b slots.Box) (split slots.Cut, ok bool) {
	for f, s := range b {
		if s.Lo > s.Hi {
			return slots.Cut{Feature: int32(f), Slot: s.Hi}, true
		}
	}
	return split, false
}
