package metrics

import (
	"cmp"
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
	points []Point    // by position
	known  []bool     // which of points are filled in
	errs   []error    // by position, why it failed
	failed bool       // one did: no other is begun
	cut    bool       // an attack ended early because the context did
}

// work evaluates rows until none is left to begin.
func (r *run) work(ctx context.Context) {
	inner := ctx
	if r.opts.FinishRunning {
		inner = context.WithoutCancel(ctx)
	}
	for {
		position, ok := r.claim(ctx)
		if !ok {
			return
		}
		p, err := r.evaluate(inner, r.order[position])
		r.report(inner, position, p, err)
	}
}

// claim hands out positions in order, so that every position before one that failed
// was begun, and the first failure is the same whatever the schedule.
func (r *run) claim(ctx context.Context) (position int, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.next == len(r.order) || r.failed || ctx.Err() != nil {
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

// report records what became of a position.
func (r *run) report(ctx context.Context, position int, p Point, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if ended := ctx.Err(); ended != nil {
		r.cut = r.cut || err != nil || (p.Attacked && !p.Optimal)
		if err != nil && errors.Is(err, ended) {
			return
		}
	}
	if err == nil && !r.failed && r.opts.Each != nil {
		err = r.each(p)
	}
	if err != nil {
		r.errs[position], r.failed = fmt.Errorf("row %d: %w", r.order[position], err), true
		return
	}
	r.points[position], r.known[position] = p, true
}

// each calls the callback, with an error for a panic.
func (r *run) each(p Point) (err error) {
	defer guard.Catch(&err, "Each", &r.opts)
	return r.opts.Each(p)
}

// outcome is called when all workers have ended.
func (r *run) outcome(ctx context.Context) ([]Point, error) {
	points := make([]Point, 0, len(r.points))
	for position, p := range r.points {
		if r.known[position] {
			points = append(points, p)
		}
	}
	err := cmp.Or(r.errs...) // the first in order, whichever came first in time
	if err == nil && ctx.Err() != nil && (r.cut || len(points) < len(r.order)) {
		err = fmt.Errorf("%d of %d rows evaluated: %w", len(points), len(r.order), ctx.Err())
	}
	return points, err
}
