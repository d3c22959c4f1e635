package oblique

import (
	"bufio"
	"context"
	"fmt"
	"strconv"

	"github.com/seed-1a7dc1f9/facet/internal/prooftext"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// Prover proves the results of searches of a vote.
type Prover struct{ Model *Model }

var _ prooftext.Prover = Prover{}

// Prove implements prooftext.Prover. A node that was divided below the bound is divided in the
// proof; before that, the leaves are left out that the search has found to be far from it. Why
// any other node holds no answer nearer than the bound is found anew, with programs where counting
// votes does not show it. A proof about one tree needs the tree alone.
func (of Prover) Prove(
	ctx context.Context, w *bufio.Writer, q search.Query, bound float64,
	heard *prooftext.Recording,
) error {
	if of.Model.grid == nil {
		return of.proveTree(ctx, w, q, bound)
	}
	s := newSearch(of.Model, q)
	v := newView(of.Model.Ensemble, &q, bound)
	nodes, tests, leaf := nearer(heard, bound), s.tests(), v.numbered(s.g)
	for i, margins := range s.margins {
		p := proof{
			ctx: ctx, w: w, view: v, margins: margins, nodes: nodes, tests: tests, leaf: leaf,
		}
		p.label()
		out := p.leaveOutContradictions()
		err := p.node(half{item: int64(i)})
		if p.restore(out); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// proveTree is Prove for one tree.
func (of Prover) proveTree(
	ctx context.Context, w *bufio.Writer, q search.Query, bound float64,
) error {
	v := newView(of.Model.Ensemble, &q, bound)
	for label := range of.Model.Classes {
		if q.Reaches(label) {
			p := proof{ctx: ctx, w: w, view: v, margins: of.Model.Margins(&q, label)}
			p.label()
			if err := p.close(); err != nil {
				return err
			}
		}
	}
	return ctx.Err()
}

// Confirms implements prooftext.Prover.
func (of Prover) Confirms(z []float64) bool { return of.Model.Ensemble.Sure(z) }

// tests returns a test for each border of each direction.
func (s *voteSearch) tests() map[border]test {
	tests := map[border]test{}
	for t, tree := range s.m.Trees {
		for i := range tree.Len() {
			if split := tree.Split(i); !tree.IsLeaf(i) && !split.Settled() {
				d := s.g.tested[t][i]
				tests[border{d, s.g.borders[d].Rank(split.Border)}] = test{int32(t), int32(i)}
			}
		}
	}
	return tests
}

// proof is the proof for one label that is being written.
type proof struct {
	ctx context.Context
	w   *bufio.Writer
	*view
	margins   []trees.Margin
	decisions []decision
	terms     []prooftext.HalfSpace // the half-spaces of the decisions
	line      []byte

	// Of a search that is replayed:
	nodes map[half]*openedNode
	tests map[border]test
	leaf  []*reachedLeaf // by its number in the grid
}

// test is an inner node of a tree, decision the way that it was decided.
type test struct{ tree, node int32 }

type decision struct {
	test
	left bool
}

func (p *proof) label() {
	p.w.WriteString("label " + strconv.Itoa(p.margins[0].Label) + "\n")
}

// node writes the proof below a node of the search.
func (p *proof) node(h half) error {
	n := p.nodes[h]
	if n == nil {
		return p.close()
	}
	out := p.leaveOut(n)
	defer p.restore(out)
	t := p.tests[n.at]
	leftIsLow := p.e.Trees[t.tree].Split(int(t.node)).LeftIsLow
	return p.split(t, func(left bool) error {
		return p.node(half{n.node, h.item, left == leftIsLow})
	})
}

// split writes a split by a test, and the tree below it.
func (p *proof) split(t test, below func(left bool) error) error {
	if err := p.ctx.Err(); err != nil {
		return err
	}
	fmt.Fprintf(p.w, "s %d %d\n", t.tree, t.node)
	for _, left := range [...]bool{true, false} {
		d := decision{t, left}
		h := p.plane(d).HalfSpace
		h.Name = "@" + strconv.Itoa(len(p.decisions))
		p.decisions, p.terms = append(p.decisions, d), append(p.terms, h)
		err := below(left)
		p.decisions, p.terms = p.decisions[:len(p.decisions)-1], p.terms[:len(p.terms)-1]
		if err != nil {
			return err
		}
	}
	return nil
}

// leaveOut leaves out the leaves that the search found to be far from a node, and returns
// them.
func (p *proof) leaveOut(n *openedNode) (out []*reachedLeaf) {
	for _, c := range n.measured {
		if l := p.leaf[c.leaf]; c.bound >= p.refuter.Bound && p.left(l) &&
			p.far(l, p.refuter.Refute) {
			out = append(out, l)
		}
	}
	return out
}

// leaveOutContradictions leaves out the leaves that no input reaches, and returns them.
func (p *proof) leaveOutContradictions() (out []*reachedLeaf) {
	reached := map[*reachedLeaf]bool{}
	for _, l := range p.leaf {
		reached[l] = true
	}
	for _, leaves := range p.leaves {
		for _, l := range leaves {
			if !reached[l] && (p.far(l, p.refuter.Refute) || p.far(l, p.refuter.RefuteEmpty)) {
				out = append(out, l)
			}
		}
	}
	return out
}

// restore takes leaves back.
func (p *proof) restore(out []*reachedLeaf) {
	for _, l := range out {
		l.out = false
	}
}

// far writes that a leaf lies at the bound or beyond within the region, and leaves it out, if
// that can be proven.
func (p *proof) far(l *reachedLeaf, refute refutation) bool {
	terms := append(p.terms[:len(p.terms):len(p.terms)], p.undecided(l)...)
	used, multipliers, ok := refute(terms)
	if ok {
		p.line = fmt.Appendf(p.line[:0], "d %d %d", l.tree, l.node)
		p.write(used, multipliers)
		l.out = true
	}
	return ok
}
