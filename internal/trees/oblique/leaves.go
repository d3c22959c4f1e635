package oblique

import (
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/prooftext"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// view is the part of an ensemble that a proof is about: the leaves of each tree that it does not
// rule out by one test, and their tests as half-spaces.
type view struct {
	e       *trees.Ensemble[*trees.Oblique]
	q       *search.Query
	refuter *prooftext.Refuter
	leaves  [][]*reachedLeaf // of each tree
	planes  map[decision]*plane
}

// plane is one side of a test; far if it lies at the bound or beyond.
type plane struct {
	prooftext.HalfSpace
	far bool
}

// reachedLeaf is a leaf, and the decisions of its path.
type reachedLeaf struct {
	tree, node int32
	value      []float64
	path       []decision // from the root
	out        bool       // left out
}

func newView(e *trees.Ensemble[*trees.Oblique], q *search.Query, bound float64) *view {
	v := &view{
		e: e, q: q, refuter: prooftext.NewRefuter(q, bound),
		leaves: make([][]*reachedLeaf, e.Len()), planes: map[decision]*plane{},
	}
	for t, tree := range e.Trees {
		for i := range tree.Leaves() {
			if l := v.newReachedLeaf(int32(t), int32(i)); l != nil {
				v.leaves[t] = append(v.leaves[t], l)
			}
		}
	}
	return v
}

// newReachedLeaf returns a leaf, nil if one test keeps all inputs from it that are nearer than the
// bound.
func (v *view) newReachedLeaf(t, leaf int32) *reachedLeaf {
	tree := v.e.Trees[t]
	l := &reachedLeaf{tree: t, node: leaf, value: v.e.Value(int(t), int(leaf))}
	for i := leaf; i > 0; {
		parent := tree.Parents[i]
		left, split := i == tree.Children[parent].Left, tree.Split(int(parent))
		switch {
		case split.Settled() && left != split.LeftIsLow:
			return nil
		case !split.Settled():
			l.path = append(l.path, decision{test{t, parent}, left})
		}
		i = parent
	}
	slices.Reverse(l.path)
	for _, d := range l.path {
		if v.plane(d).far {
			return nil
		}
	}
	return l
}

// plane returns one side of a test.
func (v *view) plane(d decision) *plane {
	if h := v.planes[d]; h != nil {
		return h
	}
	w, t := v.e.Trees[d.tree].Split(int(d.node)).Plane(d.left)
	h := prooftext.Plane(w, t, v.q.X, "")
	h.Open = !d.left
	v.planes[d] = &plane{h, v.refuter.Far(h)}
	return v.planes[d]
}

// numbered returns the leaves by their numbers in a grid, nil for one that one test rules out.
func (v *view) numbered(g *grid) []*reachedLeaf {
	numbered := make([]*reachedLeaf, len(g.leaves))
	for t, leaves := range v.leaves {
		for _, l := range leaves {
			for i := g.first[t]; i < g.first[t+1]; i++ {
				if g.leaves[i].node == int(l.node) {
					numbered[i] = l
				}
			}
		}
	}
	return numbered
}

// left reports whether a leaf is left to its tree: not left out, and no decision at odds with
// its path.
func (p *proof) left(l *reachedLeaf) bool {
	if l == nil || l.out {
		return false
	}
	for _, d := range p.decisions {
		if d.tree == l.tree && slices.Contains(l.path, decision{d.test, !d.left}) {
			return false
		}
	}
	return true
}

// best returns, of each tree, the best of the leaves that are left for a margin, and the margin of
// those; −Inf without leaves if some tree has none left.
func (p *proof) best(margin *trees.Margin) (best []*reachedLeaf, sum float64) {
	sum = margin.Base
	for _, leaves := range p.leaves {
		var first *reachedLeaf
		for _, l := range leaves {
			if p.left(l) && (first == nil || margin.Gain(l.value) > margin.Gain(first.value)) {
				first = l
			}
		}
		if first == nil {
			return nil, math.Inf(-1)
		}
		best, sum = append(best, first), sum+margin.Gain(first.value)
	}
	return best, sum
}

// binding returns the best leaves for the margin that is farthest from being won, and whether
// some margin is lost.
func (p *proof) binding() (best []*reachedLeaf, lost bool) {
	least := math.Inf(1)
	for i := range p.margins {
		leaves, sum := p.best(&p.margins[i])
		if leaves == nil ||
			p.e.Lost(&p.margins[i], func(tree int) []float64 { return leaves[tree].value }) {
			return nil, true
		}
		if sum < least {
			best, least = leaves, sum
		}
	}
	return best, false
}

// evaluated reports whether one leaf is left to each tree, and their sums decide for another
// label.
func (p *proof) evaluated() bool {
	sum := slices.Clone(p.e.Vote.Base)
	for t, leaves := range p.leaves {
		var only *reachedLeaf
		for _, l := range leaves {
			if p.left(l) {
				if only != nil {
					return false
				}
				only = l
			}
		}
		p.e.Add(sum, t, int(only.node))
	}
	return p.e.Loses(p.margins[0].Label, sum)
}
