package numpyrand

import (
	"fmt"
	"math"
	"math/bits"
)

// Randint returns a whole number in [low, high) (randint). Like math/rand's
// Intn it panics when the range is empty, low ≥ high.
func (r *Rand) Randint(low, high int64) int64 {
	if low >= high {
		panic(fmt.Sprintf("numpyrand: Randint of the empty range [%d, %d)", low, high))
	}
	// Both steps wrap around on purpose: the width of the range may exceed
	// the largest int64.
	width := uint64(high) - uint64(low)
	return int64(uint64(low) + r.interval(width-1))
}

// interval returns a number in [0, last] by masked rejection: the lowest bits
// that can hold last are drawn until they make a number not above it. Ranges of
// up to 32 bits consume one word a try, larger ones two. A range of one number
// consumes none.
func (r *Rand) interval(last uint64) uint64 {
	if last == 0 {
		return 0
	}
	mask := uint64(math.MaxUint64) >> bits.LeadingZeros64(last)
	for {
		var v uint64
		if last <= math.MaxUint32 {
			v = uint64(r.Uint32()) & mask
		} else {
			v = r.Uint64() & mask
		}
		if v <= last {
			return v
		}
	}
}
