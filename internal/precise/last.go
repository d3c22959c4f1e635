package precise

import "math"

// Last returns the largest finite float64 of a property that all have up to some one; false if none
// has it. It bisects the numbered float64.
func Last(has func(v float64) bool) (v float64, ok bool) {
	hi := int64(math.Float64bits(math.MaxFloat64))
	lo := -hi
	if !has(numbered(lo)) {
		return 0, false
	}
	for lo < hi {
		if middle := (lo >> 1) + (hi >> 1) + 1; has(numbered(middle)) {
			lo = middle
		} else {
			hi = middle - 1
		}
	}
	return numbered(lo), true
}

// numbered returns the i-th float64 above 0, or the −i-th below.
func numbered(i int64) float64 {
	if i < 0 {
		return -math.Float64frombits(uint64(-i))
	}
	return math.Float64frombits(uint64(i))
}
