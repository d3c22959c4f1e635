package metrics

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/guard"
	"github.com/seed-1a7dc1f9/facet/internal/rows"
)

// run is an evaluation under way. Positions count along order.
type run struct {
	classifier classifier.Classifier
	table      *rows.Table
	y          []int // nil when not known
	opts       Options
	order      []int

	mu     sync.Mutex // guards the rest, and serialises Each
	next   int        // position to begin next
	done   int
	points []Point // by position
	known  []bool  // which of points are filled in
	cut    bool    // an attack ended early because the context did
	failed int     // first position that failed, len(order) if none
	err    error   // why
}

// work evaluates rows until none is left to begin.
func (r *run) work(ctx context.Context) error {
	inner := ctx
	if r.opts.FinishRunning {
		inner = context.WithoutCancel(ctx)
	}
	for {
		position, ok := r.claim(ctx)
		if !ok {
			return nil
		}
		p, err := r.evaluate(inner, r.order[position])
		if err := r.report(inner, position, p, err); err != nil {
			return err
		}
	}
}

// claim hands out positions in order, so that every position before one that failed
// was begun, and the first failure is the same whatever the schedule.
func (r *run) claim(ctx context.Context) (position int, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.next == len(r.order) || r.err != nil || ctx.Err() != nil {
		return 0, false
	}
	r.next++
	return r.next - 1, true
}

// evaluate predicts one row and attacks it.
func (r *run) evaluate(ctx context.Context, row int) (Point, error) {
	x := r.table.Row(row)
	p := Point{Row: row}
	p.Result = attack.Result{Label: -1, Distance: math.Inf(1)}
	var err error
	if p.Predicted, err = label(r.classifier, x); err != nil {
		return p, err
	}
	p.Label = p.Predicted
	if r.y != nil {
		p.Label = r.y[row]
	}
	if !p.Correct() {
		return p, nil
	}
	p.Attacked = true
	start := time.Now()
	p.Result, err = perturb(ctx, r.opts.Attack, slices.Clone(x))
	p.Time = time.Since(start)
	if err == nil {
		err = p.check()
	}
	if err == nil {
		err = r.checkAnswer(x, &p)
	}
	return p, err
}

// report records what became of a position, and returns an error if it failed.
func (r *run) report(ctx context.Context, position int, p Point, err error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if ended := ctx.Err(); ended != nil {
		r.cut = r.cut || err != nil || (p.Attacked && !p.Optimal)
		if err != nil && errors.Is(err, ended) {
			return nil
		}
	}
	if err == nil && r.err == nil && r.opts.Each != nil {
		err = r.each(p)
	}
	if err != nil {
		return r.fail(position, err)
	}
	r.points[position], r.known[position] = p, true
	r.done++
	return nil
}

// each calls the callback, with an error for a panic.
func (r *run) each(p Point) (err error) {
	defer guard.Catch(&err, "Each", &r.opts)
	return r.opts.Each(p)
}

// fail keeps the first error in order, whichever comes first in time.
func (r *run) fail(position int, err error) error {
	if position < r.failed {
		r.failed, r.err = position, fmt.Errorf("row %d: %w", r.order[position], err)
	}
	return r.err
}

// outcome is called when all workers have ended.
func (r *run) outcome(ctx context.Context) ([]Point, error) {
	points := make([]Point, 0, r.done)
	for position, p := range r.points {
		if r.known[position] {
			points = append(points, p)
		}
	}
	if r.err == nil && ctx.Err() != nil && (r.cut || r.done < len(r.order)) {
		return points, fmt.Errorf("%d of %d rows evaluated: %w", r.done, len(r.order), ctx.Err())
	}
	return points, r.err
}
