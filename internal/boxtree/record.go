package boxtree

import (
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/boxtree/grid"
	"github.com/seed-1a7dc1f9/facet/internal/prooftext"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// Events of nodes besides that they have been split: that a box without an answer is one that no
// proof can tell from one, and that potentials begin for a margin.
type (
	doubtful struct{}
	relaxed  struct{ margin int }
)

// piece names one half of a node: below its split or beyond it. The halves of no node are the
// whole of each target.
type piece struct {
	parent *node
	beyond bool
	target int
}

// nearer returns the nodes that were opened because they were bounded below a bound, by the
// halves that they are.
func nearer(heard *prooftext.Recording, bound float64) map[piece]*node {
	nodes := map[piece]*node{}
	for _, e := range heard.Splits {
		if p := e.State.(*node); e.Bound < bound {
			nodes[piece{p.parent, p.beyond, p.target}] = p
		}
	}
	return nodes
}

// began returns the first margin of a target that a node began potentials for; false if none.
func began(heard *prooftext.Recording, t target) (margin int, ok bool) {
	margin = t.last
	for _, e := range heard.Leaves {
		if l, ok := e.Said.(relaxed); ok && l.margin >= t.first {
			margin = min(margin, l.margin)
		}
	}
	return margin, margin < t.last
}

// evaluated reports whether a proof can tell that a box that meets one leaf of each tree
// within the ball does not answer.
func (o *opener) evaluated(b grid.Box, t target) bool {
	return !search.Enough(o.quorums, func(i int) bool {
		p, label := &o.parts[i], t.labels[i]
		margins := p.MarginsOver(label, func(rival int) bool { return !o.answers(i, rival) })
		return !loses(&p.Part.Sums, label, margins, o.sums(b, p),
			func(tree int) int { return o.leaf(b, p.Tree+tree) })
	})
}

// loses reports whether a proof can tell that a label with these margins does not win in a leaf of
// each tree, and with these sums.
func loses(
	of *trees.Sums, label int, margins []trees.Margin, sum []float64, leaf func(tree int) int,
) bool {
	value := func(tree int) []float64 { return of.Value(tree, leaf(tree)) }
	return of.Loses(label, sum) ||
		slices.ContainsFunc(margins, func(l trees.Margin) bool { return of.Lost(&l, value) })
}

// doubts reports whether a box bounded below a bound is doubtful.
func doubts(heard *prooftext.Recording, bound float64) bool {
	return slices.ContainsFunc(heard.Leaves, func(e prooftext.Event) bool {
		return e.Said == doubtful{} && e.Bound < bound
	})
}
