package main

import (
	"context"
	"errors"
	"flag"
	"io"

	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
)

// run is the program. It returns the exit status.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	complain := func(status int, err error) int { return command.Complain(stderr, "neighbors", status, err) }
	s, err := parse(args)
	if errors.Is(err, flag.ErrHelp) {
		usage(stdout)
		return command.Done
	}
	if err != nil {
		return complain(command.Misuse, err)
	}
	if s.growth {
		if err := s.measureGrowth(ctx, stdout, stderr); err != nil {
			return complain(command.Failed, err)
		}
		return command.Done
	}
	subjects, err := s.prepare(ctx)
	if ctx.Err() != nil {
		return complain(command.Failed, errors.New("interrupted before the first point"))
	}
	if err != nil {
		return complain(command.Misuse, err)
	}
	if err := s.measure(ctx, subjects, stdout, stderr); err != nil {
		return complain(command.Failed, err)
	}
	return command.Done
}
