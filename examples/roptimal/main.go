// Roptimal shows that adversarial pruning is a finite-sample version of the
// r-optimal classifier: on a known mixture in the plane, the astuteness of 1-NN
// trained on pruned samples approaches that of the r-optimal rule as samples grow,
// which no classifier exceeds, and that of 1-NN without pruning does not.
//
//	go run ./examples/roptimal
//
// The table goes to standard output, and the pictures to the folder that -out names
// (out), as PNG and SVG. It exits with 0, with 1 when the work failed, or with 2 when
// it was called wrongly.
package main

import (
	"context"
	"io"

	"github.com/spf13/pflag"

	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
	"github.com/seed-1a7dc1f9/facet/examples/internal/outfile"
	"github.com/seed-1a7dc1f9/facet/polytope"
	"github.com/seed-1a7dc1f9/facet/prune"
)

func main() { program().Main() }

func program() *command.Program {
	return &command.Program{
		Name:  "roptimal",
		About: "Pruned 1-NN beside the r-optimal rule of a known mixture: a table and pictures.",
		Begin: func(f *pflag.FlagSet) command.Work {
			var out string
			command.Var(f, &out, "out", "out", command.Some,
				"write the pictures to this `folder`, made if missing")
			return func(ctx context.Context, stdout, _ io.Writer) error {
				return full.run(ctx, out, stdout)
			}
		},
	}
}

// radius is r, in ℓ2: a third of the distance between the centres of the mixture
// that are nearest to each other.
const radius = 0.12

// pruner separates by 2r.
var pruner = prune.Adversarial{Radius: radius, Norm: polytope.L2}

// experiment has the sizes that decide how long it takes.
type experiment struct {
	sizes   []int // numbers of training points
	repeats int   // training sets of each size
	tested  int   // points drawn to measure astuteness with
	squares int   // along an edge of the grid that the rule is computed on
}

// full takes half a minute.
var full = experiment{
	sizes:   []int{50, 100, 200, 500, 1000, 2000, 5000, 10_000},
	repeats: 3,
	tested:  2000,
	squares: 192,
}

// run runs the experiment. The folder is made first, so that a wrong one is known
// before the work is done.
func (e *experiment) run(ctx context.Context, folder string, stdout io.Writer) error {
	if err := outfile.Folder(folder); err != nil {
		return err
	}
	rule, err := optimalRule(ctx, e.squares)
	if err != nil {
		return err
	}
	results, err := e.measureAll(ctx, rule)
	if err != nil {
		return err
	}
	return e.report(ctx, rule, results, folder, stdout)
}

// report prints the table and draws the pictures.
func (e *experiment) report(
	ctx context.Context, rule *rule, results []*result, folder string, stdout io.Writer,
) error {
	if err := e.writeTable(stdout, rule, results); err != nil {
		return err
	}
	figure, err := e.regions(ctx, rule, results)
	if err != nil {
		return err
	}
	if err := figure.Publish(ctx, stdout, folder, "roptimal-regions"); err != nil {
		return err
	}
	return e.growth(rule, results).Publish(ctx, stdout, folder, "roptimal-growth")
}
