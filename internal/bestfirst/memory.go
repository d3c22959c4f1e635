package bestfirst

import (
	"cmp"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/search"
)

// bytesOf returns what the cache of a node takes.
func bytesOf(n *search.Node) int {
	if n.Cache == nil {
		return 0
	}
	return n.Cache.Bytes
}

// push adds a node to the queue.
func (r *run) push(n search.Node) {
	r.queue.Push(n)
	r.bytes += bytesOf(&n)
}

// clear empties the queue.
func (r *run) clear() {
	clear(r.queue)
	r.queue, r.bytes = r.queue[:0], 0
}

// dropCaches takes the caches of the nodes that would be opened last, until the others take
// keptShare of what they may. Since opening a node brings the same without, only time depends on
// which nodes these are.
func (r *run) dropCaches() {
	var cached []*search.Node
	for i := range r.queue {
		if n := &r.queue[i]; n.Cache != nil {
			cached = append(cached, n)
		}
	}
	slices.SortFunc(cached, func(a, b *search.Node) int {
		return cmp.Or(cmp.Compare(b.Bound, a.Bound), cmp.Compare(b.Order, a.Order))
	})
	for _, n := range cached {
		if float64(r.bytes) <= keptShare*float64(r.limits.Bytes) {
			return
		}
		r.bytes -= n.Cache.Bytes
		n.Cache = nil
	}
}

// keptShare makes it rare that nodes are sorted.
const keptShare = 0.75
