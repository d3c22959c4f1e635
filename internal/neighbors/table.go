package neighbors

import (
	"context"
	"fmt"
	"math"
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/internal/nnindex"
	"github.com/seed-1a7dc1f9/facet/internal/rows"
	"github.com/seed-1a7dc1f9/facet/internal/search"
)

// Table is the labelled rows of a nearest-neighbour classifier, in a k-d tree per
// class. Its fields are not to be changed; it may be used by many goroutines.
type Table struct {
	Dim     int
	Classes int     // the largest label plus one
	Labels  []int32 // of each row
	Trees   Trees   // by label, nil for a label without rows

	position []int32 // of each row within the tree of its class
	margin   int     // by how many votes a label must lead a smaller one, to win
	pool     sync.Pool
}

// New copies the n rows of x, with labels y, in O(n·(d + log² n)) time. Errors wrap
// those of package rows, or that of the context.
func New(ctx context.Context, x mat.Matrix, y []int) (*Table, error) {
	data, classes, err := rows.Labelled(ctx, x, y)
	if err != nil {
		return nil, err
	}
	t := &Table{
		Dim: data.Dim, Classes: classes,
		Labels: make([]int32, data.Len), Trees: make(Trees, classes),
		position: make([]int32, data.Len), margin: 1,
	}
	t.pool.New = func() any {
		return &scratch{
			votes: make([]int, t.Classes),
			z:     make([]float64, t.Dim),
			a:     make([]float64, t.Dim),
		}
	}
	members := make([][]int32, classes)
	for i, label := range y {
		t.Labels[i] = int32(label)
		members[label] = append(members[label], int32(i))
	}
	for label, ids := range members {
		if len(ids) == 0 {
			continue
		}
		tree, err := nnindex.Build(ctx, data.Data, data.Dim, ids)
		if err != nil {
			return nil, fmt.Errorf("label %d: %w", label, err)
		}
		t.Trees[label] = tree
		for p, id := range tree.IDs {
			t.position[id] = int32(p)
		}
	}
	return t, nil
}

// Len returns the number of rows.
func (t *Table) Len() int { return len(t.Labels) }

// Row returns a row. It must not be changed.
func (t *Table) Row(id int32) []float64 {
	return t.Trees[t.Labels[id]].Point(int(t.position[id]))
}

// Count returns how many rows hold a label.
func (t *Table) Count(label int) int {
	if tree := t.Trees[label]; tree != nil {
		return len(tree.IDs)
	}
	return 0
}

// SupportAndRivals returns the trees of the labels that answer a query, and of the others, its
// rivals.
func (t *Table) SupportAndRivals(q search.Query) (own, rivals Trees) {
	answering := 0
	for label, tree := range t.Trees {
		if tree != nil && q.Reaches(label) {
			answering++
		}
	}
	both := make(Trees, len(t.Trees))
	own, rivals = both[:0:answering], both[answering:answering]
	for label, tree := range t.Trees {
		switch {
		case tree == nil:
		case q.Reaches(label):
			own = append(own, tree)
		default:
			rivals = append(rivals, tree)
		}
	}
	return own, rivals
}

// Vote returns the label that most of the k rows nearest to x hold, the smaller one of
// a tie; of a table that Share made, 1 where enough hold label 1. Equally near rows are taken in
// their order.
func (t *Table) Vote(x []float64, k int) int {
	s := t.scratch()
	defer t.pool.Put(s)
	clear(s.votes)
	for _, n := range t.nearest(s, x, k) {
		s.votes[t.Labels[n.ID]]++
	}
	return t.winner(s.votes)
}

// VoteOf is Vote for rows that are known.
func (t *Table) VoteOf(members []int32) int {
	s := t.scratch()
	defer t.pool.Put(s)
	clear(s.votes)
	for _, id := range members {
		s.votes[t.Labels[id]]++
	}
	return t.winner(s.votes)
}

// winner returns the label with the most votes, the smaller one of a tie, or, of a table that Share
// made, the label by its own rule.
func (t *Table) winner(votes []int) int {
	winner := 0
	for label, n := range votes {
		if n-votes[winner] >= t.winningMargin(winner, label) {
			winner = label
		}
	}
	return winner
}

// nearest returns the k nearest rows, in no particular order.
func (t *Table) nearest(s *scratch, x []float64, k int) []nnindex.Neighbor {
	s.nearest.Reset(k, math.Inf(1))
	t.Trees.Nearest(x, &s.nearest)
	return s.nearest.All()
}

// scratch is the memory of one question, kept in the pool of a table.
type scratch struct {
	nearest nnindex.Nearest
	votes   []int
	z, a    []float64
}

func (t *Table) scratch() *scratch { return t.pool.Get().(*scratch) }
