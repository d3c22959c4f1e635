package search

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/seed-1a7dc1f9/facet/classifier"
)

// Limits end a search early. The zero value sets none.
type Limits struct {
	Workers int     // goroutines; at least one is used
	Nodes   int     // nodes to open, 0 for no limit
	Gap     float64 // stop once the incumbent is at most this much above the bound
}

// Result is what a search has found and proven.
type Result struct {
	Answer   *classifier.Answer // the first answer in (bound, order), nil if none was found
	Bound    float64            // no answer lies below
	Complete bool               // nothing that could come before Answer was left unopened
	Nodes    int                // nodes opened
	Solves   int                // programs solved
}

// Run searches s to the end, or until a limit is reached or ctx ends, which is
// not an error.
func Run(ctx context.Context, s classifier.Search, limits Limits) (Result, error) {
	r := &run{search: s, limits: limits}
	r.wake.L = &r.mu
	for _, n := range s.Roots() {
		r.queue.push(n)
	}
	if limits.Workers <= 1 {
		if err := r.work(ctx, 0); err != nil {
			return Result{}, err
		}
		return r.result(), nil
	}
	r.busy = slices.Repeat([]float64{math.Inf(1)}, limits.Workers)
	group, inner := errgroup.WithContext(ctx)
	for w := range limits.Workers {
		group.Go(func() error { return r.work(inner, w) })
	}
	if err := group.Wait(); err != nil {
		return Result{}, err
	}
	return r.result(), nil
}

// run is the state that workers share. All of it is guarded by mu.
type run struct {
	search classifier.Search
	limits Limits

	mu      sync.Mutex
	wake    sync.Cond // signalled when the queue grew or work ended
	queue   queue
	busy    []float64 // bound of the node each worker holds, +Inf when idle; nil for one worker
	working int
	best    *classifier.Answer
	nodes   int
	solves  int
	stopped bool    // a limit was reached
	open    float64 // smallest bound of the nodes given up at a limit
	gaveUp  bool
	failed  bool
}

// work opens nodes until none is left that could come before the incumbent.
func (r *run) work(ctx context.Context, worker int) error {
	opener := r.search.NewOpener()
	for {
		node, cutoff, ok := r.next(ctx, worker)
		if !ok {
			return nil
		}
		opened, err := opener.Open(ctx, node, cutoff)
		if err != nil && ctx.Err() != nil && errors.Is(err, ctx.Err()) {
			r.giveUp(worker, node)
			return nil
		}
		if err != nil {
			r.fail(worker)
			return err
		}
		r.report(worker, opened)
	}
}

// next takes the first node from the queue, waiting while it is empty but other
// workers may still fill it.
func (r *run) next(ctx context.Context, worker int) (n classifier.Node, cutoff float64, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for {
		if r.failed || r.stopped {
			return n, 0, false
		}
		if ctx.Err() != nil || (r.limits.Nodes > 0 && r.nodes >= r.limits.Nodes) || r.closeEnough() {
			r.stop()
			return n, 0, false
		}
		if len(r.queue) > 0 && r.worthwhile(&r.queue[0]) {
			break
		}
		r.queue = r.queue[:0] // nothing in it comes before the incumbent
		if r.working == 0 {
			r.wake.Broadcast()
			return n, 0, false
		}
		r.wake.Wait()
	}
	n = r.queue.pop()
	r.nodes++
	r.working++
	if r.busy != nil {
		r.busy[worker] = n.Bound
	}
	cutoff = math.Inf(1)
	if r.best != nil {
		cutoff = r.best.Bound
	}
	return n, cutoff, true
}

func (r *run) worthwhile(n *classifier.Node) bool {
	return r.best == nil || classifier.Before(n.Bound, n.Order, r.best.Bound, r.best.Order)
}

func (r *run) closeEnough() bool {
	return r.limits.Gap > 0 && r.best != nil && r.best.Distance-r.lowest() <= r.limits.Gap
}

// lowest returns the smallest bound that is still open.
func (r *run) lowest() float64 {
	bound := math.Inf(1)
	if r.best != nil {
		bound = r.best.Bound
	}
	if len(r.queue) > 0 {
		bound = min(bound, r.queue[0].Bound)
	}
	for _, b := range r.busy {
		bound = min(bound, b)
	}
	if r.gaveUp {
		bound = min(bound, r.open)
	}
	return bound
}

func (r *run) stop() {
	r.stopped = true
	r.wake.Broadcast()
}

// idle marks the end of a worker's node.
func (r *run) idle(worker int) {
	r.working--
	if r.busy != nil {
		r.busy[worker] = math.Inf(1)
	}
	r.wake.Broadcast()
}

func (r *run) report(worker int, o classifier.Opened) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.solves += o.Solves
	if a := o.Answer; a != nil && (r.best == nil || classifier.Before(a.Bound, a.Order, r.best.Bound, r.best.Order)) {
		answer := *a
		r.best = &answer
	}
	for i := range o.Children {
		if r.worthwhile(&o.Children[i]) {
			r.queue.push(o.Children[i])
		}
	}
	r.idle(worker)
}

// giveUp records a node whose opening the context cut short.
func (r *run) giveUp(worker int, n classifier.Node) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.gaveUp || n.Bound < r.open {
		r.open = n.Bound
	}
	r.gaveUp = true
	r.stopped = true
	r.idle(worker)
}

func (r *run) fail(worker int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.failed = true
	r.idle(worker)
}

// result is called when no worker holds a node any more.
func (r *run) result() Result {
	for len(r.queue) > 0 && !r.worthwhile(&r.queue[0]) {
		r.queue = r.queue[:0]
	}
	complete := len(r.queue) == 0 && !r.gaveUp
	return Result{Answer: r.best, Bound: r.lowest(), Complete: complete, Nodes: r.nodes, Solves: r.solves}
}
