package attack

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/classifier/search"
	"github.com/seed-1a7dc1f9/facet/internal/nnindex"
	"github.com/seed-1a7dc1f9/facet/internal/victim"
)

// nearby returns the search over the cells around the points nearest to q.X, in
// Euclidean distance, among those the classifier gives a label that answers q.
func (a *RegionBased) nearby(ctx context.Context, q search.Query) (search.Search, error) {
	points, err := a.nearest(ctx, q)
	if err != nil {
		return nil, err
	}
	homes, err := a.homes(ctx, q, points)
	if err != nil {
		return nil, err
	}
	s := &cellSearch{classifier: a.Classifier, q: q}
	for number, h := range homes {
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
	table, err := victim.Training(ctx, a.Classifier, a.Points)
	if err != nil {
		return nil, victim.Blame(err)
	}
	order := make([]nnindex.Neighbor, table.Len)
	for i := range order {
		order[i] = nnindex.Neighbor{ID: int32(i), Squared: nnindex.Squared(q.X, table.Row(i))}
	}
	slices.SortFunc(order, nnindex.Neighbor.Compare)
	points := make([]point, 0, min(cmp.Or(a.Regions, DefaultRegions), table.Len))
	for _, n := range order {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("predicting training points: %w", err)
		}
		p := point{row: int(n.ID), x: table.Row(int(n.ID))}
		p.label = victim.Predict(a.Classifier, p.x)
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

// homes returns the cells around the points: those that a Locator names, or the
// first in the list. A list must hold a cell around q.X as well.
func (a *RegionBased) homes(ctx context.Context, q search.Query, points []point) ([]home, error) {
	homes := make([]home, len(points), len(points)+1)
	for i, p := range points {
		homes[i] = home{x: p.x, label: p.label}
	}
	if c, ok := a.Classifier.(classifier.Locator); ok {
		for i, p := range points {
			var err error
			if homes[i].cell, err = locate(c, homes[i].x, homes[i].label); err != nil {
				return nil, fmt.Errorf("cell around training point %d: %w", p.row, err)
			}
		}
		return homes, nil
	}
	c, ok := a.Classifier.(classifier.Decomposable)
	if !ok {
		return nil, fmt.Errorf("%w: %T neither lists its cells nor names the one around a point",
			ErrClassifier, a.Classifier)
	}
	// There is room for q.X behind the points: findHomes fills in homes itself.
	return homes, findHomes(ctx, c, append(homes, home{x: q.X, label: q.From}))
}

// findHomes goes through the list once, until all homes are found.
func findHomes(ctx context.Context, c classifier.Decomposable, homes []home) error {
	missing := len(homes)
	n, err := eachCell(ctx, c, func(number int, cell classifier.Cell) (bool, error) {
		for i := range homes {
			if homes[i].visit(number, cell) {
				missing--
			}
		}
		return missing > 0, nil
	})
	for i := 0; i < len(homes) && err == nil; i++ {
		err = homes[i].check(n)
	}
	return err
}
