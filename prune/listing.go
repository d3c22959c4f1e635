package prune

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// blockRows is how many left vertices a worker takes at a time: few enough to
// share the work evenly, enough to make the sharing cheap.
const blockRows = 32

// blocks hands the left vertices to workers, block by block and in order, until
// all are done, one fails or more() says no. Every worker lends work a slice to
// collect neighbours in.
func blocks(left, workers int, more func() bool, work func(first, end int, found *[]int32) error) error {
	var next atomic.Int64
	var group errgroup.Group
	for range min(workers, (left+blockRows-1)/blockRows) {
		group.Go(func() error {
			var found []int32
			for more() {
				first := int(next.Add(1)-1) * blockRows
				if first >= left {
					return nil
				}
				if err := work(first, min(first+blockRows, left), &found); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return group.Wait()
}

// listConflicts returns the neighbours of every left vertex, or nil as soon as
// there are more than most in all. It takes 4 bytes of memory per edge. The lists
// do not depend on the number of workers.
func listConflicts(ctx context.Context, c *conflicts, most, workers int) ([][]int32, error) {
	lists := make([][]int32, c.Left())
	var edges atomic.Int64
	more := func() bool { return edges.Load() <= int64(most) }
	err := blocks(c.Left(), workers, more, func(first, end int, found *[]int32) error {
		err := c.fill(ctx, lists[first:end], int32(first), found)
		edges.Add(int64(len(*found)))
		return err
	})
	if err != nil {
		return nil, err
	}
	if !more() {
		return nil, nil
	}
	return lists, nil
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

// conflictRows returns the rows of the matrix of conflicts, a bit for each pair.
func conflictRows(ctx context.Context, c *conflicts, workers int) ([][]uint64, error) {
	words := (c.Right() + 63) / 64
	rows := make([][]uint64, c.Left())
	flat := make([]uint64, words*len(rows))
	always := func() bool { return true }
	err := blocks(len(rows), workers, always, func(first, end int, found *[]int32) error {
		for u := first; u < end; u++ {
			if err := ctx.Err(); err != nil {
				return finding(err)
			}
			row := flat[u*words : (u+1)*words : (u+1)*words]
			*found = c.appendNeighbours((*found)[:0], int32(u))
			for _, v := range *found {
				row[v>>6] |= 1 << (v & 63)
			}
			rows[u] = row
		}
		return nil
	})
	return rows, err
}

// finding says what was going on when the context was done.
func finding(err error) error {
	return fmt.Errorf("prune: finding conflicts: %w", err)
}
