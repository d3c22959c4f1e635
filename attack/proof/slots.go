package proof

import (
	"math/bits"
	"slices"
)

// slots are those of a feature from low to high, or those of a set, of which low is the first and
// high the last; low > high if there is none.
type slots struct {
	feature, low, high int32
	set                slotSet // nil for all from low to high
}

// slotSet has slot s in bit s%64 of word s/64.
type slotSet []uint64

func (s slotSet) has(slot int32) bool { return s[slot/64]>>(slot%64)&1 != 0 }

// add adds the slots from low to high.
func (s slotSet) add(low, high int32) {
	for slot := low; slot <= high; slot++ {
		s[slot/64] |= 1 << (slot % 64)
	}
}

// word64 returns the w-th word of the intersection of sets; nil sets have all slots.
func word64(w int32, sets ...slotSet) uint64 {
	all := ^uint64(0)
	for _, s := range sets {
		if s != nil {
			all &= s[w]
		}
	}
	return all
}

// firstOf returns the first slot, from low to high, that all sets have; high + 1 if there is none.
func firstOf(low, high int32, sets ...slotSet) int32 {
	for w := low / 64; low <= high && w <= high/64; w++ {
		word := word64(w, sets...)
		if w == low/64 {
			word &= ^uint64(0) << (low % 64)
		}
		if word != 0 {
			return min(w*64+int32(bits.TrailingZeros64(word)), high+1)
		}
	}
	return high + 1
}

// lastOf returns the last slot, from low to high, that all sets have; low − 1 if there is none.
func lastOf(low, high int32, sets ...slotSet) int32 {
	for w := high / 64; low <= high && w >= low/64; w-- {
		word := word64(w, sets...)
		if w == high/64 {
			word &= ^uint64(0) >> (63 - high%64)
		}
		if word != 0 {
			return max(w*64+63-int32(bits.LeadingZeros64(word)), low-1)
		}
	}
	return low - 1
}

// meet returns the slots that are in both sets, or in the first alone.
func (r slots) meet(other slotSet, in bool) slots {
	r.set = slices.Clone(r.set)
	for w := range r.set {
		if in {
			r.set[w] &= other[w]
		} else {
			r.set[w] &^= other[w]
		}
	}
	last := int32(64*len(r.set)) - 1
	r.low, r.high = firstOf(0, last, r.set), lastOf(0, last, r.set)
	return r
}

// all returns the slots of a feature.
func (e *ensemble) all(f int32) slots {
	r := slots{feature: f, high: int32(len(e.borders[f]))}
	if e.listed[f] {
		r.set = make(slotSet, r.high/64+1)
		r.set.add(0, r.high)
	}
	return r
}

// rank returns the last slot on the left of a border; −1, or the last of all, if it is infinite.
func (e *ensemble) rank(f int, b border) int32 {
	if !finite(b.end) && b.end < 0 {
		return -1
	}
	rank, _ := slices.BinarySearchFunc(e.borders[f], b, compareBorders)
	return int32(rank)
}

// send returns the slots of its feature that a test sends left and right.
func (e *ensemble) send(n *node, r slots) (left, right slots) {
	if r.set == nil {
		left, right = r, r
		rank := e.rank(n.feature, n.borders[0])
		left.high, right.low = min(r.high, rank), max(r.low, rank+1)
		return left, right
	}
	begin, goes := int32(0), make(slotSet, len(r.set))
	for i, b := range n.borders {
		end := e.rank(n.feature, b)
		if i%2 == 0 {
			goes.add(begin, end)
		}
		begin = end + 1
	}
	if len(n.borders)%2 == 0 {
		goes.add(begin, int32(len(e.borders[n.feature])))
	}
	return r.meet(goes, true), r.meet(goes, false)
}
