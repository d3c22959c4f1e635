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
	"flag"
	"io"

	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
)

func main() { program().Main() }

func program() *command.Program {
	return &command.Program{
		Name:  "roptimal",
		About: "Pruned 1-NN beside the r-optimal rule of a known mixture: a table and pictures.",
		Begin: func(f *flag.FlagSet) command.Work {
			out := f.String("out", "out", "write the pictures to this `folder`, made if missing")
			return func(ctx context.Context, stdout, _ io.Writer) error { return full.run(ctx, *out, stdout) }
		},
	}
}
