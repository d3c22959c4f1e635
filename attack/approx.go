package attack

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/seed-1a7dc1f9/facet/attack/internal/regions"
	"github.com/seed-1a7dc1f9/facet/attack/internal/training"
	"github.com/seed-1a7dc1f9/facet/internal/guard"
	"github.com/seed-1a7dc1f9/facet/internal/nnindex"
	"github.com/seed-1a7dc1f9/facet/internal/query"
	"github.com/seed-1a7dc1f9/facet/internal/search"
)

// nearby returns the search over the cells around the points nearest to q.X, in
// Euclidean distance, among those the classifier gives a label that answers q.
func (a *RegionBased) nearby(ctx context.Context, q *query.Query) (search.Search, error) {
	points, err := a.nearest(ctx, q)
	if err != nil {
		return nil, err
	}
	return regions.Around(ctx, q, points)
}

// nearest returns the training points nearest to q.X, of a tie the first rows, among those the
// classifier gives a label that answers q. It predicts points in this order until it has enough,
// so that few of many are predicted.
func (a *RegionBased) nearest(ctx context.Context, q *query.Query) ([]regions.Point, error) {
	table, err := training.Rows(ctx, a.Classifier, a.Points)
	if err != nil {
		return nil, guard.Blame(err)
	}
	order := make([]nnindex.Neighbor, table.Len)
	for i := range order {
		order[i] = nnindex.Neighbor{ID: int32(i), Squared: nnindex.Squared(q.X, table.Row(i))}
	}
	slices.SortFunc(order, nnindex.Neighbor.Compare)
	points := make([]regions.Point, 0, min(cmp.Or(a.Regions, defaultRegions), table.Len))
	for _, n := range order {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("predicting training points: %w", err)
		}
		p := regions.Point{Row: int(n.ID), X: table.Row(int(n.ID))}
		p.Label = guard.Predict(a.Classifier, p.X)
		if p.Label < 0 || p.Label >= a.Classifier.Classes() {
			return nil, fmt.Errorf("%w: %T predicts label %d of %d classes",
				ErrClassifier, a.Classifier, p.Label, a.Classifier.Classes())
		}
		if q.Reaches(p.Label) {
			points = append(points, p)
		}
		if len(points) == cap(points) {
			break
		}
	}
	return points, nil
}
