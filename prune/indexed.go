package prune

import (
	"context"
	"runtime"

	"github.com/seed-1a7dc1f9/facet/internal/matching"
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
func (c *conflicts) indexed(ctx context.Context) (graph, error) {
	workers := runtime.GOMAXPROCS(0)
	flat := c.left[0].tree.Dim <= treeDim
	most := storedDegree * c.Left()
	if !flat {
		most = max(most, storedAnyhow)
	}
	lists, err := listConflicts(ctx, c, most, workers)
	if err != nil {
		return nil, err
	}
	if lists != nil {
		return matching.NewLists(lists, c.count), nil
	}
	if flat || c.Left() > matrixPairs/c.Right() {
		return c, nil
	}
	return c.matrix(ctx, workers)
}

// matrix returns the graph with a bit for each pair.
func (c *conflicts) matrix(ctx context.Context, workers int) (*matching.Matrix, error) {
	rows, err := conflictRows(ctx, c, workers)
	if err != nil {
		return nil, err
	}
	return matching.NewMatrix(rows, c.count), nil
}
