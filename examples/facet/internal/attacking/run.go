// Package attacking is the command that attacks test rows: it writes a line for each of them and sums
// them up.
package attacking

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
	"github.com/seed-1a7dc1f9/facet/examples/internal/trial"
	"github.com/seed-1a7dc1f9/facet/metrics"
)

func (s *settings) run(ctx context.Context, stdout, stderr io.Writer) error {
	if err := s.finish(); err != nil {
		return command.Misuse(err)
	}
	e, err := prepare(ctx, s, stderr)
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
	_, err := trial.Evaluate(ctx, e.data.Classifier, e.data.Test.Matrix(), nil, metrics.Options{
		Norm:    e.Norm,
		Attack:  e.attack,
		Workers: e.Workers,
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
		return fmt.Errorf("%s, which are lost: with --out FILE they are kept, and --resume continues", rows)
	}
	return fmt.Errorf("%s; run the same command with --resume to continue %s", rows, e.out)
}
