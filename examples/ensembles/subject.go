package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/examples/internal/trial"
	"github.com/seed-1a7dc1f9/facet/metrics"
)

// subject is what is known before the first attack.
type subject struct {
	*settings
	data     *trial.Data
	ensemble *classifier.Ensemble
	accuracy float64
	rows     []int // to attack, in this order
	out      *trial.File
}

// prepare trains or reads the ensemble, chooses the rows and begins -out.
func prepare(ctx context.Context, s *settings, d *trial.Data) (*subject, error) {
	t := &subject{settings: s, data: d}
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
	if t.rows, err = d.Choose(predicted, s.Points); err != nil {
		return nil, err
	}
	if len(t.rows) == 0 {
		return nil, fmt.Errorf("the model classifies none of the %d test rows of %s correctly; was it trained on the rows that -dump writes, with their labels 0 and 1?", len(predicted), d.Name)
	}
	t.out, err = s.create()
	return t, err
}

// create begins -out.
func (s *settings) create() (*trial.File, error) {
	if same(s.Out, s.model) {
		return nil, fmt.Errorf("-out %s would overwrite the file of -model", s.Out)
	}
	return trial.Create(s.Out)
}

// same reports whether both paths name one file.
func same(a, b string) bool {
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(infoA, infoB)
}

// measure attacks the rows and prints the table.
func (t *subject) measure(ctx context.Context, stdout, stderr io.Writer) error {
	memory := trial.NewPeak()
	points, err := trial.Attack(ctx, t.ensemble, t.data.Test, t.data.TestY, trial.Options{
		Norm: t.Norm, Timeout: t.Timeout, Workers: t.Workers,
		Rows: t.rows, Doing: "attacking", Each: t.out.Each(),
	}, stderr)
	if err = errors.Join(err, t.out.Close()); err != nil {
		return fmt.Errorf("%w; the points are in %s", err, t.Out)
	}
	s, err := trial.Summarize(points)
	if err != nil {
		return err
	}
	return t.print(stdout, s, memory)
}
