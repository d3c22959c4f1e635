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
	labels []int
}

// newSample copies x and y. Without x it takes the rows that the classifier
// keeps, with the labels it keeps; without y the labels that c predicts.
func newSample(c classifier.Classifier, x mat.Matrix, y []int) (s *sample, err error) {
	defer caught(nil, &err)
	if x == nil {
		return keptSample(c, y)
	}
	table, err := rows.Copy(context.Background(), x)
	if err != nil {
		return nil, fmt.Errorf("points: %w: %w", ErrPoints, err)
	}
	if table.Dim != c.Dim() {
		return nil, fmt.Errorf("points: %w: %d columns, want %d", polytope.ErrDimension, table.Dim, c.Dim())
	}
	s = &sample{Table: table, labels: y}
	if y == nil {
		s.predict(c)
	}
	return s, s.check(c)
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

// predict gives every point the label that c predicts.
func (s *sample) predict(c classifier.Classifier) {
	s.labels = make([]int, s.Len)
	for i := range s.labels {
		s.labels[i] = predict(c, s.Row(i))
	}
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
