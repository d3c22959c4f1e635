package main

import (
	"cmp"
	"context"
	"flag"
	"io"

	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
)

func main() { program().Main() }

func program() *command.Program {
	return &command.Program{
		Name:  "evaluate",
		About: "Robustness of one classifier on your own files.",
		Forms: []string{"-train FILE -test FILE [flags]"},
		Stray: ": files are named by flags such as -test",
		Begin: func(f *flag.FlagSet) command.Work {
			s := newSettings(f)
			return func(ctx context.Context, stdout, stderr io.Writer) error {
				if err := s.finish(f); err != nil {
					return command.Misuse(err)
				}
				return s.run(ctx, stdout, stderr)
			}
		},
	}
}

func (s *settings) run(ctx context.Context, stdout, stderr io.Writer) error {
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
