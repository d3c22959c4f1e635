package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"

	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
)

// run is the program. It returns the exit status.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	complain := func(status int, err error) int { return command.Complain(stderr, "ensembles", status, err) }
	s, err := parse(args)
	if errors.Is(err, flag.ErrHelp) {
		usage(stdout)
		return command.Done
	}
	if err != nil {
		return complain(command.Misuse, err)
	}
	d, err := s.Load(ctx)
	if err != nil {
		return complain(command.Misuse, err)
	}
	if s.dump != "" {
		if err := dump(d, s.dump, stdout); err != nil {
			return complain(command.Failed, fmt.Errorf("-dump: %w", err))
		}
		return command.Done
	}
	t, err := prepare(ctx, s, d)
	if ctx.Err() != nil {
		return complain(command.Failed, errors.New("interrupted before the first point"))
	}
	if err != nil {
		return complain(command.Misuse, err)
	}
	if err := t.measure(ctx, stdout, stderr); err != nil {
		return complain(command.Failed, err)
	}
	return command.Done
}
