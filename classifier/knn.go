package classifier

import (
	"context"
	"fmt"
	"math"
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/internal/nnindex"
	"github.com/seed-1a7dc1f9/facet/internal/rows"
)

// KNNOptions are the parameters of k-nearest neighbours.
type KNNOptions struct {
	K int // neighbours that vote; 0 means 1
}

// KNN is the k-nearest-neighbours classifier: the label held by most of the k
// training points nearest to x in Euclidean distance. Equally near points are
// taken in the order of their rows, equal votes go to the smaller label. Squared
// distances are summed in float64, in a fixed order.
//
// Prediction descends a k-d tree per class; its answers are those of a scan.
type KNN struct {
	k, dim, classes int
	labels          []int32         // of each training row
	position        []int32         // of each training row within the tree of its class
	trees           []*nnindex.Tree // by label, nil for a label without rows
	pool            sync.Pool       // *knnScratch
}

var (
	_ Decomposable = (*KNN)(nil)
	_ Locator      = (*KNN)(nil)
	_ Searcher     = (*KNN)(nil)
	_ Trainer      = KNNOptions{}
)

// NewKNN lays out the n rows of x, with labels y, for k-nearest neighbours.
// Labels count from 0; Classes is the largest plus one. It takes O(n·(d + log²
// n)) time and keeps a copy of the rows.
//
// Errors wrap ErrEmpty, ErrSize, ErrValue, ErrLength, ErrLabel, and ErrOption
// when k lies outside 1..n.
func NewKNN(x mat.Matrix, y []int, opts KNNOptions) (*KNN, error) {
	return opts.fit(context.Background(), x, y)
}

// Train is NewKNN as a Trainer.
func (o KNNOptions) Train(ctx context.Context, x mat.Matrix, y []int) (Classifier, error) {
	c, err := o.fit(ctx, x, y)
	if err != nil {
		return nil, err
	}
	return c, nil
}

func (o KNNOptions) fit(ctx context.Context, x mat.Matrix, y []int) (*KNN, error) {
	table, classes, err := rows.Labelled(ctx, x, y)
	if err != nil {
		return nil, fmt.Errorf("classifier: k-NN: %w", err)
	}
	k := o.K
	if k == 0 {
		k = 1
	}
	if k < 1 || k > table.Len {
		return nil, fmt.Errorf("classifier: k-NN: k = %d with %d rows: %w", o.K, table.Len, ErrOption)
	}
	c := &KNN{
		k: k, dim: table.Dim, classes: classes,
		labels:   make([]int32, table.Len),
		position: make([]int32, table.Len),
		trees:    make([]*nnindex.Tree, classes),
	}
	members := make([][]int32, classes)
	for i, label := range y {
		c.labels[i] = int32(label)
		members[label] = append(members[label], int32(i))
	}
	for label, ids := range members {
		if len(ids) == 0 {
			continue
		}
		t, err := nnindex.Build(ctx, table.Data, table.Dim, ids)
		if err != nil {
			return nil, fmt.Errorf("classifier: k-NN: %w", err)
		}
		c.trees[label] = t
		for p, id := range t.IDs {
			c.position[id] = int32(p)
		}
	}
	return c, nil
}

// K returns the number of neighbours that vote.
func (c *KNN) K() int { return c.k }

// Dim returns the number of coordinates.
func (c *KNN) Dim() int { return c.dim }

// Classes returns the largest training label plus one.
func (c *KNN) Classes() int { return c.classes }

// Len returns the number of training rows.
func (c *KNN) Len() int { return len(c.labels) }

// Row returns training row i and its label. The row must not be changed.
func (c *KNN) Row(i int) (x []float64, label int) {
	l := c.labels[i]
	return c.trees[l].Point(int(c.position[i])), int(l)
}

// knnScratch is the memory of one query.
type knnScratch struct {
	nearest nnindex.Nearest
	votes   []int
	z, a    []float64
	zero    []float64
}

func (c *KNN) scratch() *knnScratch {
	if s, ok := c.pool.Get().(*knnScratch); ok {
		return s
	}
	return &knnScratch{
		votes: make([]int, c.classes),
		z:     make([]float64, c.dim), a: make([]float64, c.dim), zero: make([]float64, c.dim),
	}
}

// Predict returns the label of x.
func (c *KNN) Predict(x []float64) int {
	s := c.scratch()
	defer c.pool.Put(s)
	return c.vote(s, c.neighbors(s, x))
}

// neighbors returns the k nearest training rows, in no particular order.
func (c *KNN) neighbors(s *knnScratch, x []float64) []nnindex.Neighbor {
	s.nearest.Reset(c.k, math.Inf(1))
	for _, t := range c.trees {
		if t != nil {
			t.Nearest(x, &s.nearest)
		}
	}
	return s.nearest.All()
}

// vote returns the label most of the rows hold, the smaller one of a tie.
func (c *KNN) vote(s *knnScratch, members []nnindex.Neighbor) int {
	clear(s.votes)
	for _, m := range members {
		s.votes[c.labels[m.ID]]++
	}
	best := 0
	for label, n := range s.votes {
		if n > s.votes[best] {
			best = label
		}
	}
	return best
}
