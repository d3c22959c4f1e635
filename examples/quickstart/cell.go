package main

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/examples/internal/experiment"
	"github.com/seed-1a7dc1f9/facet/examples/internal/plotting"
	"github.com/seed-1a7dc1f9/facet/internal/dataset/protocol"
	"github.com/seed-1a7dc1f9/facet/metrics"
)

// cell is one classifier trained at one separation, and the results about it.
type cell struct {
	contender  *contender
	separation float64
	printed    printed
	model      *experiment.Model
	test       *experiment.Test
	points     []metrics.Point // the attacked rows, in the order of the test
	exact      float64         // mean distance of the points, NaN without
	robustness float64         // the same by the attack of the paper
}

// run is the experiment of the cell.
func (c *cell) run() experiment.Run {
	s := experiment.Subject{Set: "halfmoon", Classifier: c.contender.classifier}
	if c.separation > 0 {
		s.Defence = experiment.Defence{Method: experiment.Pruning, Strength: c.separation}
	}
	return experiment.Run{Subject: s, Attack: experiment.RBAExact}
}

// asPaper is the experiment as the paper did it, which attacked 3-NN and forests approximately.
func (c *cell) asPaper() experiment.Run {
	r := c.run()
	r.Attack = experiment.Usual(c.contender.classifier)
	return r
}

// trainAll trains and tests every contender at every separation, contender by
// contender, and returns how many points there are to attack.
func (s *study) trainAll(
	ctx context.Context, lab *experiment.Lab,
) (cells []*cell, points int, err error) {
	for i := range s.contenders {
		for _, r := range s.separations {
			c := &cell{contender: &s.contenders[i], separation: r}
			if c.printed, err = c.contender.lookUp(r); err != nil {
				return nil, 0, err
			}
			subject := c.run().Subject
			if c.model, err = lab.Model(ctx, subject); err != nil {
				return nil, 0, err
			}
			if c.test, err = lab.Test(ctx, subject); err != nil {
				return nil, 0, err
			}
			cells = append(cells, c)
			points += len(c.test.Attacked)
			if c.asPaper() != c.run() {
				points += len(c.test.Attacked)
			}
		}
	}
	return cells, points, nil
}

// attackAll finds the nearest adversarial example of each chosen point of every cell, and the
// result of the paper's attack.
func attackAll(ctx context.Context, lab *experiment.Lab, cells []*cell) (err error) {
	for _, c := range cells {
		if c.points, err = lab.Points(ctx, c.run()); err != nil {
			return err
		}
		if c.exact, err = lab.Robustness(ctx, c.run()); err != nil {
			return err
		}
		if c.robustness, err = lab.Robustness(ctx, c.asPaper()); err != nil {
			return err
		}
	}
	return nil
}

// typical chooses the test point to show: of those attacked in both cells whose examples lie in
// the frame, the one whose two distances are nearest to the two means.
func typical(set *protocol.Set, before, after *cell) (row int, err error) {
	best, least := -1, math.Inf(1)
	for i, row := range before.test.Attacked {
		j := slices.Index(after.test.Attacked, row)
		if j < 0 {
			continue
		}
		a, b := before.points[i], after.points[j]
		if !inFrame(set.Test.RawRowView(row), a.Example, b.Example) {
			continue
		}
		off := math.Hypot(a.Distance-before.exact, b.Distance-after.exact)
		if off < least {
			best, least = row, off
		}
	}
	if best < 0 {
		return 0, fmt.Errorf("%s: no point was attacked both before and after pruning",
			before.contender.name)
	}
	return best, nil
}

func inFrame(points ...[]float64) bool {
	for _, p := range points {
		if !plotting.Unit().Contains(p[0], p[1]) {
			return false
		}
	}
	return true
}
