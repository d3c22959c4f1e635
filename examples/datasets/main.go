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
	s, err := parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		usage(stdout)
		return 0
	case err != nil:
		fmt.Fprintf(stderr, "datasets: %v; -help lists the flags.\n", err)
		return 2
	}
	if len(s.sets) == 0 {
		if err := list(stdout, s); err != nil {
			fmt.Fprintf(stderr, "datasets: %v.\n", err)
			return 1
		}
		return 0
	}
	return fetchAll(ctx, s, stdout, stderr)
}

// fetchAll downloads the files of the sets one after another and reports each; it
// returns the exit status.
func fetchAll(ctx context.Context, s *settings, stdout, stderr io.Writer) int {
	status := 0
	fail := func(err error) {
		fmt.Fprintf(stderr, "datasets: %v.\n", err)
		status = 1
	}
	f := newFetcher(stderr)
	for _, file := range filesOf(s.sets, s.catalogue) {
		done, err := f.provide(ctx, s, file)
		if err != nil {
			fail(fmt.Errorf("%s: %w", file.name(), err))
			if ctx.Err() != nil {
				return status
			}
			continue
		}
		if _, err := fmt.Fprintln(stdout, done); err != nil {
			fail(err)
			return status
		}
	}
	if note := s.elsewhere(); note != "" && status == 0 {
		if _, err := fmt.Fprintln(stdout, note); err != nil {
			fail(err)
		}
	}
	return status
}
