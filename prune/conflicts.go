package prune

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/seed-1a7dc1f9/facet/internal/matching"
	"github.com/seed-1a7dc1f9/facet/internal/rows"
)

// blockRows is how many left rows a worker takes at a time: few enough to
// share the work evenly, enough to make the sharing cheap.
const blockRows = 32

// conflicts is the graph of rows that must not both be kept. Left vertex u is
// row left[u], right vertex v is row right[v].
type conflicts struct {
	graph       matching.Graph
	left, right []int32
}

// findConflicts joins every left row to the right rows in its reach.
//
// The right rows are sorted by the column that tells most pairs apart, and each
// left row is compared with the window that this column leaves. It takes
// O(|left|·|right|·d) time at worst, less by what windows and early exits save,
// and 8 bytes of memory per edge while it runs, 4 afterwards. The graph does
// not depend on the number of workers.
func findConflicts(ctx context.Context, t *rows.Table, left, right []int32, r reach, workers int) (*conflicts, error) {
	columns := columnsByPower(t, left, right, &r)
	order := layout(columns, r.norm)
	s := &scan{
		left:  newSide(t, left, columns[0], order),
		right: newSide(t, right, columns[0], order),
		reach: r,
		start: make([]int, len(left)+1),
	}
	s.blocks = make([][]int32, (len(left)+blockRows-1)/blockRows)
	if err := s.run(ctx, workers); err != nil {
		return nil, err
	}
	return &conflicts{graph: s.graph(), left: s.left.rows, right: s.right.rows}, nil
}

// scan is the search for the conflicts. Blocks of left rows are handed to
// workers in order; whoever gets block b fills blocks[b] and the block's part
// of start, so that nothing depends on who it was.
type scan struct {
	left, right *side
	reach       reach
	start       []int     // start[u+1]: first the degree of u, in the end the graph's Start
	blocks      [][]int32 // adjacency of the block's rows, one after the other
	next        atomic.Int64
}

func (s *scan) run(ctx context.Context, workers int) error {
	var group errgroup.Group
	for range min(workers, len(s.blocks)) {
		group.Go(func() error { return s.work(ctx) })
	}
	return group.Wait()
}

// work takes blocks until none is left.
func (s *scan) work(ctx context.Context) error {
	var found []int32 // grows to the largest block and is used again
	for {
		b := int(s.next.Add(1)) - 1
		if b >= len(s.blocks) {
			return nil
		}
		found = found[:0]
		for u := b * blockRows; u < min((b+1)*blockRows, len(s.left.rows)); u++ {
			if err := ctx.Err(); err != nil {
				return fmt.Errorf("prune: finding conflicts: %w", err)
			}
			before := len(found)
			found = s.appendConflicts(found, u)
			s.start[u+1] = len(found) - before
		}
		s.blocks[b] = slices.Clone(found)
	}
}

// appendConflicts appends the right rows in reach of left row u, ascending.
func (s *scan) appendConflicts(dst []int32, u int) []int32 {
	x := s.left.row(u)
	lo, hi := s.right.window(s.left.keys[u], &s.reach)
	for v := lo; v < hi; v++ {
		if s.reach.within(x, s.right.row(v)) {
			dst = append(dst, int32(v))
		}
	}
	return dst
}

// graph puts the blocks together.
func (s *scan) graph() matching.Graph {
	for u := range s.left.rows {
		s.start[u+1] += s.start[u]
	}
	adjacent := make([]int32, 0, s.start[len(s.left.rows)])
	for b, block := range s.blocks {
		adjacent = append(adjacent, block...)
		s.blocks[b] = nil // may be collected before the next one is copied
	}
	return matching.Graph{Start: s.start, Adjacent: adjacent, Right: len(s.right.rows)}
}
