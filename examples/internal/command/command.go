// Package command is how the programs begin and end: signals, flags, their explanation, exit
// statuses, and one sentence on what went wrong.
package command

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
	Done    = 0
	Failed  = 1 // the work failed or was interrupted
	Misused = 2 // wrong use or input
)

// Program is a program that is told by flags alone what to do.
type Program struct {
	Name  string
	About string   // a sentence on what it does
	Forms []string // of calling it: what follows its name; nil for [flags]
	Stray string   // where what stands among the flags belongs, if that needs saying
	// Begin adds the flags to f and returns the work, which is done once they are parsed.
	Begin func(f *flag.FlagSet) Work
}

// Work does what the flags say. Misuse marks an error about them.
type Work func(ctx context.Context, stdout, stderr io.Writer) error

// Main runs the program and exits. The first signal ends the context of the work, a second
// one kills.
func (p *Program) Main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	os.Exit(p.Run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// Run runs the program and returns its exit status.
func (p *Program) Run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	f := flag.NewFlagSet(p.Name, flag.ContinueOnError)
	f.SetOutput(io.Discard)
	work := p.Begin(f)
	err := f.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		p.explain(f, stdout)
		return Done
	}
	if err == nil && f.NArg() > 0 {
		err = fmt.Errorf("%q is not a flag%s", f.Arg(0), p.Stray)
	}
	if err != nil {
		return p.end(ctx, stderr, Misuse(fmt.Errorf("%w; -help lists the flags", err)))
	}
	return p.end(ctx, stderr, work(ctx, stdout, stderr))
}

// explain prints what the program does and its flags.
func (p *Program) explain(f *flag.FlagSet, stdout io.Writer) {
	fmt.Fprintf(stdout, "%s\n\n", p.About)
	forms := p.Forms
	if forms == nil {
		forms = []string{"[flags]"}
	}
	for _, form := range forms {
		fmt.Fprintf(stdout, "  %s %s\n", p.Name, form)
	}
	fmt.Fprintln(stdout)
	f.SetOutput(stdout)
	f.PrintDefaults()
}

// end says what went wrong, if anything did, and returns the status.
func (p *Program) end(ctx context.Context, stderr io.Writer, err error) int {
	wrong := (*misuse)(nil)
	misused := errors.As(err, &wrong)
	switch {
	case err == nil:
		return Done
	case errors.Is(err, ErrTold):
		return Failed
	case ctx.Err() != nil && misused:
		err = errors.New("interrupted before the first point")
	case ctx.Err() != nil && errors.Is(err, ctx.Err()):
		err = errors.New("interrupted")
	case misused:
		Complain(stderr, p.Name, err)
		return Misused
	}
	Complain(stderr, p.Name, err)
	return Failed
}

// Complain writes the error as one sentence of the program.
func Complain(stderr io.Writer, program string, err error) {
	fmt.Fprintf(stderr, "%s: %s\n", program, strings.Join(strings.Fields(err.Error()), " "))
}

// ErrTold is the error of work that has said itself what went wrong.
var ErrTold = errors.New("command: what went wrong was told")

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
