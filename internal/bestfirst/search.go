package bestfirst

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Limits end a search early. The zero value sets none.
type Limits struct {
	Workers int     // goroutines; at least one is used
	Nodes   int     // nodes to open, 0 for no limit
	Memory  int     // bytes that waiting nodes and caches may take, 0 for no limit
	Gap     float64 // stop once the incumbent is at most this much above the bound
	// NodeBytes is the part of Memory that a waiting node takes, without its cache and without the
	// memory that it shares with others.
	NodeBytes int
	// Radius, if it is not 0, asks whether there is an answer within it, not for the first one: the
	// search ends with any. Query.Any may say so, too.
	Radius float64
}

// Tolerance is how much farther than its bound an example may lie, relative to
// max(1, distance), to count as the nearest one.
const Tolerance = 1e-9

// Result is the outcome of a search: its first answer, and a proven bound.
type Result struct {
	Answer *search.Answer // the first answer, nil if none was found
	Bound  float64        // no answer lies below
	// Finished says that no node is left, which it never says of a search with a Radius: no limit
	// and no lack of memory ended it.
	Finished bool
	// Complete says so, and that Answer lies within Tolerance of Bound or, without an Answer within
	// the Radius, that Bound is beyond it.
	Complete bool
	Nodes    int // nodes opened
	Solves   int // programs solved
}

// Run searches s to the end, or until a limit is reached or ctx ends, which is
// not an error.
func Run(ctx context.Context, s search.Search, limits Limits) (Result, error) {
	r := runs.Get().(*run)
	*r = run{
		search:  s,
		queue:   r.queue,
		openers: slices.Grow(r.openers[:0], max(1, limits.Workers))[:max(1, limits.Workers)],
		limits:  limits,
		dropped: nowhere,
		floor:   math.Inf(1),
		open:    math.Inf(1),
		radius:  cmp.Or(limits.Radius, math.Inf(1)),
	}
	if m, ok := s.(search.Merger); ok {
		r.patience = m.Patience()
	}
	defer r.release()
	r.wake.L = &r.mu
	first, err := roots(s)
	if err != nil {
		return Result{}, err
	}
	for _, n := range first {
		r.queue.Push(n)
	}
	if err := r.pool(ctx, limits.Workers); err != nil {
		return Result{}, err
	}
	return r.result()
}

// pool lets workers open nodes until the search ends. Failures are ordered like
// answers, so workers leave them with the run; an error is a failure that no answer
// can come before any more, and spares the others their work.
func (r *run) pool(ctx context.Context, workers int) error {
	if workers <= 1 {
		return r.work(ctx, 0)
	}
	r.busy = slices.Repeat([]position{nowhere}, workers)
	group, shared := errgroup.WithContext(ctx)
	for w := range workers {
		group.Go(func() error { return r.work(shared, w) })
	}
	return group.Wait()
}

// work opens nodes until none is left that could come before the incumbent.
func (r *run) work(ctx context.Context, worker int) error {
	opener := &r.openers[worker]
	ctx = onTime(ctx)
	for {
		node, cutoff, ok := r.next(ctx, worker)
		if !ok {
			return nil
		}
		opened, err := r.expand(ctx, opener, node, cutoff)
		a := unsolved(node, err)
		switch {
		case err == nil:
			r.report(worker, opened)
		case a != nil:
			r.report(worker, search.Opened{Answer: a})
		case ctx.Err() != nil && errors.Is(err, ctx.Err()):
			r.giveUp(worker, node)
		default:
			if err := r.fail(worker, node, err); err != nil {
				return err
			}
		}
	}
}

// unsolved returns an answer without an example for a node on which rounding errors
// allow no verdict: the search goes on without it, and proves no more than its
// bound.
func unsolved(n search.Node, err error) *search.Answer {
	undecided, ok := errors.AsType[*search.Undecided](err)
	if !ok || !errors.Is(err, polytope.ErrNumerical) {
		return nil
	}
	return &search.Answer{
		Bound:    max(n.Bound, undecided.Bound),
		Order:    n.Order,
		Distance: math.Inf(1),
	}
}
