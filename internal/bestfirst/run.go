package bestfirst

import (
	"context"
	"math"
	"sync"

	"github.com/seed-1a7dc1f9/facet/internal/search"
)

// run is the state that workers share. All of it is guarded by mu.
type run struct {
	search search.Search
	limits Limits
	// patience is that of a search.Merger, 0 for none: up to it one node is opened at a time
	patience int

	mu      sync.Mutex
	wake    sync.Cond // signalled when the queue grew or work ended
	queue   *Queue
	busy    []position // of the node each worker holds; nil for one worker
	working int
	best    *search.Answer
	radius  float64 // farther nodes do not matter; +Inf without a Radius
	floor   float64 // the smallest bound of the answers that do not attain theirs
	nodes   int
	solves  int
	stopped bool     // a limit was reached
	dropped position // the first of the nodes dropped for want of memory
	open    float64  // smallest bound of the nodes given up at a limit, +Inf without any
	gaveUp  bool
	openers []search.Opener // of the workers, nil before the first node of one
	failure *failure        // the first node in (bound, order) that could not be opened
}

// runs are those of searches that have ended, which keep the memory of their queues.
var runs = sync.Pool{New: func() any { return &run{queue: new(Queue)} }}

// mostKept is of how many nodes a search leaves its memory to the next one.
const mostKept = 1 << 14

// release leaves memory to other searches.
func (r *run) release() {
	for _, o := range r.openers {
		if o, ok := o.(search.Releaser); ok {
			o.Release()
		}
	}
	if cap(r.queue.slots) <= mostKept {
		r.queue.Clear()
		clear(r.openers)
		*r = run{queue: r.queue, openers: r.openers}
		runs.Put(r)
	}
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
		if ctx.Err() != nil || (r.limits.Nodes > 0 && r.nodes >= r.limits.Nodes) ||
			r.closeEnough() || (r.best != nil && r.limits.Radius > 0) {
			r.stop()
			return n, 0, false
		}
		if r.queue.Len() == 0 || !r.worthwhile(r.queue.first()) {
			r.queue.Clear() // none of its nodes comes before the incumbent
		} else if !r.alone() && !r.dropped.before(r.queue.first()) {
			break
		}
		if r.working == 0 { // the search is over, or its proof ends at a dropped node
			r.stop()
			return n, 0, false
		}
		r.wake.Wait()
	}
	n = r.queue.Pop()
	if r.nodes == r.patience && r.nodes > 0 {
		n = r.search.(search.Merger).Merged(n, r.best)
		r.queue.Clear()
	}
	r.nodes++
	r.working++
	if r.busy != nil {
		r.busy[worker] = position{n.Bound, n.Order}
	}
	cutoff = r.radius
	if r.best != nil {
		cutoff = min(cutoff, positionOf(r.best).bound)
	}
	if r.failure != nil {
		cutoff = min(cutoff, r.failure.bound)
	}
	return n, cutoff, true
}

// alone reports whether a worker opens a node that no other is opened beside.
func (r *run) alone() bool { return r.working > 0 && r.nodes <= r.patience }

// worthwhile reports whether a node could hold an answer that comes before the incumbent and before
// nodes that could not be opened.
func (r *run) worthwhile(p position) bool {
	return p.bound <= r.radius && (r.best == nil || p.before(positionOf(r.best))) &&
		(r.failure == nil || p.before(r.failure.position))
}

func (r *run) closeEnough() bool {
	return r.limits.Gap > 0 && r.best != nil && r.best.Distance-r.lowest() <= r.limits.Gap
}

// first returns the position of the first node that is still open.
func (r *run) first() position {
	first := nowhere
	if r.queue.Len() > 0 {
		first = r.queue.first()
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
	bound = careful(min(bound, r.open, r.dropped.bound))
	return min(bound, math.Nextafter(r.radius, math.Inf(1)))
}

// careful returns a bound, less the error that rounding may have added to one that is no normal
// number: of a quotient it is up to half of the least number that there is, however exact its terms
// are.
func careful(bound float64) float64 {
	const smallestNormal = 0x1p-1022
	if bound < smallestNormal {
		return max(0, bound-math.SmallestNonzeroFloat64)
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
		r.busy[worker] = nowhere
	}
	r.wake.Broadcast()
}
