package climb

import (
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/boxtree/grid"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// cachedSums knows the trees that can change the margins of a target, and keeps the gain of each
// where a local search stands, since a move changes few of them. When few trees test a feature, a
// move asks these alone, and rounding adds up on the way; the caller confirms the answer. Otherwise
// it asks those that the move takes out of their leaf.
type cachedSums struct {
	*grid.View
	model   *trees.Ensemble[*trees.Axis]
	uses    *Uses
	margins []trees.Margin
	base    []float64 // by margin: the sum of the trees that cannot change it, less its slack
	live    []int32   // the trees that can
	changes []bool    // by tree: whether it is one of them
	using   [][]int32 // by feature: those of them that test it
	gains   []float64 // tree after tree, of each margin
	total   []float64 // each margin, less its slack
	// By feature and tree, unless few trees test one: where the tree keeps its leaf if only this
	// feature moves.
	spans []grid.Span
	stale bool // the cell has moved since
}

func (s *cachedSums) sparse() bool { return s.uses.sparse }

// aim chooses the margins.
func (s *cachedSums) aim(margins []trees.Margin) {
	s.margins = margins
	s.base = resize(s.base, len(margins))
	for i := range margins {
		s.base[i] = margins[i].Base - margins[i].Slack
	}
	s.changes, s.live = resize(s.changes, s.model.Len()), s.live[:0]
	for t := range s.changes {
		if s.changes[t] = slices.ContainsFunc(
			margins, func(l trees.Margin) bool { return s.uses.Changes(t, &l) },
		); s.changes[t] {
			s.live = append(s.live, int32(t))
			continue
		}
		value := s.model.Value(t, int(s.uses.leaf[t]))
		for i := range margins {
			s.base[i] += margins[i].Gain(value)
		}
	}
	s.gains = resize(s.gains, s.model.Len()*len(margins))
	if !s.sparse() {
		s.spans = resize(s.spans, s.model.Len()*len(s.At))
		return
	}
	s.total = resize(s.total, len(margins))
	s.using = resize(s.using, len(s.uses.byFeature))
	for f, all := range s.uses.byFeature {
		s.using[f] = s.using[f][:0]
		for _, t := range all {
			if s.changes[t] {
				s.using[f] = append(s.using[f], t)
			}
		}
	}
}

// idle reports whether no margin changes when a feature moves.
func (s *cachedSums) idle(f int32) bool { return s.sparse() && len(s.using[f]) == 0 }

// users returns the trees whose leaf may change when a feature moves.
func (s *cachedSums) users(f int32) []int32 { return s.using[f] }

// fill takes up all of a cell.
func (s *cachedSums) fill(cell []int32) {
	if s.stale = false; !s.sparse() {
		for _, t := range s.live {
			s.stand(cell, t)
		}
		return
	}
	copy(s.total, s.base)
	clear(s.gains)
	for _, t := range s.live {
		s.revalue(cell, t)
	}
}

// update takes up that the cell has moved in a feature.
func (s *cachedSums) update(cell []int32, f int32) {
	switch {
	case s.stale:
	case s.sparse():
		for _, t := range s.using[f] {
			s.revalue(cell, t)
		}
	default:
		spans := s.spansOf(f)
		for _, t := range s.live {
			if at := cell[f]; at < spans[t].Lo || at > spans[t].Hi {
				s.stand(cell, t)
			}
		}
	}
}

// revalue computes the gains of a tree at a cell, and adds the differences to the sums.
func (s *cachedSums) revalue(cell []int32, t int32) {
	tree := &s.Trees[t]
	value := s.model.Value(tree.Index, int(s.Leaf(tree, cell)))
	for i := range s.margins {
		gain, at := s.margins[i].Gain(value), int(t)*len(s.margins)+i
		s.total[i] += gain - s.gains[at]
		s.gains[at] = gain
	}
}

// stand computes the gains of a tree at a cell, and where they stay.
func (s *cachedSums) stand(cell []int32, t int32) {
	tree, trees := &s.Trees[t], s.model.Len()
	for at := int(t); at < len(s.spans); at += trees {
		s.spans[at] = grid.Span{Lo: 0, Hi: math.MaxInt32}
	}
	leaf := int32(0)
	for n := &tree.Nodes[0]; n.Feature >= 0; n = &tree.Nodes[leaf] {
		at, span := cell[n.Feature], &s.spans[int(n.Feature)*trees+int(t)]
		switch {
		case n.IsSet():
			*span = grid.Span{Lo: at, Hi: at}
			if leaf = n.Right; s.SetOf(n).Has(at) {
				leaf = n.Left
			}
		case at <= n.Cut:
			span.Hi, leaf = min(span.Hi, n.Cut), n.Left
		default:
			span.Lo, leaf = max(span.Lo, n.Cut+1), n.Right
		}
	}
	value := s.model.Value(tree.Index, int(leaf))
	for i := range s.margins {
		s.gains[int(t)*len(s.margins)+i] = s.margins[i].Gain(value)
	}
}

// spansOf returns by tree where it keeps its leaf if only a feature moves.
func (s *cachedSums) spansOf(f int32) []grid.Span {
	return s.spans[int(f)*s.model.Len():][:s.model.Len()]
}

// without returns a margin less the gains of the trees that test a feature.
func (s *cachedSums) without(margin int, f int32) float64 {
	sum := s.total[margin]
	for _, t := range s.using[f] {
		sum -= s.gains[int(t)*len(s.margins)+margin]
	}
	return sum
}
