package main

import (
	"context"
	"io"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/protocol"
	"github.com/seed-1a7dc1f9/facet/metrics"
)

// test measures the accuracy and draws the rows to attack, among those classified correctly.
// As in the paper there are none for a classifier that knows but one label.
func (c *cell) test(ctx context.Context, set *protocol.Set) (err error) {
	c.robustness = math.NaN()
	if c.accuracy, err = metrics.Accuracy(ctx, c.model, set.Test, set.TestY); err != nil {
		return err
	}
	labels, err := metrics.Predict(ctx, c.model, set.Test)
	if err != nil {
		return err
	}
	if slices.Min(labels) == slices.Max(labels) {
		return nil
	}
	correct := make([]bool, len(labels))
	for i, label := range labels {
		correct[i] = label == set.TestY[i]
	}
	c.attacked, err = set.Attacked(correct)
	return err
}

// attackAll attacks the chosen points of every cell.
func attackAll(ctx context.Context, set *protocol.Set, cells []*cell, stderr io.Writer) error {
	total := 0
	for _, c := range cells {
		total += len(c.attacked)
	}
	bar := newBar(stderr, total)
	for _, c := range cells {
		if c.attacked == nil {
			continue
		}
		if err := c.attack(ctx, set, func(int, int) { bar.Add(1) }); err != nil {
			bar.Exit()
			return err
		}
	}
	return nil
}

// attack finds the nearest adversarial example of each chosen point.
func (c *cell) attack(ctx context.Context, set *protocol.Set, progress func(done, total int)) (err error) {
	options := metrics.Options{Rows: c.attacked, Progress: progress}
	if c.points, err = metrics.Evaluate(ctx, c.model, set.Test, set.TestY, options); err != nil {
		return err
	}
	r, err := metrics.EmpiricalRobustness(c.points)
	c.robustness = r.Mean
	return err
}
