// Package command is how the programs begin and end: signals, flags, their explanation, exit
// statuses, and one sentence about an error.
package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/pflag"
)

// The exit statuses.
const (
	Done        = 0
	Failed      = 1 // the work failed
	Misused     = 2 // wrong use or input
	Interrupted = 3
)

// ErrInterrupted begins the message about work that a signal ended.
var ErrInterrupted = errors.New("interrupted")

// Program is a program that takes flags alone.
type Program struct {
	Name  string
	About string   // a sentence about the program
	Forms []string // of calling it: the text behind its name; nil for [flags]
	Stray string   // advice on a word among the flags, if that is needed
	// Begin adds the flags to f and returns the work, which is done once they are parsed.
	Begin func(f *pflag.FlagSet) Work
}

// Work does the work that the flags ask for. Misuse marks an error about them.
type Work func(ctx context.Context, stdout, stderr io.Writer) error

// Main runs the program and exits.
func (p *Program) Main() { Exit(p.Run) }

// Exit runs a program and exits with its status. The first signal ends the context of the work, a
// second one kills.
func Exit(run func(ctx context.Context, args []string, stdout, stderr io.Writer) int) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// Run runs the program and returns its exit status.
func (p *Program) Run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	f := pflag.NewFlagSet(p.Name, pflag.ContinueOnError)
	f.SortFlags = false
	f.Usage = func() {} // which would be on standard error
	work := p.Begin(f)
	version := f.Bool("version", false, "print the version and build")
	err := f.Parse(twoDashes(f, args))
	if errors.Is(err, pflag.ErrHelp) {
		p.explain(f, stdout)
		return Done
	}
	if err == nil && *version {
		fmt.Fprintln(stdout, p.Name, Version())
		return Done
	}
	if err == nil && f.NArg() > 0 {
		err = Stray(f.Arg(0), p.Stray)
	}
	if err != nil {
		return End(ctx, stderr, p.Name, WrongUse(err, p.Name, f, nil))
	}
	return End(ctx, stderr, p.Name, work(ctx, stdout, stderr))
}

// twoDashes lets flags be written with one dash too, as the programs' own documents do.
func twoDashes(f *pflag.FlagSet, args []string) []string {
	out := make([]string, len(args))
	for i, arg := range args {
		name, _, _ := strings.Cut(arg, "=")
		if strings.HasPrefix(name, "-") && (f.Lookup(name[1:]) != nil || name == "-help") {
			arg = "-" + arg
		}
		out[i] = arg
	}
	return out
}

// explain prints a description of the program and its flags.
func (p *Program) explain(f *pflag.FlagSet, stdout io.Writer) {
	forms := p.Forms
	if forms == nil {
		forms = []string{"[flags]"}
	}
	for i, form := range forms {
		forms[i] = p.Name + " " + form
	}
	Explain(stdout, p.About, forms, f)
}

// End prints the error, if there is one, and returns the exit status.
func End(ctx context.Context, stderr io.Writer, program string, err error) int {
	wrong := (*misuse)(nil)
	misused := errors.As(err, &wrong)
	own := (*failing)(nil)
	switch {
	case err == nil:
		return Done
	case ctx.Err() == nil && errors.As(err, &own):
		if own.error != nil {
			Complain(stderr, program, own.error)
		}
		return own.status
	case errors.Is(err, ErrTold) && ctx.Err() != nil:
		return Interrupted
	case errors.Is(err, ErrTold):
		return Failed
	case ctx.Err() != nil && misused:
		err = fmt.Errorf("%w before the first point", ErrInterrupted)
	case ctx.Err() != nil && errors.Is(err, ctx.Err()):
		err = ErrInterrupted
	}
	Complain(stderr, program, err)
	switch {
	case errors.Is(err, ErrInterrupted):
		return Interrupted
	case misused:
		return Misused
	}
	return Failed
}

// Complain writes the error as one sentence of the program.
func Complain(stderr io.Writer, program string, err error) {
	fmt.Fprintf(stderr, "%s: %s\n", program, inWords(err))
}

// ErrTold is the error of work that has printed its own error.
var ErrTold = errors.New("command: what went wrong was told")

// failing is an error with an exit status of its own.
type failing struct {
	error
	status int
}

func (e *failing) Unwrap() error { return e.error }

// Failing makes work end with an exit status of its own; a nil error is not printed, and 0 is Done.
func Failing(status int, err error) error {
	if status == Done && err == nil {
		return nil
	}
	return &failing{err, status}
}

// misuse is an error about flags or input.
type misuse struct{ error }

func (e *misuse) Unwrap() error { return e.error }

// Misuse marks an error of preparing the work, before it changes or prints anything: the
// user is to blame for it, unless the context has ended. A nil error stays nil.
func Misuse(err error) error {
	if err == nil {
		return nil
	}
	return &misuse{err}
}

// UnlessEnded calls a function that may wait for a pipe or a terminal for ever. It does not wait
// for it any more once the context has ended, with which the program ends too.
func UnlessEnded[T any](ctx context.Context, call func() (T, error)) (T, error) {
	type answer struct {
		value T
		err   error
	}
	answers := make(chan answer, 1)
	go func() {
		value, err := call()
		answers <- answer{value, err}
	}()
	select {
	case a := <-answers:
		return a.value, a.err
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}
