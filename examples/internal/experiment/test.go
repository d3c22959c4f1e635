package experiment

import (
	"context"
	"slices"

	"github.com/seed-1a7dc1f9/facet/metrics"
)

// Test is what the test set shows about a subject.
type Test struct {
	Rows     int // that the classifier was trained on
	Accuracy float64
	// Attacked are the rows of the test set to attack, in order. It is nil, the paper's
	// "-", when fewer than 100 are classified correctly, or when the
	// classifier gives all rows it was trained on one label: its attacks have no
	// differently labelled training point to start from, or to fall back on.
	Attacked []int
}

func (l *Lab) test(ctx context.Context, s Subject) (*Test, error) {
	set, err := l.set(ctx, s.Set)
	if err != nil {
		return nil, err
	}
	m, err := l.Model(ctx, s)
	if err != nil {
		return nil, err
	}
	labels, err := metrics.Predict(ctx, m.Classifier, set.Test)
	if err != nil {
		return nil, err
	}
	correct, hits := make([]bool, len(labels)), 0
	for i, label := range labels {
		if correct[i] = label == set.TestY[i]; correct[i] {
			hits++
		}
	}
	t := &Test{Rows: len(m.Y), Accuracy: float64(hits) / float64(len(labels))}
	if labels, err = metrics.Predict(ctx, m.Classifier, m.X); err != nil {
		return nil, err
	}
	if slices.Min(labels) < slices.Max(labels) {
		t.Attacked, err = set.Attacked(correct)
	}
	return t, err
}
