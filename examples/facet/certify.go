package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/examples/facet/internal/subject"
	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
	"github.com/seed-1a7dc1f9/facet/examples/internal/plotting"
	"github.com/seed-1a7dc1f9/facet/examples/internal/tabular"
	"github.com/seed-1a7dc1f9/facet/examples/internal/trial"
	"github.com/seed-1a7dc1f9/facet/metrics"
)

// certification is the question whether test rows are robust at some radii, and its answers.
type certification struct {
	subject.Flags
	radii     []float64 // ascending
	points    int       // 0: all
	timeout   time.Duration
	out, plot string

	data    *subject.Subject
	labels  []tabular.Label // of the classes
	answers []metrics.Point // of each row; those of misclassified rows claim nothing
	took    time.Duration
}

func newCertify() *cobra.Command {
	return newCommand("certify", "Which test rows keep their label within a radius? Each yes is proven.",
		"--train FILE --test FILE --radius R,… [flags]", func(f *pflag.FlagSet) command.Work {
			c := new(certification)
			command.Var(f, &c.radii, "radius", "", parseRadii, "the radii `R,…`: is a row robust at R, so that all inputs at distance ≤ R have its label?")
			c.AddRows(f)
			c.AddModel(f)
			c.AddSearch(f)
			command.Var(f, &c.points, "points", "0", command.AtLeast(0), "ask about the first `N` test rows; 0: all")
			command.Var(f, &c.timeout, "timeout", "0s", command.Limit, "`time` for a row, all radii together, such as 10s; 0: no limit")
			f.StringVar(&c.out, "out", "", "write one JSON object a line for each test row to this `file`")
			f.StringVar(&c.plot, "plot", "", "draw the certified and the possible accuracy against the radius: a `file`.png or .svg")
			return c.run
		})
}

// parseRadii reads radii and returns them in ascending order.
func parseRadii(text string) ([]float64, error) {
	radii, err := command.Each(command.Radius)(text)
	slices.Sort(radii)
	return slices.Compact(radii), err
}

func (c *certification) run(ctx context.Context, stdout, stderr io.Writer) error {
	if err := c.prepare(ctx, stderr); err != nil {
		return command.Misuse(err)
	}
	if err := c.ask(ctx, stderr); err != nil {
		return err
	}
	if err := c.write(); err != nil {
		return err
	}
	return c.printTable(stdout)
}

// prepare does all that can fail because of the user.
func (c *certification) prepare(ctx context.Context, stderr io.Writer) (err error) {
	if err := c.check(); err != nil {
		return err
	}
	if c.data, err = c.Load(ctx, stderr); err != nil {
		return err
	}
	c.labels = c.data.Classes.Labels()
	return ctx.Err()
}

func (c *certification) check() error {
	switch {
	case c.radii == nil:
		return errors.New("--radius R is missing: several are separated by commas, as in --radius 0.05,0.1")
	case c.Test == "":
		return errors.New("--test FILE is missing: its rows are asked about")
	}
	if err := c.Check(); err != nil {
		return err
	}
	if c.plot != "" {
		if err := plotting.CheckName(c.plot); err != nil {
			return fmt.Errorf("--plot: %w", err)
		}
	}
	return c.CheckOutputs(subject.Output{Flag: "out", Path: c.out}, subject.Output{Flag: "plot", Path: c.plot})
}

// ask asks about the rows that are classified correctly; the others are not robust in any sense that counts.
func (c *certification) ask(ctx context.Context, stderr io.Writer) error {
	predicted, err := metrics.Predict(ctx, c.data.Classifier, c.data.Test.Matrix())
	if err != nil {
		return err
	}
	if c.points > 0 {
		predicted = predicted[:min(c.points, len(predicted))]
	}
	rows := []int{}
	for row, class := range predicted {
		c.answers = append(c.answers, metrics.Point{Row: row, Predicted: class, TrueLabel: c.data.Test.Y[row]})
		if c.answers[row].Correct() {
			rows = append(rows, row)
		}
	}
	start := time.Now()
	_, err = trial.Evaluate(ctx, c.data.Classifier, c.data.Test.Matrix(), nil, metrics.Options{
		Norm: c.Norm,
		Attack: &attack.RegionBased{
			Classifier: c.data.Classifier,
			Options:    attack.Options{Norm: c.Norm, Radii: c.radii, Workers: 1, Timeout: c.timeout},
		},
		Workers: c.Workers,
		Rows:    rows,
		Each:    func(p metrics.Point) error { c.answers[p.Row] = p; return nil },
	}, "certifying", stderr)
	c.took = time.Since(start)
	return err
}
