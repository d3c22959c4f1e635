package classifier

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/internal/neighbors/weighted"
	"github.com/seed-1a7dc1f9/facet/internal/search"
)

// WeightedKNN is the classifier of k nearest neighbours whose votes weigh the
// inverse of their Euclidean distance (Dudani, "The distance-weighted
// k-nearest-neighbor rule", 1976; scikit-learn's weights="distance"). Where some
// of the k neighbours are at distance 0 these alone vote, with weight 1. Equally
// near rows are taken in the order of their rows, equal sums go to the smaller
// label. Weights are added up in float64, nearest first.
//
// It is not constant on the cells of an order-k Voronoi diagram, nor on finitely many convex cells
// of any other kind, so it is no Decomposable. Its Search bounds the vote on boxes instead: see
// Search for the bounds that are proven.
type WeightedKNN struct {
	labels
	rows  *KNN
	model *weighted.Model
}

var _ engine = (*WeightedKNN)(nil)

// TrainWeightedKNN lays out the n rows of x, with labels y. Labels count from 0;
// Classes is the largest plus one. It takes O(n·log n·(d + log n)) time and keeps
// a copy of the rows. Errors are those of TrainKNN.
func TrainWeightedKNN(
	ctx context.Context, x mat.Matrix, y []int, opts KNNOptions,
) (*WeightedKNN, error) {
	rows, err := TrainKNN(ctx, x, y, opts)
	if err != nil {
		return nil, err
	}
	return weigh(rows), nil
}

// weigh returns the vote of the same rows, weighted.
func weigh(rows *KNN) *WeightedKNN {
	return &WeightedKNN{labels: rows.labels, rows: rows, model: weighted.New(rows.table, rows.k)}
}

// K returns the number of neighbours that vote.
func (c *WeightedKNN) K() int { return c.rows.K() }

// Dim returns the number of coordinates.
func (c *WeightedKNN) Dim() int { return c.rows.Dim() }

// Classes returns the largest training label plus one.
func (c *WeightedKNN) Classes() int { return c.rows.Classes() }

// Len returns the number of training rows.
func (c *WeightedKNN) Len() int { return c.rows.Len() }

// Row returns training row i and its label. The row must not be changed.
func (c *WeightedKNN) Row(i int) (x []float64, label int) { return c.rows.Row(i) }

// Predict returns the label of x.
func (c *WeightedKNN) Predict(x []float64) int { return c.model.Predict(x) }

// search implements engine. A local search finds a first example, and two searches that need no
// boxes bound the distance: that of the uniform vote for answers where it changes too, and cutting
// planes for those where fewer rows outweigh more. The rest is a branch and bound over boxes of
// displacements from X.
//
// Every bound is certified, and an answer is final when the bound comes within 1e-9
// of its distance, relatively, or of 1 or the extent of the data where that is
// more. That takes few boxes in one to three dimensions and exponentially many in
// more, where a search should have a limit: with k = 3 the bounds without boxes are
// mostly the last word, with larger k often not.
//
// Boxes as small as the distances that are not told apart are not split. The search
// ends at one that may hold answers, with the nearest example known, which may lie
// farther: next to equal rows of two labels rounding hides the lead of a third from
// Predict, and sums that touch look as if they crossed.
//
// When there is no answer within 16 times the extent of the data, the inputs beyond are ruled out
// by the sums' growth, or searched up to 2²⁴ times as far; if that is not enough the search ends in
// weighted.ErrFarAway.
func (c *WeightedKNN) search(ctx context.Context, q search.Query) (search.Search, error) {
	uniform := q
	uniform.Target, uniform.Any = -1, false
	votes, err := c.rows.search(ctx, uniform)
	if err != nil {
		return nil, err
	}
	return c.model.Search(q, votes), nil
}
