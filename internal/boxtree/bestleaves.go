package boxtree

import (
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/boxtree/grid"
)

// gainsOf returns, by tree and node, the largest gain of the leaves below.
func (m *Model) gainsOf(gain func(value []float64) float64) [][]float64 {
	all := make([][]float64, m.Len())
	for t := range all {
		nodes := m.grid.Trees[t].Nodes
		gains := make([]float64, len(nodes))
		for i := len(nodes) - 1; i >= 0; i-- { // children come after their parents
			if n := &nodes[i]; n.Feature < 0 {
				gains[i] = gain(m.Value(t, i))
			} else {
				gains[i] = max(gains[n.Left], gains[n.Right])
			}
		}
		all[t] = gains
	}
	return all
}

// choose returns the best leaf of each tree in a box, which it changes and restores; nil if a tree
// has none within the ball.
func (s *finder) choose(box grid.Box, gains [][]float64) (best []int32) {
	w := walk{finder: s, box: box}
	reach := 0.0
	if s.round {
		reach = s.Reach(&s.metric, box)
	}
	for t := range s.best {
		w.nodes, w.gains, w.leaf, w.gain = s.Trees[t].Nodes, gains[t], -1, math.Inf(-1)
		if w.visit(0, reach); w.leaf < 0 {
			return nil
		}
		s.best[t] = w.leaf
	}
	return s.best
}

// walk looks for the best leaf of a tree in a box.
type walk struct {
	*finder
	box   grid.Box
	nodes []grid.Node
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
		if n.Cut < now.Lo && !n.IsSet() {
			i = n.Right
			continue
		}
		low, high := w.Halves(n, now)
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

// enter visits a child, which leaves some of the intervals that there are now of a feature.
func (w *walk) enter(child, f int32, s, now grid.Span, reach float64) {
	if s.Lo > s.Hi {
		return
	}
	if w.round {
		if reach = w.metric.Join(reach, w.gap(f, s), w.gap(f, now)); reach > w.limit {
			return
		}
	}
	w.box[f] = s
	w.visit(child, reach)
	w.box[f] = now
}

// meet returns the intersection of the best leaves in a box. Of sets that is the run nearest to the
// center.
func (s *finder) meet(box grid.Box, best []int32) *grid.Meeting {
	m := &s.meeting
	m.Begin(box)
	for t, leaf := range best {
		nodes, parents := s.Trees[t].Nodes, s.model.Trees[t].Parents
		for i := leaf; i > 0; i = parents[i] {
			n := &nodes[parents[i]]
			m.KeepTest(s.Grid, n, n.Left == i)
		}
	}
	m.End(s.NearestIn)
	return m
}
