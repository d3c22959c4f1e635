//go:build lpsolve

package milp

import (
	"slices"

	"github.com/draffensperger/golp"

	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// tree adds the leaves of a tree: one of them is reached, and the cuts say
// which.
func (p *program) tree(t *trees.Axis) {
	w := walk{
		program: p,
		tree:    t,
		columns: slices.Repeat([]int{-1}, t.Len()),
		lo:      make([]int, len(p.space)),
	}
	for _, a := range p.space {
		w.hi = append(w.hi, len(a.intervals)-1)
	}
	p.add(golp.EQ, 1, w.below(0)...)
	p.leaves = append(p.leaves, w.columns)
}

// walk goes through the nodes of a tree that intervals of the box reach.
type walk struct {
	*program
	tree    *trees.Axis
	columns []int
	lo, hi  []int // the intervals of each feature that reach the current node
}

// below adds the rows of node i and of those below it, and returns its leaves.
func (w *walk) below(i int) []golp.Entry {
	if w.tree.IsLeaf(i) {
		w.columns[i] = w.penalty
		w.penalty++
		return []golp.Entry{{Col: w.columns[i], Val: 1}}
	}
	children := w.tree.Children[i]
	j := w.tree.Feature(i)
	k := w.space[j].left(w.tree.Border(i))
	lo, hi := w.lo[j], w.hi[j]
	if k <= lo {
		return w.below(int(children.Right))
	}
	if k > hi {
		return w.below(int(children.Left))
	}
	w.hi[j] = k - 1
	left := w.below(int(children.Left))
	w.lo[j], w.hi[j] = k, hi
	right := w.below(int(children.Right))
	w.lo[j] = lo
	w.decide(j, k, left, right)
	return append(left, right...)
}

// decide lets the leaves on a side of cut k only be reached by points on that
// side.
func (w *walk) decide(j, k int, left, right []golp.Entry) {
	near, far := left, right
	if k <= w.space[j].home {
		near, far = right, left
	}
	c := w.cut(j, k)
	w.asked[c] += len(left) + len(right)
	w.add(golp.LE, 1, with(near, golp.Entry{Col: c, Val: 1})...)
	w.add(golp.LE, 0, with(far, golp.Entry{Col: c, Val: -1})...)
}

// with returns a copy of entries with one more.
func with(entries []golp.Entry, e golp.Entry) []golp.Entry {
	return append(entries[:len(entries):len(entries)], e)
}
