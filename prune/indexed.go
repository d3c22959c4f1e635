package prune

import (
	"context"
	"errors"

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
func (c *conflicts) indexed(ctx context.Context) (graph, error) {
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
