package main

import (
	"context"
	"math"

	"github.com/seed-1a7dc1f9/facet/examples/internal/experiment"
)

// attackAll finds the nearest adversarial example of each chosen point of every cell.
func attackAll(ctx context.Context, lab *experiment.Lab, cells []*cell) error {
	for _, c := range cells {
		if err := c.attack(ctx, lab); err != nil {
			return err
		}
	}
	return nil
}

func (c *cell) attack(ctx context.Context, lab *experiment.Lab) (err error) {
	run := experiment.Run{Subject: c.subject(), Attack: experiment.RBAExact}
	if c.points, err = lab.Points(ctx, run); err != nil {
		return err
	}
	mean, ok, err := lab.Robustness(ctx, run)
	if c.robustness = mean; !ok {
		c.robustness = math.NaN()
	}
	return err
}

// total is the number of points to attack.
func total(cells []*cell) int {
	n := 0
	for _, c := range cells {
		n += len(c.test.Attacked)
	}
	return n
}
