package main

import (
	"context"

	"github.com/seed-1a7dc1f9/facet/examples/internal/experiment"
	"github.com/seed-1a7dc1f9/facet/metrics"
)

// cell is one classifier trained at one separation, and what is found out about it.
type cell struct {
	contender  *contender
	separation float64
	printed    printed
	model      *experiment.Model
	test       *experiment.Test
	points     []metrics.Point // the attacked rows, in the order of the test
	robustness float64         // mean distance of the points, NaN without
}

// subject is the experiment of the cell.
func (c *cell) subject() experiment.Subject {
	s := experiment.Subject{Set: "halfmoon", Classifier: c.contender.classifier}
	if c.separation > 0 {
		s.Defence = experiment.Defence{Method: experiment.Pruning, Strength: c.separation}
	}
	return s
}

// trainAll trains and tests every contender at every separation, contender by
// contender.
func trainAll(ctx context.Context, lab *experiment.Lab) ([]*cell, error) {
	var cells []*cell
	for i := range contenders {
		for _, r := range separations {
			c := &cell{contender: &contenders[i], separation: r}
			if err := c.train(ctx, lab); err != nil {
				return nil, err
			}
			cells = append(cells, c)
		}
	}
	return cells, nil
}

func (c *cell) train(ctx context.Context, lab *experiment.Lab) (err error) {
	if c.printed, err = c.contender.lookUp(c.separation); err != nil {
		return err
	}
	if c.model, err = lab.Model(ctx, c.subject()); err != nil {
		return err
	}
	c.test, err = lab.Test(ctx, c.subject())
	return err
}
