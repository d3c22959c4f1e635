// Package attacking is the commands that ask about rows and models: facet attack, certify and
// explain write a line for each test row and sum them up; facet range and verify ask about
// regions, and about all inputs.
package attacking

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
	"github.com/seed-1a7dc1f9/facet/examples/internal/costs"
	"github.com/seed-1a7dc1f9/facet/examples/internal/outfile"
	"github.com/seed-1a7dc1f9/facet/examples/internal/progress"
	"github.com/seed-1a7dc1f9/facet/examples/internal/results"
	"github.com/seed-1a7dc1f9/facet/internal/rows"
	"github.com/seed-1a7dc1f9/facet/metrics"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// rowsAsked is why attacks need test rows.
const rowsAsked = "its rows are asked about"

func (t *task) run(ctx context.Context, q question, stdout, stderr io.Writer) error {
	if err := t.finish(rowsAsked, q.check); err != nil {
		return command.Misuse(err)
	}
	if err := t.checkFiles(); err != nil {
		return command.Misuse(err)
	}
	e, err := prepare(ctx, t, q, stderr)
	if err != nil {
		return command.Misuse(err)
	}
	out, clock, err := writeLines(ctx, e, func(out *results.File[results.Line]) error {
		return e.attackRows(ctx, out, stderr)
	})
	if err != nil {
		return err
	}
	stdout = outfile.ForPeople(stdout, stderr, t.out, t.summary, t.table)
	err = q.report(e, out, clock, stdout)
	if err == nil || !goesOn(e, out) {
		return err
	}
	return fmt.Errorf("%w; all rows are in %s, and the same command with --resume and --overwrite "+
		"sums them up", err, e.out)
}

// writeLines opens --out for work that adds its lines, and closes it. It measures the work.
func writeLines[L results.Record[L]](
	ctx context.Context, e *evaluation, work func(out *results.File[L]) error,
) (*results.File[L], *clock, error) {
	out, err := openLines[L](ctx, e)
	if outfile.Full(err) {
		return nil, nil, outfile.NoRoom(err, "no row was asked about")
	}
	if err != nil {
		return nil, nil, command.Misuse(err)
	}
	clock := startClock()
	err = work(out)
	clock.stop()
	if e.prover != nil {
		err = cmp.Or(err, e.prover.file.Close())
	}
	return out, clock, cmp.Or(err, out.Close())
}

// openLines begins or continues --out and the proofs: from here on files change.
func openLines[L results.Record[L]](
	ctx context.Context, e *evaluation,
) (*results.File[L], error) {
	out, err := results.Open[L](ctx, e.out, e.meta(), e.numbers(e.lines()), results.How{
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
			return unfinishedBy(e, out, err)
		}
	}
	return addLines(ctx, e, out, "points", stderr,
		func(ctx context.Context, row int) (results.Line, []byte, error) {
			return e.ask(context.WithoutCancel(ctx), row) // rows that have begun are finished
		})
}

// measure asks an attack about a row.
func (e *evaluation) measure(
	ctx context.Context, row int, a attack.Attack,
) (p metrics.Point, err error) {
	x, _ := e.data.Test.Row(row)
	points, err := metrics.Evaluate(ctx, e.data.Classifier, mat.NewDense(1, len(x), x), nil,
		metrics.Options{Norm: e.Norm, Attack: a, Radii: e.radii, Workers: 1})
	if err != nil {
		return p, withoutRow(err)
	}
	p = points[0]
	p.Row = row
	return p, nil
}

// withoutRow returns an error about the only row, which needs no number.
func withoutRow(err error) error {
	if only := (*polytope.RowError)(nil); errors.As(err, &only) {
		return only.Err
	}
	return err
}

// addLines adds the lines of the rows that have none yet as they are made, and puts all in order.
// The unit is the name of rows while they are counted.
func addLines[L results.Record[L]](
	ctx context.Context, e *evaluation, out *results.File[L], unit string, stderr io.Writer,
	lineOf func(ctx context.Context, row int) (line L, proof []byte, err error),
) error {
	todo := left(e, out, e.rows)
	bar := progress.New(stderr, progress.Options{
		Description: e.doing, Unit: unit, Total: len(todo),
	})
	stop := context.AfterFunc(ctx, func() { bar.Describe("finishing") })
	var mu sync.Mutex // guards the files
	err := rows.Each(ctx, e.Workers, len(todo), func(i int) error {
		defer bar.Add(1)
		number := e.data.Test.Number(todo[i])
		line, text, err := lineOf(ctx, todo[i])
		if err != nil {
			return fmt.Errorf("row %d: %w", number, costs.Named(err, e.data.Names))
		}
		mu.Lock()
		defer mu.Unlock()
		if e.prover != nil { // first: a row that has a line has its proof
			if err := e.prover.file.Add(number, text); err != nil {
				return err
			}
		}
		return out.Add(line)
	})
	stop()
	bar.Close()
	if ended := ctx.Err(); ended != nil && (err == nil || errors.Is(err, ended)) &&
		len(left(e, out, e.rows)) > 0 {
		return interruption(e, out)
	}
	return cmp.Or(unfinishedBy(e, out, err), out.Finish())
}

// goesOn reports whether the same command with --resume goes on with the rows in --out, as one that
// fills an array of examples could not.
func goesOn[L results.Record[L]](e *evaluation, out *results.File[L]) bool {
	return out.Regular() && e.examples == ""
}

// unfinishedBy adds to the error that ended the work how to go on; nil stays nil.
func unfinishedBy[L results.Record[L]](e *evaluation, out *results.File[L], err error) error {
	if err == nil || !goesOn(e, out) {
		return err
	}
	return fmt.Errorf("%w; the rows done are in %s, and the same command with --resume goes on",
		err, e.out)
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

// interruption says how to go on.
func interruption[L results.Record[L]](e *evaluation, out *results.File[L]) error {
	done := len(e.rows) - len(left(e, out, e.rows))
	ended := fmt.Errorf("%w with %d of %d rows done", command.ErrInterrupted, done, len(e.rows))
	switch {
	case e.out == "":
		return fmt.Errorf("%w, which are lost: %s --out FILE keeps them, and --resume continues",
			ended, e.program)
	case !out.Regular():
		return ended
	case e.examples != "":
		return fmt.Errorf("%w, which are lost: --examples writes its array when every row is "+
			"done; without it --resume continues, --overwrite begins anew", ended)
	}
	return fmt.Errorf("%w; run the same command with --resume to continue %s", ended, e.out)
}

// encodeLines writes a JSON object a line.
func encodeLines[L any](w io.Writer, lines []L) error {
	encoder := json.NewEncoder(w)
	for i := range lines {
		if err := encoder.Encode(&lines[i]); err != nil {
			return err
		}
	}
	return nil
}
