package prune

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"

	"github.com/seed-1a7dc1f9/facet/internal/bipartite"
)

// crowded is the number of pairs of points in neighbouring cells, per point on the left,
// up to which they are compared: from there on, trees tell what is near without
// looking at every point.
const crowded = 256

// listed returns the graph of the conflicts between two labels and numbers the points: first
// those on the left that have any, then those on the right, then all others. They
// are found in a grid, which takes O(n) time. There is no graph, and the points have no
// numbers, if there are too many columns or too many points near each other for that.
func (p *problem) listed(ctx context.Context) (*bipartite.Lists, error) {
	g := newGrid(p.table, p.reach)
	if g == nil {
		return nil, nil
	}
	n := &near{grid: g, reach: p.reach, dim: p.table.Dim}
	for i, side := range []**sorted{&n.left, &n.right} {
		if err := ctx.Err(); err != nil {
			return nil, finding(err)
		}
		*side = g.sort(p.table, p.members[i])
	}
	lists, err := n.list(ctx)
	switch {
	case errors.Is(err, errDense):
		return nil, nil
	case err != nil:
		return nil, err
	}
	return p.numbered(n, lists), nil
}

// near finds the conflicts between the rows of two labels.
type near struct {
	*grid
	reach       *reach
	dim         int
	left, right *sorted
}

// nearRows is how many rows a worker takes at a time.
const nearRows = 1024

// list returns the neighbours of every row on the left, or errDense if too many are compared.
// The lists do not depend on the number of workers.
func (n *near) list(ctx context.Context) ([][]int32, error) {
	lists := make([][]int32, len(n.left.row))
	most := crowded * int64(len(lists))
	var compared atomic.Int64
	err := blocks(ctx, len(lists), nearRows, func(first, end int, found *[]int32) error {
		pairs, ok := n.fill(lists[first:end], first, found, most)
		if !ok || compared.Add(pairs) > most {
			return errDense
		}
		return nil
	})
	return lists, err
}

// fill lists the neighbours of a block of rows in one piece of memory, a copy of what it
// collects in found, and returns how many pairs it compared. It ends early with more than most.
func (n *near) fill(block [][]int32, first int, found *[]int32, most int64) (pairs int64, ok bool) {
	*found = (*found)[:0]
	var ends [nearRows]int
	var spans []span
	candidates, cell := int64(0), int32(-1)
	for i := range block {
		u := first + i
		if n.left.cell[u] != cell {
			cell = n.left.cell[u]
			spans = n.appendAround(spans[:0], cell, n.right.starts)
			candidates = 0
			for _, s := range spans {
				candidates += int64(s.end - s.first)
			}
		}
		if pairs += candidates; pairs > most {
			return pairs, false
		}
		*found = n.appendWithin(*found, n.left.points[u*n.dim:][:n.dim], spans)
		ends[i] = len(*found)
	}
	kept := slices.Clone(*found)
	for i, start := 0, 0; i < len(block); i++ {
		block[i] = kept[start:ends[i]:ends[i]]
		start = ends[i]
	}
	return pairs, true
}

// appendWithin appends the points of the spans that are within reach of q.
func (n *near) appendWithin(dst []int32, q []float64, spans []span) []int32 {
	for _, s := range spans {
		for v := s.first; v < s.end; v++ {
			if n.reach.within(q, n.right.points[int(v)*n.dim:][:n.dim]) {
				dst = append(dst, v)
			}
		}
	}
	return dst
}

// numbered leaves out the points without conflicts.
func (p *problem) numbered(n *near, lists [][]int32) *bipartite.Lists {
	var apart []int32
	left := lists[:0]
	p.row = make([]int32, 0, len(n.left.row)+len(n.right.row))
	number := make([]int32, len(n.right.row)) // of those with conflicts; until it is known, 1
	for u, neighbours := range lists {
		if len(neighbours) == 0 {
			apart = append(apart, n.left.row[u])
			continue
		}
		left = append(left, neighbours)
		p.row = append(p.row, n.left.row[u])
		for _, v := range neighbours {
			number[v] = 1
		}
	}
	right := int32(0)
	for v, row := range n.right.row {
		if number[v] == 0 {
			apart = append(apart, row)
			continue
		}
		number[v] = right
		right++
		p.row = append(p.row, row)
	}
	for _, neighbours := range left {
		for i, v := range neighbours {
			neighbours[i] = number[v]
		}
	}
	p.row = append(p.row, apart...)
	return bipartite.NewLists(left, int(right))
}
