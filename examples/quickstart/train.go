package main

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/protocol"
	"github.com/seed-1a7dc1f9/facet/metrics"
	"github.com/seed-1a7dc1f9/facet/prune"
)

// cell is one classifier trained at one separation, and what is found out about it.
type cell struct {
	contender  *contender
	separation float64
	printed    printed
	train      *mat.Dense // the rows left by pruning
	trainY     []int
	model      classifier.Classifier
	accuracy   float64
	attacked   []int           // rows of the test set; nil where the paper has no number
	points     []metrics.Point // the attacked rows, in the same order
	robustness float64         // mean distance of the points, NaN without
}

// trainAll trains every contender at every separation, contender by contender.
func trainAll(ctx context.Context, set *protocol.Set) ([]*cell, error) {
	var cells []*cell
	for i := range contenders {
		for j, r := range separations {
			c := &cell{contender: &contenders[i], separation: r, printed: contenders[i].printed[j]}
			if err := c.fit(ctx, set); err != nil {
				return nil, err
			}
			cells = append(cells, c)
		}
	}
	return cells, nil
}

// fit prunes, trains and tests. The paper's tables give the separation between
// differently labelled points, twice the radius of its text.
func (c *cell) fit(ctx context.Context, set *protocol.Set) (err error) {
	c.train, c.trainY = set.Train, set.TrainY
	if c.separation > 0 {
		pruner := prune.Adversarial{Radius: c.separation / 2}
		keep, err := pruner.Prune(ctx, set.Train, set.TrainY)
		if err != nil {
			return err
		}
		c.train, c.trainY = protocol.Select(set.Train, set.TrainY, keep)
	}
	if c.model, err = c.contender.trainer.Train(ctx, c.train, c.trainY); err != nil {
		return err
	}
	return c.test(ctx, set)
}
