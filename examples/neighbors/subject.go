package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/examples/internal/trial"
	"github.com/seed-1a7dc1f9/facet/metrics"
)

// subject is a classifier and what it is attacked at.
type subject struct {
	k        int
	knn      *classifier.KNN
	data     *trial.Data
	accuracy float64
	rows     []int // to attack, in this order
}

// prepare builds the classifiers and chooses their rows.
func (s *settings) prepare(ctx context.Context) ([]*subject, error) {
	d, err := s.Load(ctx)
	if err != nil {
		return nil, err
	}
	var all []*subject
	for _, k := range s.ks {
		subject, err := newSubject(ctx, k, d, s.Points)
		if err != nil {
			return nil, fmt.Errorf("-k %d: %w", k, err)
		}
		all = append(all, subject)
	}
	return all, nil
}

func newSubject(ctx context.Context, k int, d *trial.Data, points int) (*subject, error) {
	s := &subject{k: k, data: d}
	var err error
	if s.knn, err = classifier.NewKNN(d.Train, d.TrainY, classifier.KNNOptions{K: k}); err != nil {
		return nil, err
	}
	predicted, err := metrics.Predict(ctx, s.knn, d.Test)
	if err != nil {
		return nil, err
	}
	if s.accuracy, err = metrics.Accuracy(ctx, s.knn, d.Test, d.TestY); err != nil {
		return nil, err
	}
	if s.rows, err = d.Choose(predicted, points); err != nil {
		return nil, err
	}
	if len(s.rows) == 0 {
		return nil, fmt.Errorf("none of the %d test rows of %s is classified correctly", len(predicted), d.Name)
	}
	return s, nil
}

// measure attacks the subjects in turn and prints the table.
func (s *settings) measure(ctx context.Context, subjects []*subject, stdout, stderr io.Writer) error {
	out, err := trial.Create(s.Out, "k", "norm")
	if err != nil {
		return err
	}
	results, err := s.attack(ctx, subjects, out, stderr)
	if err = errors.Join(err, out.Close()); err != nil {
		return fmt.Errorf("%w; the points are in %s", err, s.Out)
	}
	return s.print(stdout, subjects, results)
}

// result is what a subject's points say together.
type result struct {
	*trial.Summary
	memory uint64 // MiB
}

func (s *settings) attack(ctx context.Context, subjects []*subject, out *trial.File, stderr io.Writer) ([]result, error) {
	var results []result
	for _, subject := range subjects {
		memory := trial.NewPeak()
		points, err := trial.Attack(ctx, subject.knn, subject.data.Test, subject.data.TestY, trial.Options{
			Norm: s.Norm, Timeout: s.Timeout, Workers: s.Workers,
			Rows: subject.rows, Doing: fmt.Sprintf("k = %d", subject.k), Each: out.Each(subject.k, s.Norm),
		}, stderr)
		if err != nil {
			return nil, fmt.Errorf("k = %d: %w", subject.k, err)
		}
		summary, err := trial.Summarize(points)
		if err != nil {
			return nil, err
		}
		results = append(results, result{summary, memory.MiB()})
	}
	return results, nil
}
