package nnindex

import (
	"context"
	"fmt"
	"slices"
)

// leafSize returns the number of points below which a scan beats a descent.
func leafSize(dim int) int {
	if dim < short {
		return 16
	}
	return 32
}

// Tree is an immutable k-d tree, safe for concurrent use.
type Tree struct {
	Dim    int
	Nodes  []Node
	IDs    []int32   // the caller's number of each point, in the order of Points
	points []float64 // flat, row-major, leaf after leaf
	boxes  []float64 // of node i: Dim lower ends, then Dim upper ends, at 2·Dim·i
}

// Node covers the points First ≤ i < End. Node 0 is the root. Left is the index
// of the left child and Left+1 that of the right; 0 marks a leaf.
type Node struct {
	First, End, Left int32
}

// Build returns the tree of the rows ids of data, which is flat and row-major
// with dim columns. It takes O(dim·n log n) time on average; ids must not be empty. The error is
// the context's, wrapped.
func Build(ctx context.Context, data []float64, dim int, ids []int32) (*Tree, error) {
	t := &Tree{Dim: dim, IDs: slices.Clone(ids), points: make([]float64, 0, len(ids)*dim)}
	b := builder{Tree: t, ctx: ctx, keys: make([]key, 0, len(ids))}
	for _, id := range ids {
		if err := b.worked(dim); err != nil {
			return nil, err
		}
		t.points = append(t.points, data[int(id)*dim:(int(id)+1)*dim]...)
	}
	count := nodesOf(len(ids), leafSize(dim))
	t.Nodes = append(make([]Node, 0, count), Node{End: int32(len(ids))})
	t.boxes = make([]float64, 0, 2*dim*count)
	if err := b.split(0, none); err != nil {
		return nil, err
	}
	if len(t.Nodes) < count { // many points are equal
		t.Nodes, t.boxes = slices.Clone(t.Nodes), slices.Clone(t.boxes)
	}
	return t, nil
}

// nodesOf returns how many nodes n points have at most. Those of a level have one of two sizes,
// which differ by one.
func nodesOf(n, leaf int) int {
	smaller, larger, count := 1, 0, 1 // nodes of n points, of n+1, and all so far
	for ; n > leaf; n /= 2 {
		count += 2 * (smaller + larger)
		if n%2 == 0 {
			smaller += smaller + larger
		} else {
			larger += larger + smaller
		}
	}
	if n == leaf {
		count += 2 * larger
	}
	return count
}

// Point returns the i-th point of the tree's own order; it must not be changed.
func (t *Tree) Point(i int) []float64 { return t.points[i*t.Dim : (i+1)*t.Dim : (i+1)*t.Dim] }

// Box returns the lower and upper ends of the bounding box of a node.
func (t *Tree) Box(node int) (lo, hi []float64) {
	b := t.boxes[2*t.Dim*node : 2*t.Dim*(node+1)]
	return b[:t.Dim], b[t.Dim:]
}

// patience is how many values are looked at between two looks at the context: some
// milliseconds, even where each is a miss of the cache.
const patience = 1 << 18

type builder struct {
	*Tree
	ctx  context.Context
	work int   // values looked at since the context was
	keys []key // scratch space of halving
}

// none is the axis above the root, whose points stay in the caller's order.
const none = -1

// worked counts values that were looked at.
func (b *builder) worked(values int) error {
	if b.work += values; b.work < patience {
		return nil
	}
	b.work = 0
	if err := b.ctx.Err(); err != nil {
		return fmt.Errorf("building a tree: %w", err)
	}
	return nil
}

// split bounds node i and halves it at the median of the widest side of its box, unless it is
// small or all its points are equal. Those of such a leaf are put in the order along the axis of
// the node above.
func (b *builder) split(i, above int) error {
	axis, width, err := b.bound(i)
	n := b.Nodes[i]
	if err != nil {
		return err
	}
	if int(n.End-n.First) <= leafSize(b.Dim) || width == 0 {
		return b.order(n, above)
	}
	middle := n.First + (n.End-n.First)/2
	if err := b.halve(n, int(middle-n.First), axis); err != nil {
		return err
	}
	left := len(b.Nodes)
	b.Nodes[i].Left = int32(left)
	b.Nodes = append(b.Nodes, Node{First: n.First, End: middle}, Node{First: middle, End: n.End})
	if err := b.split(left, axis); err != nil {
		return err
	}
	return b.split(left+1, axis)
}

// bound computes the box of node i and returns its widest side.
func (b *builder) bound(i int) (axis int, width float64, err error) {
	if need := 2 * b.Dim * (i + 1); need > len(b.boxes) {
		b.boxes = b.boxes[:need]
	}
	n := b.Nodes[i]
	lo, hi := b.Box(i)
	copy(lo, b.Point(int(n.First)))
	copy(hi, lo)
	for rows := b.Points(n); len(rows) > 0; {
		some := min(len(rows), max(1, inCache/b.Dim)*b.Dim)
		if err := b.worked(some); err != nil {
			return 0, 0, err
		}
		widenRows(lo, hi, rows[:some])
		rows = rows[some:]
	}
	for j := range lo {
		if w := hi[j] - lo[j]; w > width {
			axis, width = j, w
		}
	}
	return axis, width, nil
}

// inCache is how many values are looked at several times in turn.
const inCache = 1 << 11

// widenEach is widenRows in Go.
func widenEach(lo, hi, rows []float64) {
	for ; len(rows) > 0; rows = rows[len(lo):] {
		widen(lo, hi, rows[:len(lo)])
	}
}

// widen makes a box hold a point.
func widen(lo, hi, point []float64) {
	lo, hi = lo[:len(point)], hi[:len(point)]
	for j, v := range point {
		if v < lo[j] {
			lo[j] = v
		}
		if v > hi[j] {
			hi[j] = v
		}
	}
}
