package cover

import (
	"iter"
	"math/bits"
)

// set is a set of vertices, one bit each.
type set []uint64

func newSet(n int) set { return make(set, (n+63)/64) }

func (s set) has(v int) bool { return s[v>>6]>>(v&63)&1 == 1 }
func (s set) add(v int)      { s[v>>6] |= 1 << (v & 63) }
func (s set) remove(v int)   { s[v>>6] &^= 1 << (v & 63) }

func (s set) clone() set { return append(set(nil), s...) }

// intersect keeps what is also in t.
func (s set) intersect(t set) {
	for i := range s {
		s[i] &= t[i]
	}
}

// subtract removes what is in t.
func (s set) subtract(t set) {
	for i := range s {
		s[i] &^= t[i]
	}
}

// first returns the least vertex, or −1 of an empty set.
func (s set) first() int {
	for i, w := range s {
		if w != 0 {
			return i<<6 + bits.TrailingZeros64(w)
		}
	}
	return -1
}

// size returns the number of vertices.
func (s set) size() int {
	n := 0
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

// all yields the vertices, ascending, as they were when their word was reached.
func (s set) all() iter.Seq[int] {
	return func(yield func(int) bool) {
		for i, w := range s {
			for ; w != 0; w &= w - 1 {
				if !yield(i<<6 + bits.TrailingZeros64(w)) {
					return
				}
			}
		}
	}
}
