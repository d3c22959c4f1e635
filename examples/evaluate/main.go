package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"

	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
	"github.com/seed-1a7dc1f9/facet/examples/internal/trial"
	"github.com/seed-1a7dc1f9/facet/metrics"
)

func main() { program().Main() }

func program() *command.Program {
	return &command.Program{
		Name:  "evaluate",
		About: "Robustness of one classifier on your own files.",
		Forms: []string{"-train FILE -test FILE [flags]"},
		Stray: ": files are named by flags such as -test",
		Begin: func(f *flag.FlagSet) command.Work { return newSettings(f).run },
	}
}

func (s *settings) run(ctx context.Context, stdout, stderr io.Writer) error {
	if err := s.finish(); err != nil {
		return command.Misuse(err)
	}
	e, err := prepare(ctx, s)
	if err != nil {
		return command.Misuse(err)
	}
	out, err := openOutput(e)
	if err != nil {
		return command.Misuse(err)
	}
	if err := cmp.Or(e.attackRows(ctx, out, stderr), out.close()); err != nil {
		return err
	}
	return e.report(out, stdout)
}

// attackRows attacks the rows that are not in out yet.
func (e *evaluation) attackRows(ctx context.Context, out *output, stderr io.Writer) error {
	_, err := trial.Evaluate(ctx, e.classifier, e.data.test.matrix(), nil, metrics.Options{
		Norm:    e.norm,
		Attack:  e.attack,
		Workers: e.workers,
		Rows:    out.remaining(e.rows),
		Each:    func(p metrics.Point) error { return out.add(e.newLine(p)) },
	}, "attacking", stderr)
	if errors.Is(err, trial.ErrInterrupted) {
		return e.interruption(out)
	}
	return err
}

// interruption says how to go on.
func (e *evaluation) interruption(out *output) error {
	rows := fmt.Sprintf("interrupted with %d of %d rows done", len(out.lines), len(e.rows))
	if e.out == "" {
		return fmt.Errorf("%s, which are lost: with -out FILE they are kept, and -resume continues", rows)
	}
	return fmt.Errorf("%s; run the same command with -resume to continue %s", rows, e.out)
}
