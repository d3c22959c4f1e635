package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"text/tabwriter"

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
			return nil, fmt.Errorf("--k %d: %w", k, err)
		}
		t := &subject{k: k}
		if t.Subject, err = s.Subject(ctx, knn, d); err != nil {
			return nil, fmt.Errorf("--k %d: %w", k, err)
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
		if t.Summary, err = s.Measure(ctx, t.Subject, out.Each(t.k, s.Norm), fmt.Sprintf("k = %d", t.k), stderr); err != nil {
			return fmt.Errorf("k = %d: %w", t.k, err)
		}
		t.memory = memory.MiB()
	}
	return nil
}

// print prints what was measured and where the points are.
func (s *settings) print(w io.Writer, subjects []*subject) error {
	fmt.Fprintf(w, "data: %s\n", subjects[0].About)
	fmt.Fprintf(w, "attack: exact, %s\n\n", s.Limit())
	table := newTable(w, "k\tnorm\taccuracy\tproven\tmean distance\tmean bound\tgap of the rest\tmedian ms\tmean ms\tworst ms\tnodes\tprograms\tMiB\t")
	for _, t := range subjects {
		fmt.Fprintf(table, "%d\t%v\t%.4g\t%d of %d\t%s\t%s\t%s\t%.4g\t%.4g\t%.4g\t%.4g\t%.4g\t%d\t\n",
			t.k, s.Norm, t.Accuracy, t.Optimal, t.Attacked, trial.Mean(t.Mean), trial.Mean(t.Bound), percent(t.Gap),
			t.Median, t.Average, t.Most, t.Nodes, t.Programs, t.memory)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	for _, t := range subjects {
		if without := t.Without(); without != "" {
			fmt.Fprintf(w, "k = %d: means%s\n", t.k, without)
		}
	}
	_, err := fmt.Fprintf(w, "\npoints written to %s\n", s.Out)
	return err
}

// newTable begins a table with this line.
func newTable(w io.Writer, head string) *tabwriter.Writer {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, head)
	return table
}

// percent shows a share, or that there is none.
func percent(v float64) string {
	if math.IsNaN(v) {
		return "-"
	}
	return fmt.Sprintf("%.2f %%", 100*v)
}
