package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"

	"github.com/spf13/pflag"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
	"github.com/seed-1a7dc1f9/facet/examples/internal/outfile"
	"github.com/seed-1a7dc1f9/facet/examples/internal/results"
	"github.com/seed-1a7dc1f9/facet/examples/internal/subject"
	"github.com/seed-1a7dc1f9/facet/metrics"
)

// prediction is the labels that a classifier gives to test rows.
type prediction struct {
	subject.Flags
	out       string
	overwrite bool
	data      *subject.Subject
	predicted []int
}

func beginPredict(f *pflag.FlagSet) command.Work {
	p := new(prediction)
	p.Unlabeled = true
	p.AddRows(f)
	p.AddModel(f)
	p.AddThreshold(f)
	p.AddWorkers(f)
	f.StringVar(&p.out, "out", "",
		"write one JSON object a line for each test row to this `file` (default standard output)")
	command.Overwrite(f, &p.overwrite)
	return p.run
}

func (p *prediction) run(ctx context.Context, stdout, stderr io.Writer) error {
	if err := p.prepare(ctx, stderr); err != nil {
		return command.Misuse(err)
	}
	if p.out == "" {
		return p.writeLines(stdout)
	}
	if err := outfile.Write(p.out, p.writeLines); err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	return p.printTable(outfile.ForPeople(stdout, stderr, p.out))
}

func (p *prediction) prepare(ctx context.Context, stderr io.Writer) (err error) {
	err = p.Check(subject.Required{Flag: "test", Why: "its rows are predicted"})
	if err == nil {
		err = p.CheckOutputs(p.overwrite, outfile.Output{Flag: "out", Path: p.out})
	}
	if err == nil {
		p.data, err = p.Load(ctx, stderr)
	}
	if err != nil {
		return err
	}
	p.predicted, err = metrics.Predict(ctx, p.data.Classifier, p.data.Test.Matrix())
	return err
}

// predictionLine is the line about a row.
type predictionLine struct {
	results.Asked
	// of each label; null: the model has none
	Scores        map[string]float64 `json:"scores"`
	Probabilities map[string]float64 `json:"probabilities"`
}

func (p *prediction) writeLines(w io.Writer) error {
	b := bufio.NewWriter(w)
	lines := json.NewEncoder(b)
	lines.SetEscapeHTML(false)
	labels := p.data.Classes.Labels()
	scoring, x := scoringOf(p.data.Classifier), p.data.Test.Matrix()
	named := func(of func(x []float64) []float64, row int) map[string]float64 {
		if of == nil {
			return nil
		}
		values := of(x.RawRowView(row))
		if len(values) != len(labels) {
			return nil // sums of more classes decide whether the probability of one is reached
		}
		all := make(map[string]float64)
		for class, v := range values {
			all[labels[class].String()] = v
		}
		return all
	}
	for row, class := range p.predicted {
		test := p.data.Test
		l := predictionLine{
			Asked: results.Asked{
				Row: test.Number(row), ID: test.ID(row), Label: test.Label(row),
				Predicted: labels[class],
			},
			Scores:        named(scoring.scores, row),
			Probabilities: named(scoring.probabilities, row),
		}
		if err := lines.Encode(l); err != nil {
			return err
		}
	}
	return b.Flush()
}

// scoring has the functions that a classifier computes for its classes; nil where it has none.
type scoring struct{ scores, probabilities func(x []float64) []float64 }

func scoringOf(c classifier.Classifier) (s scoring) {
	switch c := subject.Trees(c).(type) {
	case *classifier.Ensemble:
		s.scores = means(c.Scores, c.Options(), c.Len())
		if of, err := c.Probabilities(); err == nil {
			s.probabilities = of
		}
	case *classifier.ObliqueEnsemble:
		s.scores = means(c.Scores, c.Options(), c.Len())
	}
	return s
}

// means divides the sums of votes that average.
func means(
	scores func(x []float64) []float64, opts classifier.EnsembleOptions, trees int,
) func(x []float64) []float64 {
	if opts.Vote != classifier.SoftVote && opts.Vote != classifier.HardVote {
		return scores
	}
	divisor := cmp.Or(opts.Divisor, float64(trees))
	return func(x []float64) []float64 {
		sums := scores(x)
		for i := range sums {
			sums[i] /= divisor
		}
		return sums
	}
}

// printTable prints how often each label is predicted, and how often that is right.
func (p *prediction) printTable(w io.Writer) error {
	labels := p.data.Classes.Labels()
	predicted := make([]int, len(labels))
	for _, class := range p.predicted {
		predicted[class]++
	}
	t := command.NewTable(w)
	t.Row("model", "%s", p.Describe())
	t.Row("test rows", "%d", len(p.predicted))
	if p.data.Test.Y != nil {
		t.Row("test accuracy", "%.4g", p.data.Test.Accuracy(p.predicted))
	}
	for class, count := range predicted {
		fmt.Fprintf(t, "predicted %v\t%d\n", labels[class], count)
	}
	t.Written("rows", p.out)
	return t.Flush()
}
