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
	d, err := loadData(s)
	if err != nil {
		return complain(stderr, misuse, err)
	}
	if s.dump != "" {
		if err := d.dump(s.dump, stdout); err != nil {
			return complain(stderr, failed, fmt.Errorf("-dump: %w", err))
		}
		return done
	}
	t, err := prepare(ctx, s, d)
	if ctx.Err() != nil {
		return complain(stderr, failed, errors.New("interrupted before the first point"))
	}
	if err != nil {
		return complain(stderr, misuse, err)
	}
	if err := t.measure(ctx, stdout, stderr); err != nil {
		return complain(stderr, failed, err)
	}
	return done
}

// complain writes one sentence.
func complain(stderr io.Writer, status int, err error) int {
	sentence := strings.Join(strings.Fields(err.Error()), " ")
	fmt.Fprintf(stderr, "ensembles: %s\n", sentence)
	return status
}
