package bestfirst

import (
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
	r.queue.Clear()
	r.bytes = 0
}

// dropCaches takes the caches of the nodes that would be opened last, until the others take
// keptShare of what they may. Since opening a node brings the same without, only time depends on
// which nodes these are.
func (r *run) dropCaches() {
	r.queue.sort()
	for _, e := range slices.Backward(r.queue.heap) {
		if float64(r.bytes) <= keptShare*float64(r.limits.Bytes) {
			return
		}
		if s := &r.queue.slots[e.slot]; s.cache != nil {
			r.bytes -= s.cache.Bytes
			s.cache = nil
		}
	}
}

// keptShare makes it rare that nodes are sorted.
const keptShare = 0.75
