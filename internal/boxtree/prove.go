package boxtree

import (
	"bufio"
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/seed-1a7dc1f9/facet/internal/boxtree/boxproof"
	"github.com/seed-1a7dc1f9/facet/internal/boxtree/grid"
	"github.com/seed-1a7dc1f9/facet/internal/prooftext"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// Prove writes the body of a proof that no answer to a query lies nearer than a bound, from the
// events of its search. A node that was opened below the bound becomes a split. Every other one is
// a leaf, even if the search opened it:
//
//   - - It was dropped because its box, or the first crossing of its margins, lies beyond a cutoff,
//     which is never less than the bound that the search proves in the end; or it waits, was shed
//     or brought an answer at a bound that is none less. Then its box is far, or lost. Gaps and
//     reaches are rounded so that no leaf is missed, and the slack of a margin exceeds that of
//     proofs.
//   - - It lies in one leaf of each tree and does not answer. Then it is evaluated, but for sums
//     within the rounding of exponentials, which no proof decides.
//
// A label whose search began potentials gets a tree with sweeps instead, which is not the tree of
// the search.
func Prove(
	ctx context.Context, w *bufio.Writer, m *Model, query search.Query, bound float64,
	heard *prooftext.Recording,
) error {
	s, err := searchOf(m, query)
	if err != nil {
		return err
	}
	q := prooftext.RealQuery{Query: query}
	if s.coding != nil { // of numbers and categories alone, or Prove is not asked
		if q, err = prooftext.Real(query); err != nil {
			return err
		}
	}
	root, ok := boxproof.Root(s.Borders, &q, bound)
	switch {
	case !ok:
		return ctx.Err()
	case doubts(heard, bound):
		return fmt.Errorf("softmax: two classes are so near each other that libraries' "+
			"exponentials may differ: %w", prooftext.ErrBound)
	}
	vacant := func(b grid.Box) bool {
		for f, span := range b {
			if q.IsCategory(f) && !(s.Gap(int32(f), span.Lo, span.Hi) < min(bound, grid.Closed)) {
				return true
			}
		}
		return false
	}
	p := proof{boxproof.NewWriter(ctx, w, root), root, nearer(heard, bound), vacant}
	if len(s.parts) > 1 {
		s.proveLabels(&p, nil)
		return ctx.Err()
	}
	for label := range s.model.Classes {
		if s.Query.Reaches(label) {
			if !s.proveLabel(&p, label, heard) && ctx.Err() == nil {
				return fmt.Errorf("%w: label %d", prooftext.ErrBound, label)
			}
		}
	}
	return ctx.Err()
}

// proveLabels writes the trees of all labels of the parts that answer, where the first ones have
// these.
func (s *boxSearch) proveLabels(p *proof, labels []int) {
	if at := len(labels); at < len(s.parts) {
		for label := range s.parts[at].Classes {
			if s.answers(at, label) {
				s.proveLabels(p, append(slices.Clip(labels), label))
			}
		}
		return
	}
	of := func(t target) bool { return slices.Equal(t.labels, labels) }
	// labels without a target are hopeless, and lost everywhere
	p.Label(labels, func() { p.below(piece{target: slices.IndexFunc(s.targets, of)}) })
}

// proveLabel writes the tree of a label; false if that cannot be proven.
func (s *boxSearch) proveLabel(p *proof, label int, heard *prooftext.Recording) bool {
	of := func(t target) bool { return t.label() == label }
	i := slices.IndexFunc(s.targets, of)
	if i >= 0 {
		t := s.targets[i]
		if margin, ok := began(heard, t); ok {
			margins := slices.Clone(s.margins[t.first:t.last])
			margins[0], margins[margin-t.first] = margins[margin-t.first], margins[0]
			return p.relaxed(grid.Forest{Sums: &s.model.Sums, Grid: s.Grid}, margins)
		}
	}
	// a label without a target is hopeless, and lost everywhere
	p.Label([]int{label}, func() { p.below(piece{target: i}) })
	return true
}

// proof is a proof that is being written.
type proof struct {
	*boxproof.Writer
	root   grid.Box
	nodes  map[piece]*node
	vacant func(b grid.Box) bool // intervals of categories have no input nearer than the bound
}

// relaxed writes the tree of a label, which has these margins, with potentials for the first.
func (p *proof) relaxed(f grid.Forest, margins []trees.Margin) bool {
	l := &margins[0]
	q := boxproof.Refutation{
		Forest: f, Root: slices.Clone(p.root), Margins: margins, Vacant: p.vacant,
		Limit: func(unit float64) (float64, bool) { return f.Limit(l, unit) },
		Evaluated: func(b grid.Box) bool {
			sum, leaves := slices.Clone(f.Vote.Base), f.LeavesIn(b)
			for t, leaf := range leaves {
				f.Add(sum, t, leaf)
			}
			return loses(f.Sums, l.Label, margins, sum, func(t int) int { return leaves[t] })
		},
	}
	return p.Answer(&q, func(bool) {
		p.Begin("label " + strconv.Itoa(l.Label) + " " + strconv.Itoa(l.Rival))
	})
}

// below writes the tree of a piece.
func (p *proof) below(h piece) {
	node := p.nodes[h]
	if node == nil || p.Over() {
		p.Leaf()
		return
	}
	low, beyond := piece{node, false, h.target}, piece{node, true, h.target}
	p.Divide(node.split.Feature, node.split.After,
		func() { p.below(low) }, func() { p.below(beyond) })
}
