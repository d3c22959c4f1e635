package trial

import (
	"context"
	"fmt"
	"io"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/metrics"
)

// Subject is a classifier and the points that it is attacked at.
type Subject struct {
	Classifier classifier.Classifier
	Data       *Data
	Accuracy   float64 // on the test rows
	Rows       []int   // to attack, in this order
}

// Subject tests a classifier and chooses its points.
func (s *Flags) Subject(ctx context.Context, c classifier.Classifier, d *Data) (*Subject, error) {
	predicted, err := metrics.Predict(ctx, c, d.Test)
	if err != nil {
		return nil, err
	}
	correct := make([]bool, len(predicted))
	var all []int
	for row, label := range predicted {
		if correct[row] = label == d.TestY[row]; correct[row] {
			all = append(all, row)
		}
	}
	rows, err := d.choose(correct, all, s.Points)
	if err == nil && len(rows) == 0 {
		err = fmt.Errorf("none of the %d test rows of %s is classified correctly", len(predicted), d.Name)
	}
	return &Subject{c, d, float64(len(all)) / float64(len(correct)), rows}, err
}

// choose returns the first of the rows that the paper attacks, or of all that are classified
// correctly where it attacks none because they are fewer than 100.
func (d *Data) choose(correct []bool, all []int, points int) ([]int, error) {
	rows, err := d.Attacked(correct)
	if rows == nil {
		rows = all
	}
	return rows[:min(points, len(rows))], err
}

// Measure attacks the points of the subject.
func (t *Subject) Measure(
	ctx context.Context, s *Flags, each func(metrics.Point) error, doing string, stderr io.Writer,
) (*Summary, error) {
	return s.Measure(ctx, t.Classifier, t.Data.Test, t.Data.TestY, t.Rows, each, doing, stderr)
}
