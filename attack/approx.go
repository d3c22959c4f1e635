package attack

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/seed-1a7dc1f9/facet/attack/internal/training"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/guard"
	"github.com/seed-1a7dc1f9/facet/internal/nnindex"
	"github.com/seed-1a7dc1f9/facet/internal/search"
)

// nearby returns the search over the cells around the points nearest to q.X, in
// Euclidean distance, among those the classifier gives a label that answers q.
func (a *RegionBased) nearby(ctx context.Context, q search.Query) (search.Search, error) {
	points, err := a.nearest(ctx, q)
	if err != nil {
		return nil, err
	}
	containing, err := a.containingCells(ctx, q, points)
	if err != nil {
		return nil, err
	}
	s := &cellSearch{classifier: a.Classifier, q: q}
	for number, h := range containing {
		s.add(number, h.cell)
	}
	return s, nil
}

// point is a training point with the label that the classifier gives it.
type point struct {
	row   int
	x     []float64
	label int
}

// nearest returns the training points nearest to q.X, of a tie the first rows, among those the
// classifier gives a label that answers q. It predicts points in this order until it has enough,
// so that few of many are predicted.
func (a *RegionBased) nearest(ctx context.Context, q search.Query) ([]point, error) {
	table, err := training.Rows(ctx, a.Classifier, a.Points)
	if err != nil {
		return nil, guard.Blame(err)
	}
	order := make([]nnindex.Neighbor, table.Len)
	for i := range order {
		order[i] = nnindex.Neighbor{ID: int32(i), Squared: nnindex.Squared(q.X, table.Row(i))}
	}
	slices.SortFunc(order, nnindex.Neighbor.Compare)
	points := make([]point, 0, min(cmp.Or(a.Regions, defaultRegions), table.Len))
	for _, n := range order {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("predicting training points: %w", err)
		}
		p := point{row: int(n.ID), x: table.Row(int(n.ID))}
		p.label = guard.Predict(a.Classifier, p.x)
		if p.label < 0 || p.label >= a.Classifier.Classes() {
			return nil, fmt.Errorf("%w: %T predicts label %d of %d classes",
				ErrClassifier, a.Classifier, p.label, a.Classifier.Classes())
		}
		if q.Reaches(p.label) {
			points = append(points, p)
		}
		if len(points) == cap(points) {
			break
		}
	}
	return points, nil
}

// containingCells returns the cells around the points: those that a Locator names, or the
// first in the list. A list must hold a cell around q.X as well.
func (a *RegionBased) containingCells(
	ctx context.Context, q search.Query, points []point,
) ([]containingCell, error) {
	containing := make([]containingCell, len(points), len(points)+1)
	for i, p := range points {
		containing[i] = containingCell{x: p.x, label: p.label}
	}
	if c, ok := a.Classifier.(classifier.Locator); ok {
		for i, p := range points {
			var err error
			if containing[i].cell, err = locate(
				c, containing[i].x, containing[i].label,
			); err != nil {
				return nil, fmt.Errorf("cell around training point %d: %w", p.row, err)
			}
		}
		return containing, nil
	}
	c, ok := a.Classifier.(classifier.Decomposable)
	if !ok {
		return nil, fmt.Errorf("%w: %T neither lists its cells nor names the one around a point",
			ErrClassifier, a.Classifier)
	}
	// The slice has capacity for q.X behind the points: findContaining fills in its elements.
	return containing, findContaining(ctx, c,
		append(containing, containingCell{x: q.X, label: q.From}))
}

// findContaining goes through the list once, until all cells are found.
func findContaining(
	ctx context.Context, c classifier.Decomposable, containing []containingCell,
) error {
	missing := len(containing)
	n, err := eachCell(ctx, c, func(number int, cell classifier.Cell) (bool, error) {
		for i := range containing {
			if containing[i].visit(number, cell) {
				missing--
			}
		}
		return missing > 0, nil
	})
	for i := 0; i < len(containing) && err == nil; i++ {
		err = containing[i].check(n)
	}
	return err
}
