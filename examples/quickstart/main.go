// Quickstart repeats the paper's experiment on its halfmoon data, which it generates:
// it trains classifiers with and without adversarial pruning, attacks 100 points of
// each exactly, prints the results beside the paper's and draws the decision regions.
//
//	go run ./examples/quickstart
//
// The table goes to standard output, progress to standard error, and the pictures to
// the folder that -out names (out), as PNG and SVG. It exits with 0, with 1 when the work failed,
// or with 2 when it was called wrongly.
package main

import (
	"context"
	"io"

	"github.com/spf13/pflag"

	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
	"github.com/seed-1a7dc1f9/facet/examples/internal/experiment"
	"github.com/seed-1a7dc1f9/facet/examples/internal/outfile"
	"github.com/seed-1a7dc1f9/facet/examples/internal/progress"
)

func main() { full().program().Main() }

// study is which classifiers are pruned how.
type study struct {
	contenders  []contender
	separations []float64 // r, beginning with 0 for no pruning
}

func (s *study) program() *command.Program {
	return &command.Program{
		Name: "quickstart",
		About: "The paper's experiment on its halfmoon data: the table beside the printed " +
			"numbers, and pictures.",
		Begin: func(f *pflag.FlagSet) command.Work {
			var out string
			command.Var(f, &out, "out", "out", command.Some,
				"write the pictures to this `folder`, made if missing")
			return func(ctx context.Context, stdout, stderr io.Writer) error {
				return s.run(ctx, out, stdout, stderr)
			}
		},
	}
}

// run runs the experiment. The folder is tried first, so that a wrong one is
// known before the work is done.
func (s *study) run(ctx context.Context, folder string, stdout, stderr io.Writer) error {
	if err := outfile.Folder(folder); err != nil {
		return err
	}
	bar := new(progress.Bar)
	lab, err := experiment.New(experiment.Options{Progress: func(points int) { bar.Add(points) }})
	if err != nil {
		return err
	}
	set, err := lab.Set(ctx, "halfmoon")
	if err != nil {
		return err
	}
	cells, points, err := s.trainAll(ctx, lab)
	if err != nil {
		return err
	}
	bar = progress.New(stderr, progress.Options{
		Description: "attacking",
		Unit:        "points",
		Total:       points,
	})
	err = attackAll(ctx, lab, cells)
	bar.Close()
	if err != nil {
		return err
	}
	if err := writeTable(stdout, set, cells); err != nil {
		return err
	}
	return s.drawAll(ctx, set, cells, folder, stdout)
}
