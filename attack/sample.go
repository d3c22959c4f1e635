package attack

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/guard"
	"github.com/seed-1a7dc1f9/facet/internal/rows"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// sample are the labelled points that an attack starts from.
type sample struct {
	*rows.Table
	labels  []int
	predict bool // the labels are those that the classifier predicts, as far as it was asked
}

// newSample copies x and y. Without x it takes the rows that the classifier
// keeps, with the labels it keeps; without y the labels are to be predicted.
func newSample(ctx context.Context, c classifier.Classifier, x mat.Matrix, y []int) (s *sample, err error) {
	defer caught(nil, &err)
	if x == nil {
		return keptSample(c, y)
	}
	table, err := copyPoints(ctx, x)
	if err != nil {
		return nil, fmt.Errorf("points: %w", err)
	}
	if table.Dim != c.Dim() {
		return nil, fmt.Errorf("points: %w: %d columns, want %d", polytope.ErrDimension, table.Dim, c.Dim())
	}
	return &sample{Table: table, labels: y, predict: y == nil}, nil
}

// copyPoints is rows.Copy, whose errors are about the points unless the context ended.
func copyPoints(ctx context.Context, x mat.Matrix) (*rows.Table, error) {
	table, err := rows.Copy(ctx, x)
	if err != nil && ctx.Err() == nil {
		err = fmt.Errorf("%w: %w", ErrPoints, err)
	}
	return table, err
}

func keptSample(c classifier.Classifier, y []int) (s *sample, err error) {
	defer guard.Name("Len or Row", c)
	k, ok := c.(keeper)
	if !ok {
		return nil, fmt.Errorf("%w: %T keeps none, set Points", ErrPoints, c)
	}
	if y != nil {
		return nil, fmt.Errorf("%w: labels without Points", ErrPoints)
	}
	s = &sample{Table: &rows.Table{Len: k.Len(), Dim: c.Dim()}}
	for i := range k.Len() {
		x, label := k.Row(i)
		s.Data, s.labels = append(s.Data, x...), append(s.labels, label)
	}
	return s, nil
}

// label gives every point the label that c predicts, if it is to, and checks the labels.
// When the context ends it has done with some, and goes on from there.
func (s *sample) label(ctx context.Context, c classifier.Classifier) (err error) {
	defer caught(nil, &err)
	for s.predict && len(s.labels) < s.Len {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("predicting points: %w", err)
		}
		s.labels = append(s.labels, predict(c, s.Row(len(s.labels))))
	}
	return s.check(c)
}

func (s *sample) check(c classifier.Classifier) error {
	if len(s.labels) != s.Len {
		return fmt.Errorf("%w: %w: %d labels, %d rows", ErrPoints, rows.ErrLength, len(s.labels), s.Len)
	}
	for i, label := range s.labels {
		if label < 0 || label >= c.Classes() {
			return fmt.Errorf("%w: row %d: %w: %d of %d classes", ErrPoints, i, rows.ErrLabel, label, c.Classes())
		}
	}
	return nil
}
