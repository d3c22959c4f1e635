package classifier

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/internal/nnindex"
)

// WeightedKNNOptions are the parameters of distance-weighted nearest neighbours.
type WeightedKNNOptions struct {
	K int // neighbours that vote; 0 means 1
}

// WeightedKNN is the classifier of k nearest neighbours whose votes weigh the
// inverse of their Euclidean distance (Dudani, "The distance-weighted
// k-nearest-neighbor rule", 1976; scikit-learn's weights="distance"). Where some
// of the k neighbours are at distance 0 these alone vote, with weight 1. Equally
// near rows are taken in the order of their rows, equal sums go to the smaller
// label. Weights are added up in float64, nearest first.
//
// It is not constant on the cells of an order-k Voronoi diagram, nor on finitely
// many convex cells of any other kind, so it is no Decomposable. Its Search
// bounds the vote on boxes instead: see Search for what that proves.
type WeightedKNN struct {
	rows    *KNN
	groups  []coincident
	groupOf []int32   // of each training row
	pool    sync.Pool // *weightedScratch
}

// coincident are the training rows at one place, ascending.
type coincident []int32

var (
	_ Searcher = (*WeightedKNN)(nil)
	_ Trainer  = WeightedKNNOptions{}
)

// NewWeightedKNN lays out the n rows of x, with labels y. Labels count from 0;
// Classes is the largest plus one. It takes O(n·log n·(d + log n)) time and keeps
// a copy of the rows. Errors are those of NewKNN.
func NewWeightedKNN(x mat.Matrix, y []int, opts WeightedKNNOptions) (*WeightedKNN, error) {
	return opts.fit(context.Background(), x, y)
}

// Train is NewWeightedKNN as a Trainer.
func (o WeightedKNNOptions) Train(ctx context.Context, x mat.Matrix, y []int) (Classifier, error) {
	c, err := o.fit(ctx, x, y)
	if err != nil {
		return nil, err
	}
	return c, nil
}

func (o WeightedKNNOptions) fit(ctx context.Context, x mat.Matrix, y []int) (*WeightedKNN, error) {
	uniform, err := KNNOptions(o).fit(ctx, x, y)
	if err != nil {
		return nil, err
	}
	c := &WeightedKNN{rows: uniform}
	c.gather()
	return c, nil
}

// gather finds the rows that coincide.
func (c *WeightedKNN) gather() {
	c.groups, c.groupOf = groupRows(c.Len(), func(i, j int32) int {
		p := c.rows.table.Row(i)
		q := c.rows.table.Row(j)
		return slices.Compare(p, q)
	})
}

// groupRows groups the rows that compare as equal.
func groupRows(n int, compare func(i, j int32) int) (groups []coincident, groupOf []int32) {
	order := make([]int32, n)
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(i, j int32) int { return cmp.Or(compare(i, j), cmp.Compare(i, j)) })
	groupOf = make([]int32, n)
	for first := 0; first < n; {
		end := first
		for ; end < n && compare(order[first], order[end]) == 0; end++ {
			groupOf[order[end]] = int32(len(groups))
		}
		groups = append(groups, coincident(order[first:end:end]))
		first = end
	}
	return groups, groupOf
}

// K returns the number of neighbours that vote.
func (c *WeightedKNN) K() int { return c.rows.k }

// Dim returns the number of coordinates.
func (c *WeightedKNN) Dim() int { return c.rows.table.Dim }

// Classes returns the largest training label plus one.
func (c *WeightedKNN) Classes() int { return c.rows.table.Classes }

// Len returns the number of training rows.
func (c *WeightedKNN) Len() int { return c.rows.Len() }

// Row returns training row i and its label. The row must not be changed.
func (c *WeightedKNN) Row(i int) (x []float64, label int) { return c.rows.Row(i) }

// Predict returns the label of x.
func (c *WeightedKNN) Predict(x []float64) int {
	s, ok := c.pool.Get().(*weightedScratch)
	if !ok {
		s = &weightedScratch{sums: make([]float64, c.Classes())}
	}
	defer c.pool.Put(s)
	s.nearest.Reset(c.K(), math.Inf(1))
	c.rows.table.Trees.Nearest(x, &s.nearest)
	members := s.nearest.All()
	slices.SortFunc(members, nnindex.Neighbor.Compare)
	return c.heaviest(s.sums, members)
}

// weightedScratch is the memory of one prediction.
type weightedScratch struct {
	nearest nnindex.Nearest
	sums    []float64 // by label
}

// heaviest returns the label with the largest sum of weights, the smaller one of
// a tie. members come nearest first.
func (c *WeightedKNN) heaviest(sums []float64, members []nnindex.Neighbor) int {
	clear(sums)
	for _, m := range members {
		weight := 1.0
		if members[0].Squared > 0 {
			weight = 1 / math.Sqrt(m.Squared)
		} else if m.Squared > 0 {
			break
		}
		sums[c.rows.table.Labels[m.ID]] += weight
	}
	best := 0
	for label, sum := range sums {
		if sum > sums[best] {
			best = label
		}
	}
	return best
}
