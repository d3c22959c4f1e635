package bestfirst

import (
	"maps"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/search"
)

// Queue is a binary heap of nodes, first the one that is opened first. What moves in it are entries
// without pointers; the rest of a node stays in its slot.
type Queue struct {
	heap  []entry
	slots []slot
	free  []int32 // slots that no entry names
	bytes int     // of the caches

	holders map[*search.Shared]int // how many nodes hold it
	shared  int                    // bytes of all of that
}

// entry is where a node stands in the order, and its slot.
type entry struct {
	position
	slot int32
}

// slot holds the fields of a node that its order does not depend on.
type slot struct {
	item  int64
	state any
	cache *search.Cache
}

// Len returns the number of nodes.
func (q *Queue) Len() int { return len(q.heap) }

// Bound returns that of the first node of a queue that is not empty.
func (q *Queue) Bound() float64 { return q.heap[0].bound }

// first returns the position of the first node of a queue that is not empty.
func (q *Queue) first() position { return q.heap[0].position }

// Bytes returns the size of the caches of all nodes.
func (q *Queue) Bytes() int { return q.bytes }

// BytesHeld returns the bytes of all nodes, each of them so many besides its part of shared memory.
// That counts twice, as caches do: so much the heap grows by until garbage is collected.
func (q *Queue) BytesHeld(node int) int { return len(q.heap)*node + 2*q.shared }

// Push adds a node.
func (q *Queue) Push(n search.Node) {
	q.bytes += bytesOf(n.Cache)
	if s := heldBy(n); s != nil {
		q.hold(s)
	}
	e := entry{position: position{n.Bound, n.Order}}
	if last := len(q.free) - 1; last >= 0 {
		e.slot = q.free[last]
		q.free = q.free[:last]
		q.slots[e.slot] = slot{n.Item, n.State, n.Cache}
	} else {
		e.slot = int32(len(q.slots))
		q.slots = append(q.slots, slot{n.Item, n.State, n.Cache})
	}
	q.heap = append(q.heap, e)
	h := q.heap
	i := len(h) - 1
	for i > 0 {
		parent := (i - 1) / 2
		if !e.before(h[parent].position) {
			break
		}
		h[i] = h[parent]
		i = parent
	}
	h[i] = e
}

// Pop removes and returns the first node of a queue that is not empty.
func (q *Queue) Pop() search.Node {
	end := len(q.heap) - 1
	first, last := q.heap[0], q.heap[end]
	h := q.heap[:end]
	q.heap = h
	i := 0
	for {
		c := 2*i + 1
		if c >= len(h) {
			break
		}
		if c+1 < len(h) && h[c+1].before(h[c].position) {
			c++
		}
		if !h[c].before(last.position) {
			break
		}
		h[i] = h[c]
		i = c
	}
	if len(h) > 0 {
		h[i] = last
	}
	return q.take(first)
}

// take empties the slot of an entry that has left the heap, and returns the node.
func (q *Queue) take(e entry) search.Node {
	s := &q.slots[e.slot]
	n := search.Node{
		Bound: e.bound, Order: e.order, Item: s.item, State: s.state, Cache: s.cache,
	}
	*s = slot{}
	q.free = append(q.free, e.slot)
	q.bytes -= bytesOf(n.Cache)
	if s := heldBy(n); s != nil {
		q.release(s)
	}
	return n
}

// heldBy returns the memory that a node shares with others, nil if there is none.
func heldBy(n search.Node) *search.Shared {
	if h, ok := n.State.(search.Holder); ok {
		return h.Holds()
	}
	return nil
}

// hold counts a node that holds something.
func (q *Queue) hold(s *search.Shared) {
	if q.holders == nil {
		q.holders = map[*search.Shared]int{}
	}
	if q.holders[s]++; q.holders[s] == 1 {
		q.shared += s.Bytes
	}
}

// release takes a node off the count of those that hold something.
func (q *Queue) release(s *search.Shared) {
	if q.holders[s]--; q.holders[s] == 0 {
		delete(q.holders, s)
		q.shared -= s.Bytes
	}
}

func bytesOf(c *search.Cache) int {
	if c == nil {
		return 0
	}
	return c.Bytes
}

// DropCaches takes the caches of the nodes that would be opened last, if all take more than most,
// until the others take keptShare of that. Since opening a node brings the same without, only time
// depends on which nodes these are.
func (q *Queue) DropCaches(most int) {
	if q.bytes <= most {
		return
	}
	q.sort()
	for _, e := range slices.Backward(q.heap) {
		if float64(q.bytes) <= keptShare*float64(most) {
			return
		}
		s := &q.slots[e.slot]
		q.bytes -= bytesOf(s.cache)
		s.cache = nil
	}
}

// keptShare makes it rare that nodes are sorted.
const keptShare = 0.75

// Keep drops all but the first few nodes, and hands those that it drops over in their order.
func (q *Queue) Keep(few int, dropped func(n search.Node)) {
	q.sort() // entries in their order are a heap
	for _, e := range q.heap[few:] {
		dropped(q.take(e))
	}
	q.heap = q.heap[:few]
}

// sort puts the entries in their order.
func (q *Queue) sort() {
	slices.SortFunc(q.heap, func(a, b entry) int { return a.compare(b.position) })
}

// Clone returns a copy, whose nodes share their states.
func (q *Queue) Clone() Queue {
	c := *q
	c.heap, c.slots, c.free = slices.Clone(q.heap), slices.Clone(q.slots), slices.Clone(q.free)
	c.holders = maps.Clone(q.holders)
	return c
}

// Clear drops all nodes.
func (q *Queue) Clear() {
	clear(q.slots)
	clear(q.holders)
	q.heap, q.slots, q.free = q.heap[:0], q.slots[:0], q.free[:0]
	q.bytes, q.shared = 0, 0
}
