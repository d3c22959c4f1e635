package prune

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/seed-1a7dc1f9/facet/internal/bipartite"
)

// storedDegree is the number of conflicts per left vertex, on average, up to
// which they are listed: as many as are walked while a tree finds one neighbour in
// the plane, so that listing more would gain nothing even there. 100,000 left
// vertices take 100 MB.
const storedDegree = 256

// treeDim is the number of columns up to which trees tell what is near from what
// is not at a glance.
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

// blockRows is how many left vertices a worker takes at a time: few enough to
// share the work evenly, enough to make the sharing cheap.
const blockRows = 32

// errDense ends a listing of more conflicts than there may be.
var errDense = errors.New("too many conflicts to list")

// blocks hands left vertices to workers, some at a time and in order, until all are done
// or one fails. Every worker lends work a slice to collect neighbours in.
func blocks(ctx context.Context, left, atATime int, work func(first, end int, found *[]int32) error) error {
	var next atomic.Int64
	group, ctx := errgroup.WithContext(ctx)
	for range min(runtime.GOMAXPROCS(0), (left+atATime-1)/atATime) {
		group.Go(func() error {
			var found []int32
			for {
				first := int(next.Add(1)-1) * atATime
				if first >= left {
					return nil
				}
				if err := ctx.Err(); err != nil {
					return finding(err)
				}
				if err := work(first, min(first+atATime, left), &found); err != nil {
					return err
				}
			}
		})
	}
	return group.Wait()
}

// list returns the neighbours of every left vertex, or errDense as soon as there are more
// than most in all. It takes 4 bytes of memory per edge. The lists do not depend on the
// number of workers.
func (c *conflicts) list(ctx context.Context, most int) ([][]int32, error) {
	lists := make([][]int32, c.Left())
	var edges atomic.Int64
	err := blocks(ctx, c.Left(), blockRows, func(first, end int, found *[]int32) error {
		if err := c.fill(ctx, lists[first:end], int32(first), found); err != nil {
			return err
		}
		if edges.Add(int64(len(*found))) > int64(most) {
			return errDense
		}
		return nil
	})
	return lists, err
}

// fill lists the neighbours of a block of left vertices in one piece of memory, a
// copy of what it collects in found.
func (c *conflicts) fill(ctx context.Context, block [][]int32, first int32, found *[]int32) error {
	*found = (*found)[:0]
	var ends [blockRows]int
	for i := range block {
		if err := ctx.Err(); err != nil {
			return finding(err)
		}
		*found = c.appendNeighbours(*found, first+int32(i))
		ends[i] = len(*found)
	}
	kept := slices.Clone(*found)
	for i, start := 0, 0; i < len(block); i++ {
		block[i] = kept[start:ends[i]:ends[i]]
		start = ends[i]
	}
	return nil
}

// matrix returns the rows of the matrix of conflicts, a bit for each pair.
func (c *conflicts) matrix(ctx context.Context) ([][]uint64, error) {
	words := (c.Right() + 63) / 64
	rows := make([][]uint64, c.Left())
	flat := make([]uint64, words*len(rows))
	err := blocks(ctx, c.Left(), blockRows, func(first, end int, found *[]int32) error {
		for u := first; u < end; u++ {
			if err := ctx.Err(); err != nil {
				return finding(err)
			}
			rows[u] = flat[u*words : (u+1)*words : (u+1)*words]
			*found = c.appendNeighbours((*found)[:0], int32(u))
			for _, v := range *found {
				rows[u][v>>6] |= 1 << (v & 63)
			}
		}
		return nil
	})
	return rows, err
}

// finding says what was going on when the context was done.
func finding(err error) error { return fmt.Errorf("finding conflicts: %w", err) }
