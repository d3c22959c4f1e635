package attack

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/nnindex"
	"github.com/seed-1a7dc1f9/facet/internal/rows"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// surroundings are the training points of Approx, by the label that the
// classifier itself gives them.
type surroundings struct {
	table   *rows.Table
	byLabel []*nnindex.Tree
}

// keeper is a classifier that keeps its training rows.
type keeper interface {
	Len() int
	Row(i int) (x []float64, label int)
}

// nearby returns the search over the cells around the points nearest to q.X, in
// Euclidean distance, among those the classifier gives a label that answers q.
func (a *RegionBased) nearby(ctx context.Context, q classifier.Query) (classifier.Search, error) {
	a.prepare.Do(func() { a.around, a.failed = a.survey() })
	if a.failed != nil {
		return nil, a.failed
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
	s := &cellSearch{predict: a.Classifier.Predict, q: q}
	for number, p := range points {
		cell, err := a.cellAt(ctx, a.around.table.Row(int(p.ID)))
		if err != nil {
			return nil, fmt.Errorf("cell around training point %d: %w", p.ID, err)
		}
		if err := s.add(number, cell, a.Classifier.Classes()); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// survey predicts all training points once.
func (a *RegionBased) survey() (*surroundings, error) {
	table, err := a.points()
	if err != nil {
		return nil, err
	}
	members := make([][]int32, a.Classifier.Classes())
	for i := range table.Len {
		label := a.Classifier.Predict(table.Row(i))
		if label < 0 || label >= len(members) {
			return nil, fmt.Errorf("%w: %T predicts label %d of %d classes", ErrClassifier, a.Classifier, label, len(members))
		}
		members[label] = append(members[label], int32(i))
	}
	s := &surroundings{table: table, byLabel: make([]*nnindex.Tree, len(members))}
	for label, ids := range members {
		if len(ids) > 0 {
			s.byLabel[label] = nnindex.Build(table.Data, table.Dim, ids)
		}
	}
	return s, nil
}

func (a *RegionBased) points() (*rows.Table, error) {
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
	table, err := rows.Copy(context.Background(), mat.Matrix(a.Points))
	if err != nil {
		return nil, fmt.Errorf("training points: %w: %w", ErrPoints, err)
	}
	if table.Dim != dim {
		return nil, fmt.Errorf("training points: %w: %d columns, want %d", polytope.ErrDimension, table.Dim, dim)
	}
	return table, nil
}

// cellAt returns the cell around p: the one a Locator names, or the first in the
// list that contains it.
func (a *RegionBased) cellAt(ctx context.Context, p []float64) (classifier.Cell, error) {
	if c, ok := a.Classifier.(classifier.Locator); ok {
		return c.CellAt(p)
	}
	c, ok := a.Classifier.(classifier.Decomposable)
	if !ok {
		return classifier.Cell{}, fmt.Errorf("%w: %T neither lists its cells nor names the one around a point", ErrClassifier, a.Classifier)
	}
	label := c.Predict(p)
	number := 0
	for cell := range c.Cells() {
		if number++; number%chunk == 0 && ctx.Err() != nil {
			return classifier.Cell{}, ctx.Err()
		}
		if cell.Label == label && cell.Region.Contains(p) {
			return cell, nil
		}
	}
	return classifier.Cell{}, fmt.Errorf("%w: no cell with label %d contains it", ErrClassifier, label)
}
