package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/examples/internal/trial"
)

// subject is k-NN with one k, and what is found out about it.
type subject struct {
	*trial.Subject
	k int
	*trial.Summary
	memory uint64 // MiB
}

// prepare builds the classifiers and chooses their rows.
func (s *settings) prepare(ctx context.Context) ([]*subject, error) {
	d, err := s.Load(ctx)
	if err != nil {
		return nil, err
	}
	var all []*subject
	for _, k := range s.ks {
		knn, err := classifier.NewKNN(d.Train, d.TrainY, classifier.KNNOptions{K: k})
		if err != nil {
			return nil, fmt.Errorf("-k %d: %w", k, err)
		}
		t := &subject{k: k}
		if t.Subject, err = s.Subject(ctx, knn, d); err != nil {
			return nil, fmt.Errorf("-k %d: %w", k, err)
		}
		all = append(all, t)
	}
	return all, nil
}

// measure attacks the subjects in turn and prints the table.
func (s *settings) measure(ctx context.Context, subjects []*subject, stdout, stderr io.Writer) error {
	out, err := trial.Create(s.Out, "k", "norm")
	if err != nil {
		return err
	}
	err = s.attack(ctx, subjects, out, stderr)
	if err = errors.Join(err, out.Close()); err != nil {
		return fmt.Errorf("%w; the points are in %s", err, s.Out)
	}
	return s.print(stdout, subjects)
}

func (s *settings) attack(ctx context.Context, subjects []*subject, out *trial.File, stderr io.Writer) (err error) {
	for _, t := range subjects {
		memory := trial.NewPeak()
		if t.Summary, err = t.Measure(ctx, &s.Flags, out.Each(t.k, s.Norm), fmt.Sprintf("k = %d", t.k), stderr); err != nil {
			return fmt.Errorf("k = %d: %w", t.k, err)
		}
		t.memory = memory.MiB()
	}
	return nil
}
