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
	"errors"
	"flag"
	"fmt"
	"io"

	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
)

func main() { command.Main(run) }

// run is the program; it returns the exit status.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("roptimal", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	out := flags.String("out", "out", "write the pictures to this `folder`, made if missing")
	err := flags.Parse(args)
	if err == nil && flags.NArg() > 0 {
		err = fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	switch {
	case errors.Is(err, flag.ErrHelp):
		flags.SetOutput(stdout)
		flags.Usage()
		return 0
	case err != nil:
		fmt.Fprintf(stderr, "roptimal: %v; -help lists the flags.\n", err)
		return 2
	}
	err = full.run(ctx, *out, stdout)
	switch {
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(stderr, "roptimal: interrupted.")
		return 1
	case err != nil:
		fmt.Fprintf(stderr, "roptimal: %v.\n", err)
		return 1
	}
	return 0
}
