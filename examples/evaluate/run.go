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
	s, err := parse(args)
	if errors.Is(err, flag.ErrHelp) {
		usage(stdout)
		return command.Done
	}
	if err != nil {
		return command.Complain(stderr, "evaluate", command.Misuse, err)
	}
	e, err := prepare(ctx, s)
	if err != nil {
		if ctx.Err() != nil {
			return command.Complain(stderr, "evaluate", command.Failed, errors.New("interrupted before the first row"))
		}
		return command.Complain(stderr, "evaluate", command.Misuse, err)
	}
	out, err := openOutput(e)
	if err != nil {
		return command.Complain(stderr, "evaluate", command.Misuse, err)
	}
	err = e.attackRows(ctx, out, stderr)
	if closing := out.close(); err == nil {
		err = closing
	}
	if err != nil {
		return command.Complain(stderr, "evaluate", command.Failed, err)
	}
	if err := e.report(out, stdout); err != nil {
		return command.Complain(stderr, "evaluate", command.Failed, err)
	}
	return command.Done
}
