package attack

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/classifier/search"
	"github.com/seed-1a7dc1f9/facet/internal/guard"
	"github.com/seed-1a7dc1f9/facet/internal/nnindex"
	"github.com/seed-1a7dc1f9/facet/internal/rows"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// surroundings are the training points of Approx, by the label that the
// classifier itself gives them.
type surroundings struct {
	table   *rows.Table
	labels  []int
	byLabel []*nnindex.Tree
}

// keeper is a classifier that keeps its training rows.
type keeper interface {
	Len() int
	Row(i int) (x []float64, label int)
}

// nearby returns the search over the cells around the points nearest to q.X, in
// Euclidean distance, among those the classifier gives a label that answers q.
func (a *RegionBased) nearby(ctx context.Context, q search.Query) (search.Search, error) {
	if err := a.prepare.do(ctx, a.survey); err != nil {
		return nil, err
	}
	var nearest nnindex.Nearest
	nearest.Reset(a.regions(), math.Inf(1))
	for label, t := range a.around.byLabel {
		if t != nil && q.Reaches(label) {
			t.Nearest(q.X, &nearest)
		}
	}
	points := slices.Clone(nearest.All())
	slices.SortFunc(points, func(p, r nnindex.Neighbor) int {
		return cmp.Or(cmp.Compare(p.Squared, r.Squared), cmp.Compare(p.ID, r.ID))
	})
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

// survey predicts all training points once. When the context ends it has done with some,
// and goes on from there.
func (a *RegionBased) survey(ctx context.Context) (err error) {
	defer caught(nil, &err)
	if a.around == nil {
		table, err := a.points(ctx)
		if err != nil {
			return blame(err)
		}
		a.around = &surroundings{table: table}
	}
	s, members := a.around, make([][]int32, a.Classifier.Classes())
	for i := len(s.labels); i < s.table.Len; i++ {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("predicting training points: %w", err)
		}
		label := predict(a.Classifier, s.table.Row(i))
		if label < 0 || label >= len(members) {
			return fmt.Errorf("%w: %T predicts label %d of %d classes", ErrClassifier, a.Classifier, label, len(members))
		}
		s.labels = append(s.labels, label)
	}
	for i, label := range s.labels {
		members[label] = append(members[label], int32(i))
	}
	s.byLabel, err = treesOf(ctx, s.table, members)
	return err
}

// treesOf returns a tree of the rows of each label, nil for a label without rows.
func treesOf(ctx context.Context, table *rows.Table, members [][]int32) ([]*nnindex.Tree, error) {
	trees := make([]*nnindex.Tree, len(members))
	for label, ids := range members {
		if len(ids) == 0 {
			continue
		}
		var err error
		if trees[label], err = nnindex.Build(ctx, table.Data, table.Dim, ids); err != nil {
			return nil, err
		}
	}
	return trees, nil
}

func (a *RegionBased) points(ctx context.Context) (table *rows.Table, err error) {
	defer guard.Catch(&err, "Len or Row", a.Classifier)
	dim := a.Classifier.Dim()
	if a.Points == nil {
		k, ok := a.Classifier.(keeper)
		if !ok {
			return nil, fmt.Errorf("%w: set RegionBased.Points", ErrPoints)
		}
		table := &rows.Table{Data: make([]float64, 0, k.Len()*dim), Len: k.Len(), Dim: dim}
		for i := range k.Len() {
			x, _ := k.Row(i)
			table.Data = append(table.Data, x...)
		}
		return table, nil
	}
	table, err = copyPoints(ctx, a.Points)
	if err != nil {
		return nil, fmt.Errorf("training points: %w", err)
	}
	if table.Dim != dim {
		return nil, fmt.Errorf("training points: %w: %d columns, want %d", polytope.ErrDimension, table.Dim, dim)
	}
	return table, nil
}

// homes returns the cells around the points: those that a Locator names, or the
// first in the list. A list must hold a cell around q.X as well.
func (a *RegionBased) homes(ctx context.Context, q search.Query, points []nnindex.Neighbor) ([]home, error) {
	homes := make([]home, len(points), len(points)+1)
	for i, p := range points {
		homes[i] = home{x: a.around.table.Row(int(p.ID)), label: a.around.labels[p.ID]}
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
