package bestfirst

import (
	"errors"
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/search"
)

func (r *run) report(worker int, o search.Opened) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.solves += o.Solves
	if o.Answer != nil {
		r.answer(o.Answer)
	}
	for i := range o.Children {
		if n := &o.Children[i]; r.worthwhile(position{n.Bound, n.Order}) {
			r.queue.Push(*n)
		}
	}
	r.fit()
	r.idle(worker)
}

// fit keeps waiting nodes within the memory: caches within a quarter of it, which is half of it
// until their garbage is collected, and nodes within the rest, and three quarters. Where nodes take
// more, the half that would be opened last is dropped.
func (r *run) fit() {
	most := r.limits.Memory
	if most == 0 {
		return
	}
	r.queue.DropCaches(max(1, most/4))
	for r.queue.Len() > 1 &&
		r.queue.BytesHeld(r.limits.NodeBytes) > most-max(most/4, 2*r.queue.Bytes()) {
		r.dropHalf()
	}
}

// answer takes up an answer: for the incumbent, if it comes before that, and for
// the bound.
func (r *run) answer(a *search.Answer) {
	if !attained(a) {
		r.floor = min(r.floor, a.Bound)
	}
	p := positionOf(a)
	if a.Example == nil || math.IsInf(a.Distance, 1) || p.bound > r.radius ||
		(r.best != nil && !p.before(positionOf(r.best))) {
		return
	}
	r.best = a
}

// dropHalf drops the half of the queue that would be opened last.
func (r *run) dropHalf() {
	r.queue.Keep((r.queue.Len()+1)/2, func(n search.Node) {
		if first := (position{n.Bound, n.Order}); first.before(r.dropped) {
			r.dropped = first
		}
	})
}

// giveUp records a node whose opening the context cut short.
func (r *run) giveUp(worker int, n search.Node) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.open = min(r.open, n.Bound)
	r.gaveUp, r.stopped = true, true
	r.idle(worker)
}

// fail records a node that could not be opened. It returns the first failure once no open node can
// come before it.
func (r *run) fail(worker int, n search.Node, err error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	f := &failure{position{n.Bound, n.Order}, err}
	if undecided, ok := errors.AsType[*search.Undecided](err); ok {
		f.bound = max(f.bound, undecided.Bound)
	}
	if r.failure == nil || f.before(r.failure.position) {
		r.failure = f
	}
	r.idle(worker)
	if r.stopped || !r.failed() || r.first().before(r.failure.position) {
		return nil
	}
	r.stop()
	return r.failure.err
}

// last returns the position behind which no node matters: that of the incumbent or, without one, of
// the radius.
func (r *run) last() position {
	if r.best == nil {
		return position{r.radius, math.MaxInt64}
	}
	return positionOf(r.best)
}

// attained reports whether the incumbent lies within Tolerance of its bound and of
// those of all cells without an example at theirs or, without one, whether no such cell is within
// the radius.
func (r *run) attained() bool {
	if r.best == nil {
		return math.IsInf(r.floor, 1) || r.floor > r.radius
	}
	return Attains(r.best.Distance, min(r.best.Bound, r.floor))
}

// failed reports whether a failure comes before the incumbent, and lies within the radius.
func (r *run) failed() bool { return r.failure != nil && r.failure.before(r.last()) }

// result is called when no worker holds a node any more.
func (r *run) result() (Result, error) {
	if r.queue.Len() > 0 && !r.worthwhile(r.queue.first()) {
		r.queue.Clear()
	}
	finished := r.queue.Len() == 0 && !r.gaveUp && !r.dropped.before(r.last())
	bound := r.lowest()
	if r.failed() {
		if finished {
			return Result{}, r.failure.err
		}
		bound = min(bound, r.failure.bound)
	}
	return Result{
		Answer:   r.best,
		Bound:    bound,
		Finished: finished && r.limits.Radius == 0,
		Complete: finished && r.attained(),
		Nodes:    r.nodes,
		Solves:   r.solves,
	}, nil
}
