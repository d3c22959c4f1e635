package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
)

// The exit statuses.
const (
	done   = 0
	failed = 1 // the work failed
	misuse = 2 // wrong use or input
)

// run is the program. It returns the exit status.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	s, err := parse(args)
	if errors.Is(err, flag.ErrHelp) {
		usage(stdout)
		return done
	}
	if err != nil {
		return complain(stderr, misuse, err)
	}
	e, err := prepare(ctx, s)
	if err != nil {
		if ctx.Err() != nil {
			return complain(stderr, failed, errors.New("interrupted before the first row"))
		}
		return complain(stderr, misuse, err)
	}
	out, err := openOutput(e)
	if err != nil {
		return complain(stderr, misuse, err)
	}
	err = e.attackRows(ctx, out, stderr)
	if closing := out.close(); err == nil {
		err = closing
	}
	if err != nil {
		return complain(stderr, failed, err)
	}
	if err := e.report(out, stdout); err != nil {
		return complain(stderr, failed, err)
	}
	return done
}

// complain writes one sentence.
func complain(stderr io.Writer, status int, err error) int {
	sentence := strings.Join(strings.Fields(err.Error()), " ")
	fmt.Fprintf(stderr, "evaluate: %s\n", sentence)
	return status
}
