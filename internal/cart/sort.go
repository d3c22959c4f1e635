package cart

import (
	"math"
	"math/bits"
)

// ordinal maps float32 to whole numbers in the same order. The two zeros become
// neighbours, which is as good as equal.
func ordinal(v float32) uint32 {
	b := math.Float32bits(v)
	if b>>31 == 1 {
		return ^b
	}
	return b | 1<<31
}

// sortKeys sorts keys whose upper halves lie in low..high by these, and returns
// them in one of the two slices; the other one is scratch space as long.
func sortKeys(keys, spare []uint64, low, high uint32) []uint64 {
	if len(keys) <= fewKeys {
		insertionSort(keys)
		return keys
	}
	width := bits.Len32(high - low)
	passes := (width + digitBits - 1) / digitBits
	for pass := range passes {
		sortByDigit(spare, keys, low, width*pass/passes)
		keys, spare = spare, keys
	}
	return keys
}

const (
	// fewKeys are sorted fastest by insertion.
	fewKeys   = 32
	digitBits = 8
)

func insertionSort(keys []uint64) {
	for i := 1; i < len(keys); i++ {
		k, j := keys[i], i
		for ; j > 0 && keys[j-1] > k; j-- {
			keys[j] = keys[j-1]
		}
		keys[j] = k
	}
}

// sortByDigit is a pass of radix sort: it orders the keys by digitBits bits, from
// shift on, of the upper half less low, and keeps the order where these agree.
func sortByDigit(into, keys []uint64, low uint32, shift int) {
	var start [1 << digitBits]uint32
	for _, k := range keys {
		start[uint8((uint32(k>>32)-low)>>shift)]++
	}
	sum := uint32(0)
	for d, n := range start {
		start[d] = sum
		sum += n
	}
	for _, k := range keys {
		d := uint8((uint32(k>>32) - low) >> shift)
		into[start[d]] = k
		start[d]++
	}
}
