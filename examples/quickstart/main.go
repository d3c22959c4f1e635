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
	"errors"
	"flag"
	"fmt"
	"io"

	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
)

func main() { command.Main(run) }

// run is the program; it returns the exit status.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("quickstart", flag.ContinueOnError)
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
		fmt.Fprintf(stderr, "quickstart: %v; -help lists the flags.\n", err)
		return 2
	}
	err = quickstart(ctx, *out, stdout, stderr)
	switch {
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(stderr, "quickstart: interrupted.")
		return 1
	case err != nil:
		fmt.Fprintf(stderr, "quickstart: %v.\n", err)
		return 1
	}
	return 0
}
