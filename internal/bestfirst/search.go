package bestfirst

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"sync"

	"github.com/seed-1a7dc1f9/facet/classifier/search"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Limits end a search early. The zero value sets none.
type Limits struct {
	Workers int     // goroutines; at least one is used
	Nodes   int     // nodes to open, 0 for no limit
	Open    int     // nodes that may wait to be opened, 0 for no limit
	Gap     float64 // stop once the incumbent is at most this much above the bound
	Radius  float64 // only answers with bounds up to it count, 0 for no limit
	Any     bool    // stop at the first incumbent
}

// Tolerance is how much farther than its bound an example may lie, relative to
// max(1, distance), to count as the nearest one.
const Tolerance = 1e-9

// Result is what a search has found and proven.
type Result struct {
	Answer   *search.Answer // the first answer, nil if none was found
	Bound    float64        // no answer lies below
	Complete bool           // nothing is left to search, and Answer lies within Tolerance of Bound
	Nodes    int            // nodes opened
	Solves   int            // programs solved
}

// Run searches s to the end, or until a limit is reached or ctx ends, which is
// not an error.
func Run(ctx context.Context, s search.Search, limits Limits) (Result, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r := &run{search: s, limits: limits, cancel: cancel, shed: nowhere, floor: math.Inf(1)}
	r.wake.L = &r.mu
	first, err := roots(s)
	if err != nil {
		return Result{}, err
	}
	for _, n := range first {
		r.queue.push(n)
	}
	if limits.Workers <= 1 {
		r.work(ctx, 0)
		return r.result()
	}
	r.busy = slices.Repeat([]place{nowhere}, limits.Workers)
	var group sync.WaitGroup
	for w := range limits.Workers {
		group.Go(func() { r.work(ctx, w) })
	}
	group.Wait()
	return r.result()
}

// run is the state that workers share. All of it is guarded by mu.
type run struct {
	search search.Search
	limits Limits

	mu      sync.Mutex
	wake    sync.Cond // signalled when the queue grew or work ended
	queue   queue
	busy    []place // of the node each worker holds; nil for one worker
	working int
	best    *search.Answer
	floor   float64 // the smallest bound of the answers that do not attain theirs
	nodes   int
	solves  int
	stopped bool    // a limit was reached
	shed    place   // the first of the nodes dropped for want of room
	open    float64 // smallest bound of the nodes given up at a limit
	gaveUp  bool
	failure *failure // the first node in (bound, order) that could not be opened
	doomed  bool     // nothing open can come before failure
	cancel  context.CancelFunc
}

// work opens nodes until none is left that could come before the incumbent.
func (r *run) work(ctx context.Context, worker int) {
	var opener search.Opener // made for the first node
	for {
		node, cutoff, ok := r.next(ctx, worker)
		if !ok {
			return
		}
		opened, err := r.expand(ctx, &opener, node, cutoff)
		a := unsolved(node, err)
		switch {
		case err == nil:
			r.report(worker, opened)
		case a != nil:
			r.report(worker, search.Opened{Answer: a})
		case ctx.Err() != nil && errors.Is(err, ctx.Err()):
			r.giveUp(worker, node)
		default:
			r.fail(worker, node, err)
		}
	}
}

// unsolved returns an answer without an example for a node on which rounding errors
// allow no verdict: the search goes on without it, and proves no more than its
// bound.
func unsolved(n search.Node, err error) *search.Answer {
	if err == nil {
		return nil
	}
	undecided, ok := errors.AsType[*search.Undecided](err)
	if !ok || !errors.Is(err, polytope.ErrNumerical) {
		return nil
	}
	return &search.Answer{Bound: max(n.Bound, undecided.Bound), Order: n.Order, Distance: math.Inf(1)}
}

// next takes the first node from the queue, waiting while it is empty but other
// workers may still fill it.
func (r *run) next(ctx context.Context, worker int) (n search.Node, cutoff float64, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for {
		if r.stopped {
			return n, 0, false
		}
		if ctx.Err() != nil || (r.limits.Nodes > 0 && r.nodes >= r.limits.Nodes) || r.closeEnough() || (r.limits.Any && r.best != nil) {
			r.stop()
			return n, 0, false
		}
		if len(r.queue) == 0 || !r.worthwhile(&r.queue[0]) {
			r.queue = r.queue[:0] // nothing in it comes before the incumbent
		} else if !r.shed.before(place{r.queue[0].Bound, r.queue[0].Order}) {
			break
		}
		if r.working == 0 { // the search is over, or its proof ends at what was dropped
			r.stop()
			return n, 0, false
		}
		r.wake.Wait()
	}
	n = r.queue.pop()
	r.nodes++
	r.working++
	if r.busy != nil {
		r.busy[worker] = place{n.Bound, n.Order}
	}
	cutoff = r.radius()
	if r.best != nil {
		cutoff = min(cutoff, placeOf(r.best).bound)
	}
	if r.failure != nil {
		cutoff = min(cutoff, r.failure.bound)
	}
	return n, cutoff, true
}

