package boxtree

import (
	"bufio"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/prooftext"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

var _ prooftext.Prover = (*treeSearch)(nil)

// Record implements prooftext.Prover. A proof about one tree needs nothing but the tree.
func (s *treeSearch) Record() {}

// Prove implements prooftext.Prover. The tree is a hard vote of one; mostly no split
// is needed.
func (s *treeSearch) Prove(ctx context.Context, w *bufio.Writer, bound float64) error {
	g := newGrid(s.t.Dim, []*trees.Axis{s.t})
	v := view{grid: &g, q: s.q}
	root, ok := v.within(bound)
	if !ok {
		return ctx.Err()
	}
	p := treeProof{proof: proof{ctx: ctx, w: w, box: root}, treeOpener: s.NewOpener().(*treeOpener), nodes: g.trees[0].nodes, bound: bound}
	for label := range s.t.Classes {
		if !s.q.Reaches(label) {
			continue
		}
		p.label(label)
		if err := p.node(0, s.Roots()[0].Bound, int32(label)); err != nil {
			return err
		}
		w.WriteByte('\n')
	}
	return ctx.Err()
}

// treeProof is a proof about one tree that is being written.
type treeProof struct {
	proof
	*treeOpener
	nodes  []gridNode
	bound  float64
	labels []int32 // of collect
}

// node writes the tree of the inputs that reach a node, which are bounded, for a label.
func (p *treeProof) node(i int32, bound float64, label int32) (err error) {
	n := p.nodes[i]
	switch {
	case p.lost(i, bound, label) || p.over():
		p.w.WriteByte('.')
		return nil
	case n.feature >= 0:
		below := func(child int32) func() {
			return func() {
				if e := p.node(child, p.bounded(i, child, bound), label); err == nil {
					err = e
				}
			}
		}
		p.divide(cut{n.feature, n.cut}, below(n.left), below(n.right))
		return err
	case p.t.Labels[i] != label:
		p.w.WriteByte('.')
		return nil
	}
	return fmt.Errorf("tree: leaf %d has label %d: %w", i, label, prooftext.ErrBound)
}

// lost reports whether a label loses to one other in all leaves below a node that are nearer
// than the bound: to the label that all of them have or, of a tie, to a smaller one.
func (p *treeProof) lost(i int32, bound float64, label int32) bool {
	p.labels = p.labels[:0]
	p.collect(i, bound)
	if slices.Contains(p.labels, label) {
		return false
	}
	least, only := int32(p.q.From), len(p.labels) == 1 && int(p.labels[0]) == p.q.From // of the rivals
	if p.q.Target >= 0 {
		least, only = 0, len(p.labels) == 1
	}
	return len(p.labels) == 0 || only || least < label
}

// collect adds the labels of the leaves below a node that are nearer than the bound.
func (p *treeProof) collect(i int32, bound float64) {
	switch n := p.nodes[i]; {
	case bound >= p.bound:
	case n.feature >= 0:
		p.collect(n.left, p.bounded(i, n.left, bound))
		p.collect(n.right, p.bounded(i, n.right, bound))
	case !slices.Contains(p.labels, p.t.Labels[i]):
		p.labels = append(p.labels, p.t.Labels[i])
	}
}

// bounded returns the bound of a child, that of its parent being known.
func (p *treeProof) bounded(i, child int32, bound float64) float64 {
	own, ok := p.treeOpener.bound(p.t.Feature(int(i)), int(child))
	if !ok {
		return math.Inf(1)
	}
	return max(bound, own)
}
