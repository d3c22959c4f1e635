package nnindex

import (
	"cmp"
	"context"
	"fmt"
	"math"
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
// with dim columns. It takes O(n log² n) time; ids must not be empty. The error is
// the context's, wrapped.
func Build(ctx context.Context, data []float64, dim int, ids []int32) (*Tree, error) {
	t := &Tree{Dim: dim, IDs: slices.Clone(ids)}
	b := builder{Tree: t, ctx: ctx, data: data}
	t.Nodes = append(t.Nodes, Node{End: int32(len(ids))})
	if err := b.split(0); err != nil {
		return nil, err
	}
	t.points = make([]float64, 0, len(ids)*dim)
	for _, id := range t.IDs {
		if err := b.worked(dim); err != nil {
			return nil, err
		}
		t.points = append(t.points, data[int(id)*dim:(int(id)+1)*dim]...)
	}
	return t, nil
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
	data []float64
	work int     // values looked at since the context was
	ids  []int32 // scratch space of merges
}

func (b *builder) at(id int32, axis int) float64 { return b.data[int(id)*b.Dim+axis] }

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

// split bounds node i and, unless it is small or all its points are equal, halves
// it at the median of the widest side of its box.
func (b *builder) split(i int) error {
	axis, width, err := b.bound(i)
	n := b.Nodes[i]
	ids := b.IDs[n.First:n.End]
	if err != nil || len(ids) <= leafSize(b.Dim) || width == 0 {
		return err
	}
	if err := b.sort(ids, axis); err != nil {
		return err
	}
	middle := n.First + (n.End-n.First)/2
	left := len(b.Nodes)
	b.Nodes[i].Left = int32(left)
	b.Nodes = append(b.Nodes, Node{First: n.First, End: middle}, Node{First: middle, End: n.End})
	if err := b.split(left); err != nil {
		return err
	}
	return b.split(left + 1)
}

// bound computes the box of node i and returns its widest side.
func (b *builder) bound(i int) (axis int, width float64, err error) {
	if need := 2 * b.Dim * (i + 1); need > len(b.boxes) {
		b.boxes = append(b.boxes, make([]float64, need-len(b.boxes))...)
	}
	n := b.Nodes[i]
	lo, hi := b.Box(i)
	for j := range lo {
		lo[j], hi[j] = math.Inf(1), math.Inf(-1)
	}
	for _, id := range b.IDs[n.First:n.End] {
		if err := b.worked(b.Dim); err != nil {
			return 0, 0, err
		}
		for j := range lo {
			v := b.at(id, j)
			lo[j], hi[j] = min(lo[j], v), max(hi[j], v)
		}
	}
	for j := range lo {
		if w := hi[j] - lo[j]; w > width {
			axis, width = j, w
		}
	}
	return axis, width, nil
}

// run is the number of points that are sorted without a look at the context: some
// milliseconds.
const run = 1 << 15

// sort sorts points by a coordinate, those with the same by number.
func (b *builder) sort(ids []int32, axis int) error {
	compare := func(p, q int32) int {
		return cmp.Or(cmp.Compare(b.at(p, axis), b.at(q, axis)), cmp.Compare(p, q))
	}
	if len(ids) <= run {
		slices.SortFunc(ids, compare)
		return b.worked(len(ids))
	}
	middle := len(ids) / 2
	if err := b.sort(ids[:middle], axis); err != nil {
		return err
	}
	if err := b.sort(ids[middle:], axis); err != nil {
		return err
	}
	return b.merge(ids, middle, compare)
}

// merge merges the two sorted parts of ids that meet at middle.
func (b *builder) merge(ids []int32, middle int, compare func(p, q int32) int) error {
	b.ids = append(b.ids[:0], ids[:middle]...)
	left, right, to := b.ids, ids[middle:], 0
	for ; len(left) > 0 && len(right) > 0; to++ {
		if err := b.worked(1); err != nil {
			return err
		}
		if compare(left[0], right[0]) < 0 {
			ids[to], left = left[0], left[1:]
		} else {
			ids[to], right = right[0], right[1:]
		}
	}
	copy(ids[to:], left)
	return nil
}