// worthwhile reports whether a node could hold an answer that comes before the
// incumbent and before what could not be opened.
func (r *run) worthwhile(n *search.Node) bool {
	p := place{n.Bound, n.Order}
	return n.Bound <= r.radius() && (r.best == nil || p.before(placeOf(r.best))) &&
		(r.failure == nil || p.before(r.failure.place))
}

func (r *run) radius() float64 {
	if r.limits.Radius > 0 {
		return r.limits.Radius
	}
	return math.Inf(1)
}

func (r *run) closeEnough() bool {
	return r.limits.Gap > 0 && r.best != nil && r.best.Distance-r.lowest() <= r.limits.Gap
}

// first returns the place of the first node that is still open.
func (r *run) first() place {
	first := nowhere
	if len(r.queue) > 0 {
		first = place{r.queue[0].Bound, r.queue[0].Order}
	}
	for _, p := range r.busy {
		if p.before(first) {
			first = p
		}
	}
	return first
}

// lowest returns the bound below which no answer can lie.
func (r *run) lowest() float64 {
	bound := min(r.first().bound, r.floor)
	if r.best != nil {
		bound = min(bound, r.best.Bound)
	}
	if r.gaveUp {
		bound = min(bound, r.open)
	}
	return min(bound, r.shed.bound, r.radius())
}

func (r *run) stop() {
	r.stopped = true
	r.wake.Broadcast()
}

// idle marks the end of a worker's node.
func (r *run) idle(worker int) {
	r.working--
	if r.busy != nil {
		r.busy[worker] = nowhere
	}
	r.wake.Broadcast()
}

func (r *run) report(worker int, o search.Opened) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.solves += o.Solves
	if o.Answer != nil {
		r.answer(o.Answer)
	}
	for i := range o.Children {
		if r.worthwhile(&o.Children[i]) {
			r.queue.push(o.Children[i])
		}
	}
	if r.limits.Open > 0 && len(r.queue) > r.limits.Open {
		r.makeRoom()
	}
	r.idle(worker)
}

// answer takes up an answer: for the incumbent, if it comes before that, and for
// the bound.
func (r *run) answer(a *search.Answer) {
	if !attained(a) {
		r.floor = min(r.floor, a.Bound)
	}
	p := placeOf(a)
	if a.Example == nil || p.bound > r.radius() || (r.best != nil && !p.before(placeOf(r.best))) {
		return
	}
	answer := *a
	r.best = &answer
}

// makeRoom drops the half of the queue that would be opened last.
func (r *run) makeRoom() {
	slices.SortFunc(r.queue, func(a, b search.Node) int {
		return cmp.Or(cmp.Compare(a.Bound, b.Bound), cmp.Compare(a.Order, b.Order))
	})
	keep := (len(r.queue) + 1) / 2
	if first := (place{r.queue[keep].Bound, r.queue[keep].Order}); first.before(r.shed) {
		r.shed = first
	}
	clear(r.queue[keep:])
	r.queue = r.queue[:keep]
}

// giveUp records a node whose opening the context cut short.
func (r *run) giveUp(worker int, n search.Node) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.gaveUp || n.Bound < r.open {
		r.open = n.Bound
	}
	r.gaveUp = true
	r.stopped = true
	r.idle(worker)
}

// fail records a node that could not be opened.
func (r *run) fail(worker int, n search.Node, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f := &failure{place{n.Bound, n.Order}, err}
	if undecided, ok := errors.AsType[*search.Undecided](err); ok {
		f.bound = max(f.bound, undecided.Bound)
	}
	if r.failure == nil || f.before(r.failure.place) {
		r.failure = f
	}
	r.idle(worker)
	if !r.stopped && r.failed() && !r.first().before(r.failure.place) {
		r.doomed = true
		r.cancel() // spares the others their work
	}
}

// last returns the place behind which nothing matters: that of the incumbent or,
// without one, of the radius.
func (r *run) last() place {
	if r.best == nil {
		return place{r.radius(), math.MaxInt64}
	}
	return placeOf(r.best)
}

// attained reports whether the incumbent lies within Tolerance of its bound and of
// those of all cells without an example at theirs or, without an incumbent, whether
// no such cell is within the radius.
func (r *run) attained() bool {
	if r.best == nil {
		return math.IsInf(r.floor, 1) || r.floor > r.radius()
	}
	return nearBound(r.best.Distance, min(r.best.Bound, r.floor))
}

// failed reports whether a failure comes before the incumbent.
func (r *run) failed() bool {
	return r.failure != nil && (r.best == nil || r.failure.before(placeOf(r.best)))
}

// result is called when no worker holds a node any more.
func (r *run) result() (Result, error) {
	if r.doomed {
		return Result{}, r.failure.err
	}
	for len(r.queue) > 0 && !r.worthwhile(&r.queue[0]) {
		r.queue = r.queue[:0]
	}
	finished := len(r.queue) == 0 && !r.gaveUp && !r.shed.before(r.last())
	bound := r.lowest()
	if r.failed() {
		if finished {
			return Result{}, r.failure.err
		}
		bound = min(bound, r.failure.bound)
	}
	return Result{Answer: r.best, Bound: bound, Complete: finished && r.attained(), Nodes: r.nodes, Solves: r.solves}, nil
}
