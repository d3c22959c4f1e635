package axistree

import (
	"bufio"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/boxtree/boxproof"
	"github.com/seed-1a7dc1f9/facet/internal/prooftext"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// Prove writes the body of a proof that no answer to a query lies nearer than a bound. It needs the
// tree alone, which is a hard vote of one; mostly no split is needed.
func Prove(
	ctx context.Context, w *bufio.Writer, t *trees.Axis, q search.Query, bound float64,
) error {
	s := New(t, q).(*treeSearch)
	borders := trees.BordersOf(t.Dim, []*trees.Axis{t})
	root, ok := boxproof.Root(borders, &prooftext.RealQuery{Query: q}, bound)
	if !ok {
		return ctx.Err()
	}
	p := proof{
		Writer:     boxproof.NewWriter(ctx, w, root),
		treeOpener: s.NewOpener().(*treeOpener),
		borders:    borders,
		limit:      bound,
	}
	for label := range t.Classes {
		if q.Reaches(label) {
			p.Label([]int{label}, func() { p.node(0, s.Roots()[0].Bound, int32(label)) })
		}
	}
	if p.wrong != nil {
		return p.wrong
	}
	return ctx.Err()
}

// proof is a proof about one tree that is being written.
type proof struct {
	*boxproof.Writer
	*treeOpener
	borders []trees.Borders
	limit   float64 // the bound
	labels  []int32 // of collect
	wrong   error
}

// node writes the tree of the inputs that reach a node, which are bounded, for a label.
func (p *proof) node(i int32, bound float64, label int32) {
	children := p.t.Children[i]
	below := func(child int32) func() {
		return func() { p.node(child, p.bounded(i, child, bound), label) }
	}
	switch {
	case p.lost(i, bound, label) || p.Over():
		p.Leaf()
	case children.Left >= 0:
		f := p.t.Feature(int(i))
		p.Divide(int32(f), p.borders[f].Rank(p.t.Border(int(i))), below(children.Left),
			below(children.Right))
	case p.t.Labels[i] != label:
		p.Leaf()
	default:
		p.wrong = fmt.Errorf("tree: leaf %d has label %d: %w", i, label, prooftext.ErrBound)
	}
}

// lost reports whether a label loses to one other in all leaves below a node that are nearer
// than the bound: to the label that all of them have or, of a tie, to a smaller one.
func (p *proof) lost(i int32, bound float64, label int32) bool {
	p.labels = p.labels[:0]
	p.collect(i, bound)
	if slices.Contains(p.labels, label) {
		return false
	}
	// of the rivals
	least, only := int32(p.q.From), len(p.labels) == 1 && int(p.labels[0]) == p.q.From
	if p.q.Target >= 0 {
		least, only = 0, len(p.labels) == 1
	}
	return len(p.labels) == 0 || only || least < label
}

// collect adds the labels of the leaves below a node that are nearer than the bound.
func (p *proof) collect(i int32, bound float64) {
	switch n := p.t.Children[i]; {
	case bound >= p.limit:
	case n.Left >= 0:
		p.collect(n.Left, p.bounded(i, n.Left, bound))
		p.collect(n.Right, p.bounded(i, n.Right, bound))
	case !slices.Contains(p.labels, p.t.Labels[i]):
		p.labels = append(p.labels, p.t.Labels[i])
	}
}

// bounded returns the bound of a child, that of its parent being known.
func (p *proof) bounded(i, child int32, bound float64) float64 {
	own, ok := p.bound(p.t.Feature(int(i)), int(child))
	if !ok {
		return math.Inf(1)
	}
	return max(bound, own)
}
