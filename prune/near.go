package prune

import (
	"context"
	"math"

	"github.com/seed-1a7dc1f9/facet/prune/internal/bipartite"
)

// mostPairs is the number of pairs of points in neighbouring cells, per point on the left,
// up to which they are compared: with many more, trees take points of a ball by the box,
// and list no more conflicts than pays.
const mostPairs = 64

// listed returns the graph of the conflicts between two labels and numbers the points: first
// those on the left that have any, then those on the right, then all others. They
// are found in a grid, which takes O(n) time. There is no graph, and the points have no
// numbers, if there are too many columns or too many points near each other for that.
func (p *problem) listed(ctx context.Context) (*bipartite.Lists, error) {
	g := newGrid(p.table, p.ball)
	if g == nil {
		return nil, nil
	}
	n := &near{grid: g, ball: p.ball, dim: p.table.Dim}
	for i, side := range []**sorted{&n.left, &n.right} {
		if err := ctx.Err(); err != nil {
			return nil, finding(err)
		}
		*side = g.sort(p.table, p.members[i])
	}
	if n.pairs() > mostPairs*int64(len(n.left.row)) {
		return nil, nil
	}
	lists, err := n.list(ctx)
	if err != nil {
		return nil, err
	}
	return p.numbered(n, lists), nil
}

// near finds the conflicts between the rows of two labels.
type near struct {
	*grid
	ball        *ball
	dim         int
	left, right *sorted
}

// nearRows is how many rows a worker takes at a time.
const nearRows = 1024

// pairs counts the pairs of points in the same cell or in neighbouring ones.
func (n *near) pairs() int64 {
	var runs []run
	pairs, around := int64(0), int64(0)
	for u, cell := range n.left.cell {
		if u == 0 || cell != n.left.cell[u-1] {
			runs = n.appendAround(runs[:0], cell, n.right.starts)
			around = 0
			for _, s := range runs {
				around += int64(s.end - s.first)
			}
		}
		pairs += around
	}
	return pairs
}

// list returns the neighbours of every row on the left. Rows of the same cell come one after
// the other and look into the same runs.
func (n *near) list(ctx context.Context) ([][]int32, error) {
	return listAll(ctx, len(n.left.row), nearRows, math.MaxInt, func() finder {
		var runs []run
		around := int32(-1) // the cell whose runs these are
		return func(dst []int32, u int32) ([]int32, error) {
			if cell := n.left.cell[u]; cell != around {
				runs, around = n.appendAround(runs[:0], cell, n.right.starts), cell
			}
			return n.appendWithin(dst, n.left.points[int(u)*n.dim:][:n.dim], runs), nil
		}
	})
}

// appendWithin appends the points of the runs that are in the ball around q.
func (n *near) appendWithin(dst []int32, q []float64, runs []run) []int32 {
	for _, s := range runs {
		for v := s.first; v < s.end; v++ {
			if n.ball.within(q, n.right.points[int(v)*n.dim:][:n.dim]) {
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
