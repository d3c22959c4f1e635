package attack

import (
	"cmp"
	"context"
	"fmt"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/classifier/search"
	"github.com/seed-1a7dc1f9/facet/internal/nnindex"
	"github.com/seed-1a7dc1f9/facet/internal/victim"
)

// nearby returns the search over the cells around the points nearest to q.X, in
// Euclidean distance, among those the classifier gives a label that answers q.
func (a *RegionBased) nearby(ctx context.Context, q search.Query) (search.Search, error) {
	if err := a.points.Prepare(ctx, victim.Request{Classifier: a.Classifier, X: a.Points, Predict: true}); err != nil {
		return nil, err
	}
	points := a.points.Nearest(q.X, cmp.Or(a.Regions, DefaultRegions), q.Reaches)
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

// homes returns the cells around the points: those that a Locator names, or the
// first in the list. A list must hold a cell around q.X as well.
func (a *RegionBased) homes(ctx context.Context, q search.Query, points []nnindex.Neighbor) ([]home, error) {
	homes := make([]home, len(points), len(points)+1)
	for i, p := range points {
		homes[i] = home{x: a.points.Row(int(p.ID)), label: a.points.Labels[p.ID]}
	}
	if c, ok := a.Classifier.(classifier.Locator); ok {
		for i, p := range points {
			var err error
			if homes[i].cell, err = locate(c, homes[i].x, homes[i].label); err != nil {
				return nil, fmt.Errorf("cell around training point %d: %w", p.ID, err)
			}
		}
		return homes, nil
	}
	c, ok := a.Classifier.(classifier.Decomposable)
	if !ok {
		return nil, fmt.Errorf("%w: %T neither lists its cells nor names the one around a point", ErrClassifier, a.Classifier)
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
