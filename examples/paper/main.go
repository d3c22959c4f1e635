package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
)

func main() { command.Main(run) }

// run is the program; it returns the exit status.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	s, err := parse(args)
	if errors.Is(err, flag.ErrHelp) {
		usage(stdout)
		return command.Done
	}
	if err != nil {
		complain(stderr, err)
		return command.Misuse
	}
	if err := s.reproduce(ctx, stdout, stderr); err != nil {
		complain(stderr, err)
		return command.Failed
	}
	return command.Done
}

// complain writes one sentence.
func complain(stderr io.Writer, err error) {
	fmt.Fprintf(stderr, "paper: %s.\n", strings.Join(strings.Fields(err.Error()), " "))
}
