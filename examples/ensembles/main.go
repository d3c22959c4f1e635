package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/pflag"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
	"github.com/seed-1a7dc1f9/facet/examples/internal/outfile"
	"github.com/seed-1a7dc1f9/facet/examples/internal/trial"
	"github.com/seed-1a7dc1f9/facet/internal/protocol"
)

func main() { program().Main() }

func program() *command.Program {
	return &command.Program{
		Name:  "ensembles",
		About: "How many points of a large ensemble are proven in a time limit.",
		Stray: ": a set is named by --data, a model by --model",
		Begin: func(f *pflag.FlagSet) command.Work { return newSettings(f).run },
	}
}

// settings are the flags.
type settings struct {
	trial.Flags
	model        string
	trees, depth int
	dump         string
}

func newSettings(f *pflag.FlagSet) *settings {
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

func (s *settings) run(ctx context.Context, stdout, stderr io.Writer) error {
	for _, name := range []string{"trees", "depth"} {
		if s.Given(name) && s.model != "forest" {
			return command.Misuse(fmt.Errorf("--%s is for --model forest: %s is trained already", name, s.model))
		}
	}
	d, err := s.Load(ctx)
	if err != nil {
		return command.Misuse(err)
	}
	if s.dump != "" {
		if err := dump(d, s.dump, stdout); err != nil {
			return fmt.Errorf("--dump: %w", err)
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
func (s *settings) prepare(ctx context.Context, d *protocol.Set) (*subject, error) {
	if outfile.Same(s.Out, s.model) {
		return nil, fmt.Errorf("--out %s would overwrite the file of --model", s.Out)
	}
	e, err := s.build(ctx, d)
	if err != nil {
		return nil, err
	}
	t := &subject{ensemble: e}
	if t.Subject, err = s.Subject(ctx, e, d); err != nil {
		return nil, fmt.Errorf("--model %s: %w", s.model, err)
	}
	t.out, err = trial.Create(s.Out)
	return t, err
}

// measure attacks the rows and prints the table.
func (s *settings) measure(ctx context.Context, t *subject, stdout, stderr io.Writer) error {
	memory := trial.NewPeak()
	summary, err := s.Measure(ctx, t.Subject, t.out.Each(), "attacking", stderr)
	if err = errors.Join(err, t.out.Close()); err != nil {
		return fmt.Errorf("%w; the points are in %s", err, s.Out)
	}
	return s.print(stdout, t, summary, memory)
}

// print prints what was measured and where it was written.
func (s *settings) print(w io.Writer, t *subject, sum *trial.Summary, memory *trial.Peak) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	row := func(name, format string, values ...any) { fmt.Fprintf(table, name+"\t"+format+"\n", values...) }
	row("model", "%s", s.describe(t.ensemble))
	row("data", "%s", t.About)
	row("test accuracy", "%.4g", t.Accuracy)
	row("attack", "exact, norm %v, %s", s.Norm, s.Limit())
	row("points", "%d", sum.Attacked)
	row("proven", "%d", sum.Optimal)
	row("share proven", "%.1f %%", 100*float64(sum.Optimal)/float64(sum.Attacked))
	row("mean distance", "%s%s", trial.Mean(sum.Mean), sum.Without())
	row("mean lower bound", "%s", trial.Mean(sum.Bound))
	row("mean relative gap of the rest", "%s", trial.Mean(sum.Gap))
	row("ms a point", "median %.4g, mean %.4g, max %.4g", sum.Median, sum.Average, sum.Most)
	row("nodes a point", "%.4g", sum.Nodes)
	row("peak memory", "%v", memory)
	row("points written to", "%s", s.Out)
	return table.Flush()
}
