package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/progress"
	"github.com/seed-1a7dc1f9/facet/metrics"
)

// trial is what is known before the first attack.
type trial struct {
	*settings
	data     *data
	ensemble *classifier.Ensemble
	accuracy float64
	rows     []int // to attack, in this order
	out      *output
}

// prepare trains or reads the ensemble, chooses the rows and begins -out.
func prepare(ctx context.Context, s *settings, d *data) (*trial, error) {
	t := &trial{settings: s, data: d}
	var err error
	if t.ensemble, err = s.build(ctx, d); err != nil {
		return nil, err
	}
	predicted, err := metrics.Predict(ctx, t.ensemble, d.Test)
	if err != nil {
		return nil, err
	}
	if t.accuracy, err = metrics.Accuracy(ctx, t.ensemble, d.Test, d.TestY); err != nil {
		return nil, err
	}
	if t.rows, err = d.choose(predicted, s.points); err != nil {
		return nil, err
	}
	t.out, err = newOutput(s)
	return t, err
}

// measure attacks the rows and prints the table.
func (t *trial) measure(ctx context.Context, stdout, stderr io.Writer) error {
	memory := newPeak()
	points, err := t.attack(ctx, stderr)
	if closing := t.out.close(); err == nil {
		err = closing
	}
	if err != nil {
		return err
	}
	s, err := summarize(points)
	if err != nil {
		return err
	}
	return t.print(stdout, s, memory)
}

func (t *trial) attack(ctx context.Context, stderr io.Writer) ([]metrics.Point, error) {
	bar := progress.New(stderr, progress.Options{Description: "attacking", Unit: "points", Total: len(t.rows)})
	stop := context.AfterFunc(ctx, func() { bar.Describe("finishing the running points (once more to kill)") })
	points, err := metrics.Evaluate(ctx, t.ensemble, t.data.Test, t.data.TestY, metrics.Options{
		Attack: &attack.RegionBased{
			Classifier: t.ensemble,
			Options:    attack.Options{Norm: t.norm, Workers: 1, Timeout: t.timeout},
		},
		Workers:       t.workers,
		Rows:          t.rows,
		FinishRunning: true,
		Each:          t.out.add,
		Progress:      func(int, int) { bar.Add(1) },
	})
	stop()
	bar.Close()
	if err != nil && ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return nil, fmt.Errorf("interrupted with %d of %d points done, which are in %s", len(points), len(t.rows), t.settings.out)
	}
	return points, err
}
