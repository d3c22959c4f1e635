package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
	"github.com/seed-1a7dc1f9/facet/examples/internal/outfile"
	"github.com/seed-1a7dc1f9/facet/examples/internal/trial"
)

func main() { program().Main() }

func program() *command.Program {
	return &command.Program{
		Name:  "ensembles",
		About: "How many points of a large ensemble are proven in a time limit.",
		Stray: ": a set is named by -data, a model by -model",
		Begin: func(f *flag.FlagSet) command.Work {
			s := newSettings(f)
			return func(ctx context.Context, stdout, stderr io.Writer) error {
				return s.run(ctx, command.Given(f), stdout, stderr)
			}
		},
	}
}

// settings are the flags.
type settings struct {
	trial.Flags
	model        string
	trees, depth int
	dump         string
}

func newSettings(f *flag.FlagSet) *settings {
	s := &settings{Flags: trial.Flags{Data: "mnist17", Points: 50, Out: "out/ensembles.tsv"}}
	s.Register(f)
	command.Var(f, &s.model, "model", "forest", command.Some, "forest, trained here, or the `file` of a model: scikit-learn's export, XGBoost's JSON or LightGBM's text")
	command.Var(f, &s.trees, "trees", "500", command.AtLeast(1), "`number` of trees (forest)")
	command.Var(f, &s.depth, "depth", "10", command.AtLeast(0), "`number` of splits on a path of a tree (forest); 0: no limit")
	f.StringVar(&s.dump, "dump", "", "write the training and test rows as NPY files to this `folder`, and stop")
	return s
}

// subject is what is known before the first attack.
type subject struct {
	*trial.Subject
	ensemble *classifier.Ensemble
	out      *trial.File
}

func (s *settings) run(ctx context.Context, given map[string]bool, stdout, stderr io.Writer) error {
	for _, name := range []string{"trees", "depth"} {
		if given[name] && s.model != "forest" {
			return command.Misuse(fmt.Errorf("-%s is for -model forest: %s is trained already", name, s.model))
		}
	}
	d, err := s.Load(ctx)
	if err != nil {
		return command.Misuse(err)
	}
	if s.dump != "" {
		if err := dump(d, s.dump, stdout); err != nil {
			return fmt.Errorf("-dump: %w", err)
		}
		return nil
	}
	t, err := s.prepare(ctx, d)
	if err != nil {
		return command.Misuse(err)
	}
	return s.measure(ctx, t, stdout, stderr)
}

// prepare trains or reads the ensemble, chooses the rows and begins -out.
func (s *settings) prepare(ctx context.Context, d *trial.Data) (*subject, error) {
	if outfile.Same(s.Out, s.model) {
		return nil, fmt.Errorf("-out %s would overwrite the file of -model", s.Out)
	}
	e, err := s.build(ctx, d)
	if err != nil {
		return nil, err
	}
	t := &subject{ensemble: e}
	if t.Subject, err = s.Subject(ctx, e, d); err != nil {
		return nil, fmt.Errorf("-model %s: %w", s.model, err)
	}
	t.out, err = trial.Create(s.Out)
	return t, err
}

// measure attacks the rows and prints the table.
func (s *settings) measure(ctx context.Context, t *subject, stdout, stderr io.Writer) error {
	memory := trial.NewPeak()
	summary, err := t.Measure(ctx, &s.Flags, t.out.Each(), "attacking", stderr)
	if err = errors.Join(err, t.out.Close()); err != nil {
		return fmt.Errorf("%w; the points are in %s", err, s.Out)
	}
	return s.print(stdout, t, summary, memory)
}
