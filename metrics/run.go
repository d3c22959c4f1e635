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
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// run is an evaluation under way. Positions count along order.
type run struct {
	classifier classifier.Classifier
	table      *rows.Table
	y          []int // nil when not known
	opts       Options
	order      []int
	distance   func(x, z []float64) float64

	mu     sync.Mutex // guards the rest, and serialises callbacks
	points []Point    // by position
	known  []bool     // which of points are filled in
	failed bool       // a row did: Each is not called any more
	cut    bool       // an attack ended early because the context did
}

// work evaluates the row at a position.
func (r *run) work(ctx context.Context, position int) error {
	if r.opts.FinishRunning {
		ctx = context.WithoutCancel(ctx)
	}
	p, err := r.evaluate(ctx, r.order[position])
	return r.report(ctx, position, p, err)
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
	p.TrueLabel = p.Predicted
	if r.y != nil {
		p.TrueLabel = r.y[row]
	}
	if p.Predicted != p.TrueLabel {
		return p, nil
	}
	p.Attacked = true
	start := time.Now()
	p.Result, err = guard.Call("Perturb", r.opts.Attack, func() (attack.Result, error) {
		return r.ask(ctx, slices.Clone(x))
	})
	p.Time = time.Since(start)
	if err == nil {
		err = p.check()
	}
	if err == nil {
		err = r.checkAnswer(x, &p)
	}
	return p, err
}

// ask asks the attack about x, with the radii of the options if there are any.
func (r *run) ask(ctx context.Context, x []float64) (attack.Result, error) {
	if c, ok := r.opts.Attack.(certifier); ok && r.opts.Radii != nil {
		return c.RobustAt(ctx, x, r.opts.Radii...)
	}
	return r.opts.Attack.Perturb(ctx, x)
}

// report records the outcome of a position, and returns its failure.
func (r *run) report(ctx context.Context, position int, p Point, err error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if ended := ctx.Err(); ended != nil {
		r.cut = r.cut || err != nil || (p.Attacked && !p.Optimal())
		if err != nil && errors.Is(err, ended) {
			return nil
		}
	}
	if err == nil && !r.failed {
		err = r.tell(p)
	}
	if err != nil {
		r.failed = true
		return &polytope.RowError{Row: r.order[position], Err: err}
	}
	r.points[position], r.known[position] = p, true
	return nil
}

// tell calls the callback, with an error for a panic.
func (r *run) tell(p Point) (err error) {
	defer guard.Catch(&err, "Each", &r.opts)
	if r.opts.Each == nil {
		return nil
	}
	return r.opts.Each(p)
}

// outcome is called when all rows that were begun are finished, with the first failure.
func (r *run) outcome(ctx context.Context, err error) ([]Point, error) {
	points := make([]Point, 0, len(r.points))
	for position, p := range r.points {
		if r.known[position] {
			points = append(points, p)
		}
	}
	if err == nil && ctx.Err() != nil && (r.cut || len(points) < len(r.order)) {
		err = fmt.Errorf("%d of %d rows evaluated: %w", len(points), len(r.order), ctx.Err())
	}
	return points, err
}
