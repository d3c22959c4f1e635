// Package attacking is the commands that attack test rows, facet attack and facet certify: they
// write a line for each of them and sum them up.
package attacking

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
	"github.com/seed-1a7dc1f9/facet/examples/internal/outfile"
	"github.com/seed-1a7dc1f9/facet/examples/internal/progress"
	"github.com/seed-1a7dc1f9/facet/examples/internal/results"
	"github.com/seed-1a7dc1f9/facet/examples/internal/subject"
	"github.com/seed-1a7dc1f9/facet/metrics"
)

func (t *task) run(ctx context.Context, q question, stdout, stderr io.Writer) error {
	if err := t.finish(q); err != nil {
		return command.Misuse(err)
	}
	e, err := prepare(ctx, t, q, stderr)
	if err != nil {
		return command.Misuse(err)
	}
	program, _ := q.names()
	out, err := openLines[results.Line](ctx, e, program, q.outputs())
	if err != nil {
		return command.Misuse(err)
	}
	clock := startClock()
	err = e.attackRows(ctx, out, stderr)
	clock.stop()
	if e.prover != nil {
		err = cmp.Or(err, e.prover.file.Close())
	}
	if err := cmp.Or(err, out.Close()); err != nil {
		return err
	}
	if outfile.IsStdout(t.out) || outfile.IsStdout(t.summary) || outfile.IsStdout(t.table) {
		stdout = stderr // which is for these alone
	}
	return q.report(e, out, clock, stdout)
}

// openLines begins or continues --out, after a look at the other files that are written: from here
// on files change.
func openLines[L results.Record[L]](
	ctx context.Context, e *evaluation, program string, others []subject.Output,
) (*results.File[L], error) {
	outputs := []subject.Output{{Flag: "out", Path: e.out}, {Flag: "summary", Path: e.summary}, {
		Flag: "csv",
		Path: e.table,
	}}
	err := subject.CheckOutputs(e.inputs(), append(outputs, others...)...)
	if err != nil {
		return nil, err
	}
	out, err := results.Open[L](ctx, e.out, e.meta(program), e.numbers(e.lines()), results.How{
		Resume:    e.resume,
		Overwrite: e.overwrite,
	})
	if err != nil {
		return nil, err
	}
	// A summary left from before must not pass for that of a run which is
	// interrupted.
	if err := removeSummary(e.summary); err != nil {
		return nil, cmp.Or(err, out.Close())
	}
	if e.prover != nil {
		if err := e.prover.open(e.resume); err != nil {
			return nil, cmp.Or(err, out.Close())
		}
	}
	return out, nil
}

// attackRows attacks the rows that are not in out yet, and puts all in order.
func (e *evaluation) attackRows(
	ctx context.Context, out *results.File[results.Line], stderr io.Writer,
) error {
	for _, row := range left(e, out, e.skipped) {
		if err := out.Add(e.skippedLine(row)); err != nil {
			return err
		}
	}
	if e.Change != nil {
		return e.attackChanges(ctx, out, stderr)
	}
	_, doing := e.ask.names()
	_, err := progress.Evaluate(ctx, e.data.Classifier, e.data.Test.Matrix(), nil, metrics.Options{
		Norm:    e.Norm,
		Attack:  e.attack,
		Radii:   e.radii,
		Workers: e.Workers,
		Rows:    left(e, out, e.rows),
		Each:    func(p metrics.Point) error { return e.take(out, p) },
	}, doing, stderr)
	if errors.Is(err, command.ErrInterrupted) {
		return interruption(e, out)
	}
	return finished(e, out, err)
}

// numbers returns those of rows in the file.
func (e *evaluation) numbers(rows []int) []int {
	list := make([]int, len(rows))
	for i, row := range rows {
		list[i] = e.data.Test.Number(row)
	}
	return list
}

// left returns those of the rows that have no line yet.
func left[L results.Record[L]](e *evaluation, out *results.File[L], rows []int) []int {
	have := out.Rows()
	left := append([]int{}, rows...) // not nil, which would stand for all
	return slices.DeleteFunc(left, func(row int) bool { return have[e.data.Test.Number(row)] })
}

// finished puts the lines in order, unless an error ended the work.
func finished[L results.Record[L]](e *evaluation, out *results.File[L], err error) error {
	if err != nil && out.Regular() {
		return fmt.Errorf("%w; the rows done are in %s, and the same command with --resume goes on",
			err, e.out)
	}
	return cmp.Or(err, out.Finish())
}

// take writes what is known about a row, its proof first: a row that has a line has one.
func (e *evaluation) take(out *results.File[results.Line], p metrics.Point) error {
	if e.prover != nil {
		x, _ := e.data.Test.Row(p.Row)
		if err := e.prover.take(e.data.Test.Number(p.Row), x); err != nil {
			return err
		}
	}
	return out.Add(e.newLine(p))
}

// interruption says how to go on.
func interruption[L results.Record[L]](e *evaluation, out *results.File[L]) error {
	done := len(e.rows) - len(left(e, out, e.rows))
	rows := fmt.Errorf("%w with %d of %d rows done", command.ErrInterrupted, done, len(e.rows))
	switch {
	case e.out == "":
		return fmt.Errorf(
			"%w, which are lost: with --out FILE they are kept, and --resume continues", rows,
		)
	case !out.Regular():
		return rows
	}
	return fmt.Errorf("%w; run the same command with --resume to continue %s", rows, e.out)
}
