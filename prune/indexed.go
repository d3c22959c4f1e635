package prune

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/seed-1a7dc1f9/facet/internal/rows"
	"github.com/seed-1a7dc1f9/facet/prune/internal/bipartite"
)

// storedDegree is the number of conflicts per left vertex, on average, up to
// which they are listed: as many as are walked while a tree finds one neighbour in
// the plane, so that listing more would not be faster even there. 100,000 left vertices take 100
// MB.
const storedDegree = 256

// treeDim is the number of columns up to which trees tell near rows from far
// ones at a glance.
const treeDim = 6

// storedAnyhow is the number of conflicts, 16 MiB of them, up to which they are
// listed where trees are of little use.
const storedAnyhow = 1 << 22

// matrixPairs is the number of pairs up to which each gets a bit: 64 MiB.
const matrixPairs = 1 << 29

// indexed returns the graph in the form that is searched fastest: the lists of its
// edges if these are few; else a matrix of bits if the vertices are few and trees of
// little use; else c itself, which looks edges up in trees.
func (c *conflicts) indexed(ctx context.Context) (bipartite.Graph, error) {
	flat := c.left[0].tree.Dim <= treeDim
	most := storedDegree * c.Left()
	if !flat {
		most = max(most, storedAnyhow)
	}
	lists, err := c.list(ctx, most)
	switch {
	case err == nil:
		return bipartite.NewLists(lists, c.count), nil
	case !errors.Is(err, errDense):
		return nil, err
	case flat || c.Left() > matrixPairs/c.Right():
		return c, nil
	}
	rows, err := c.matrix(ctx)
	if err != nil {
		return nil, err
	}
	return bipartite.NewMatrix(rows, c.count), nil
}

// treeRows is how many left vertices a worker takes at a time where trees are asked: few
// enough to share the work evenly, enough to make the sharing cheap.
const treeRows = 32

// errDense ends a listing of more conflicts than there may be.
var errDense = errors.New("too many conflicts to list")

// blocks hands left vertices to workers, some at a time and in order, until all are done
// or one fails. Every worker makes its own work from begin.
func blocks(
	ctx context.Context, left, atATime int, begin func() func(first, end int) error,
) error {
	err := rows.EachOwn(ctx, 0, (left+atATime-1)/atATime, func() func(int) error {
		work := begin()
		return func(i int) error { return work(i*atATime, min((i+1)*atATime, left)) }
	})
	if err == nil && ctx.Err() != nil {
		err = finding(ctx.Err())
	}
	return err
}

// finder appends the right vertices that left vertex u is joined to, ascending.
type finder func(dst []int32, u int32) ([]int32, error)

// listAll returns the neighbours of every left vertex, or errDense as soon as there are more
// than most in all. Every worker makes its own finder from begin. It takes 4 bytes of memory
// per edge. The lists do not depend on the number of workers.
func listAll(
	ctx context.Context, left, atATime, most int, begin func() finder,
) ([][]int32, error) {
	lists := make([][]int32, left)
	var edges atomic.Int64
	err := blocks(ctx, left, atATime, func() func(first, end int) error {
		find := begin()
		var found []int32
		ends := make([]int, min(atATime, left))
		return func(first, end int) (err error) {
			found = found[:0]
			for u := first; u < end; u++ {
				if found, err = find(found, int32(u)); err != nil {
					return err
				}
				ends[u-first] = len(found)
			}
			if edges.Add(int64(len(found))) > int64(most) {
				return errDense
			}
			cut(lists[first:end], slices.Clone(found), ends)
			return nil
		}
	})
	return lists, err
}

// cut makes lists of one piece of memory, each of which ends at one of ends.
func cut(lists [][]int32, flat []int32, ends []int) {
	start := 0
	for i := range lists {
		lists[i] = flat[start:ends[i]:ends[i]]
		start = ends[i]
	}
}

// list returns the neighbours of every left vertex, or errDense.
func (c *conflicts) list(ctx context.Context, most int) ([][]int32, error) {
	return listAll(ctx, c.Left(), treeRows, most, func() finder {
		return func(dst []int32, u int32) ([]int32, error) {
			if err := ctx.Err(); err != nil { // a query may take long
				return dst, finding(err)
			}
			return c.appendNeighbours(dst, u), nil
		}
	})
}

// matrix returns the rows of the matrix of conflicts, a bit for each pair.
func (c *conflicts) matrix(ctx context.Context) ([][]uint64, error) {
	words := (c.Right() + 63) / 64
	rows := make([][]uint64, c.Left())
	flat := make([]uint64, words*len(rows))
	err := blocks(ctx, c.Left(), treeRows, func() func(first, end int) error {
		var found []int32
		return func(first, end int) error {
			for u := first; u < end; u++ {
				if err := ctx.Err(); err != nil {
					return finding(err)
				}
				rows[u] = flat[u*words : (u+1)*words : (u+1)*words]
				found = c.appendNeighbours(found[:0], int32(u))
				for _, v := range found {
					rows[u][v>>6] |= 1 << (v & 63)
				}
			}
			return nil
		}
	})
	return rows, err
}

// finding says that conflicts were looked for when the context ended.
func finding(err error) error { return fmt.Errorf("finding conflicts: %w", err) }
