package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/seed-1a7dc1f9/facet/examples/internal/progress"
	"github.com/seed-1a7dc1f9/facet/metrics"
)

// attackRows attacks the rows that are not in out yet.
func (e *evaluation) attackRows(ctx context.Context, out *output, stderr io.Writer) error {
	rows := out.remaining(e.rows)
	bar := progress.New(stderr, progress.Options{Description: "attacking", Unit: "rows", Total: len(rows)})
	stop := context.AfterFunc(ctx, func() { bar.Describe("finishing the running rows (once more to kill)") })
	_, err := metrics.Evaluate(ctx, e.classifier, e.data.test.matrix(), nil, metrics.Options{
		Norm:          e.norm,
		Attack:        e.attack,
		Workers:       e.workers,
		Rows:          rows,
		FinishRunning: true,
		Each: func(p metrics.Point) error {
			defer bar.Add(1)
			return out.add(e.newLine(p))
		},
	})
	stop()
	bar.Close()
	if err != nil && ctx.Err() != nil && errors.Is(err, ctx.Err()) {
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
