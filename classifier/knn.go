package classifier

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/neighbors"
	"github.com/seed-1a7dc1f9/facet/internal/neighbors/nearest"
	"github.com/seed-1a7dc1f9/facet/internal/neighbors/orderk"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/polytope"
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
	labels
	k     int
	table *neighbors.Table
}

var (
	_ Decomposable = (*KNN)(nil)
	_ locator      = (*KNN)(nil)
	_ engine       = (*KNN)(nil)
)

// TrainKNN lays out the n rows of x, with labels y, for k-nearest neighbours.
// Labels count from 0; Classes is the largest plus one. It takes O(n·(d + log²
// n)) time and keeps a copy of the rows.
//
// Errors are those that labelled rows can have, and wrap ErrOption when k lies outside 1..n, or
// the context's error.
func TrainKNN(ctx context.Context, x mat.Matrix, y []int, opts KNNOptions) (*KNN, error) {
	table, err := neighbors.New(ctx, x, y)
	if err != nil {
		return nil, fmt.Errorf("classifier: k-NN: %w", err)
	}
	k := cmp.Or(opts.K, 1)
	if k < 1 || k > table.Len() {
		return nil, fmt.Errorf("classifier: k-NN: k = %d with %d rows: %w",
			opts.K, table.Len(), ErrOption)
	}
	return &KNN{k: k, table: table}, nil
}

// K returns the number of neighbours that vote.
func (c *KNN) K() int { return c.k }

// Dim returns the number of coordinates.
func (c *KNN) Dim() int { return c.table.Dim }

// Classes returns the largest training label plus one.
func (c *KNN) Classes() int { return c.table.Classes }

// Len returns the number of training rows.
func (c *KNN) Len() int { return c.table.Len() }

// Row returns training row i and its label. The row must not be changed.
func (c *KNN) Row(i int) (x []float64, label int) {
	return c.table.Row(int32(i)), int(c.table.Labels[i])
}

// Predict returns the label of x.
func (c *KNN) Predict(x []float64) int { return c.table.Vote(x, c.k) }

// Cells lists the order-k Voronoi cells in lexicographic order of their sets of
// rows: for each set of k rows, the points whose k nearest neighbours they are.
// There are C(n,k) sets; those that cannot be the nearest anywhere, because they
// hold a later of two equal rows and not the earlier, are left out.
func (c *KNN) Cells() iter.Seq[Cell] {
	return func(yield func(Cell) bool) {
		for cell := range c.table.Cells(c.k) {
			if !yield(orderCell(cell)) {
				return
			}
		}
	}
}

// CellAt returns the order-k Voronoi cell around x.
func (c *KNN) CellAt(x []float64) (Cell, error) {
	if err := geometry.CheckPoint(x, c.Dim()); err != nil {
		return Cell{}, err
	}
	return orderCell(c.table.CellAt(x, c.k)), nil
}

func orderCell(cell *neighbors.Cell) Cell {
	return Cell{Label: cell.Label(), Region: polytope.Polyhedron{Rest: cell}}
}

// Above returns the classifier of two labels that says 1 where the share of the k neighbours that
// have the class, its probability in scikit-learn's predict_proba, is at least p: where count/k ≥ p
// in float64. Its rows are those of c, labelled 1 if they have the class, in a copy. It is searched
// as c is; proofs and Save refuse it by an error that wraps errors.ErrUnsupported, unless the
// majority of these labels says the same, as for k = 1. Other errors wrap ErrOption.
func (c *KNN) Above(class int, p float64) (*KNN, error) {
	if class < 0 || class >= c.Classes() {
		return nil, fmt.Errorf("classifier: %w: class %d of %d", ErrOption, class, c.Classes())
	}
	if math.IsNaN(p) {
		return nil, fmt.Errorf("classifier: %w: the probability is to reach NaN", ErrOption)
	}
	least := 0
	for least <= c.k && float64(least)/float64(c.k) < p {
		least++
	}
	table, err := c.table.Share(class, least, c.k)
	if err != nil {
		return nil, fmt.Errorf("classifier: k-NN: %w", err)
	}
	return &KNN{k: c.k, table: table, labels: labels{
		features: c.features, categories: c.categories, words: c.words,
	}}, nil
}

// errQuota names a question that does not know the votes of Above.
func errQuota(what string) error {
	return fmt.Errorf("the vote asks for a share of the neighbours, not for the most, which %s: %w",
		what, errors.ErrUnsupported)
}

// search implements engine by branch and bound. For k > 1 a node is a row that
// the vote needs, the farthest one, with decisions on which other rows are nearer;
// their number is exponential in k in the worst case. For k = 1 it is a training row
// that may be the nearest one.
func (c *KNN) search(_ context.Context, q search.Query) (search.Search, error) {
	if c.k == 1 {
		return nearest.New(c.table, q), nil
	}
	return orderk.New(c.table, c.k, q), nil
}
