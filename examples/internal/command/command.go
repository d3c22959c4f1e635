// Package command is how the examples begin and end: signals, exit statuses, and one
// sentence on what went wrong.
package command

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
)

// The exit statuses.
const (
	Done   = 0
	Failed = 1 // the work failed
	Misuse = 2 // wrong use or input
)

// Main runs a program and exits with the status that it returns. The first signal
// ends its context, a second one kills.
func Main(run func(ctx context.Context, args []string, stdout, stderr io.Writer) int) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// Complain writes the error as one sentence of the program, and returns the status.
func Complain(stderr io.Writer, program string, status int, err error) int {
	sentence := strings.Join(strings.Fields(err.Error()), " ")
	fmt.Fprintf(stderr, "%s: %s\n", program, sentence)
	return status
}
