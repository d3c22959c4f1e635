package bestfirst

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/search"
)

// holder is the State of a node of these tests.
type holder struct{ shared *search.Shared }

func (h holder) Holds() *search.Shared { return h.shared }

// TestCaches: waiting nodes and their caches take no more than they may, those caches are lost that
// are needed last, and their memory is counted wherever nodes come and go.
func TestCaches(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for limit := 1; limit < 800; limit++ {
		r := &run{
			limits:  Limits{Memory: 4 * limit, NodeBytes: rng.IntN(2) * limit / 20},
			dropped: nowhere,
			radius:  math.Inf(1), queue: new(Queue),
		}
		r.wake.L = &r.mu
		shared := make([]*search.Shared, 10)
		for i := range shared {
			shared[i] = &search.Shared{Bytes: 1 + rng.IntN(limit)}
		}
		for order := range int64(100) {
			n := search.Node{Bound: float64(rng.IntN(8)), Order: order}
			if rng.IntN(3) > 0 {
				n.Cache = &search.Cache{Bytes: 1 + rng.IntN(10), Value: order}
			}
			if rng.IntN(3) > 0 {
				n.State = holder{shared[rng.IntN(len(shared))]}
			}
			r.report(0, search.Opened{Children: []search.Node{n}})
			if r.check(t); r.queue.bytes > limit {
				t.Fatalf("limit %d: caches take %d", limit, r.queue.bytes)
			}
			if all := r.queue.BytesHeld(r.limits.NodeBytes) + 2*r.queue.bytes; r.queue.Len() > 1 &&
				all > 4*limit {
				t.Fatalf("limit %d: nodes and caches take %d", limit, all)
			}
		}
		most := rng.IntN(limit)
		before, first := r.cached(), nowhere
		r.queue.DropCaches(most)
		r.check(t)
		kept := r.cached()
		for _, e := range r.queue.heap {
			if kept[e.order] == 0 && before[e.order] > 0 && e.before(first) {
				first = e.position
			}
		}
		for _, e := range r.queue.heap {
			if kept[e.order] > 0 && first.before(e.position) {
				t.Fatalf("limit %d: %d is kept and %d lost", limit, e.order, first.order)
			}
		}
		if need := before[first.order]; need > 0 &&
			float64(r.queue.bytes+need) <= keptShare*float64(most) {
			t.Fatalf("limit %d: %d take %d, and there was room for it", limit, first.order, need)
		}
		r.dropped = nowhere
		for r.queue.Len() > 0 {
			if r.next(t.Context(), 0); rng.IntN(50) == 0 {
				r.queue.Clear()
			}
			r.check(t)
		}
	}
}

// cached returns the memory of the caches of nodes, by their orders.
func (r *run) cached() map[int64]int {
	of := map[int64]int{}
	for _, e := range r.queue.heap {
		if c := r.queue.slots[e.slot].cache; c != nil {
			of[e.order] = c.Bytes
		}
	}
	return of
}

// check compares the counts with the nodes and caches that there are.
func (r *run) check(t *testing.T) {
	t.Helper()
	total := 0
	for _, bytes := range r.cached() {
		total += bytes
	}
	if total != r.queue.bytes {
		t.Fatalf("caches take %d bytes, and %d are counted", total, r.queue.bytes)
	}
	held := map[*search.Shared]bool{}
	total = 0
	for _, e := range r.queue.heap {
		h, ok := r.queue.slots[e.slot].state.(holder)
		if ok && h.shared != nil && !held[h.shared] {
			held[h.shared] = true
			total += h.shared.Bytes
		}
	}
	if total != r.queue.shared || len(held) != len(r.queue.holders) {
		t.Fatalf("nodes share %d bytes of %d, and %d of %d are counted",
			total, len(held), r.queue.shared, len(r.queue.holders))
	}
}
