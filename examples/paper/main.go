package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
)

// The exit statuses.
const (
	done   = 0
	failed = 1 // the work failed
	misuse = 2 // wrong use
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the program at once
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// run is the program; it returns the exit status.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	s, err := parse(args)
	if errors.Is(err, flag.ErrHelp) {
		usage(stdout)
		return done
	}
	if err != nil {
		complain(stderr, err)
		return misuse
	}
	if err := s.reproduce(ctx, stdout, stderr); err != nil {
		complain(stderr, err)
		return failed
	}
	return done
}

// complain writes one sentence.
func complain(stderr io.Writer, err error) {
	fmt.Fprintf(stderr, "paper: %s.\n", strings.Join(strings.Fields(err.Error()), " "))
}
