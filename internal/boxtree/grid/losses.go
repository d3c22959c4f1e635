package grid

import (
	"math"
	"slices"
)

// Losses are the gains that are lost, at each interval of some features, with best leaves whose
// sides begin or end there. Interval s of feature f is at offset[f]+s.
type Losses struct {
	offset      []int32
	lows, highs []float64
}

// Offsets numbers the intervals of a box through: from offset[f]+s.Lo on those of feature f. It
// returns how many there are.
func (b Box) Offsets() (offset []int32, intervals int) {
	offset = make([]int32, len(b))
	for f, s := range b {
		offset[f] = int32(intervals) - s.Lo
		intervals += int(s.Hi-s.Lo) + 1
	}
	return offset, intervals
}

// Reset clears the losses in the features in which the best leaves are disjoint.
func (l *Losses) Reset(offset []int32, intervals int, m *Meeting) {
	l.offset = offset
	l.lows, l.highs = slices.Grow(l.lows[:0], intervals)[:intervals],
		slices.Grow(l.highs[:0], intervals)[:intervals]
	for _, f := range m.Disjoint {
		at, meet := l.offset[f], m.Box[f]
		clear(l.highs[at+meet.Hi : at+meet.Lo])
		clear(l.lows[at+meet.Hi+1 : at+meet.Lo+1])
	}
}

// Misses reports whether a side ends before the last beginning, or begins behind the first end, of
// sides that are disjoint.
func (s Span) Misses(meet Span) bool {
	return meet.Hi < meet.Lo && (s.Hi < meet.Lo || s.Lo > meet.Hi)
}

// Add adds the loss of a side that misses another.
func (l *Losses) Add(f int32, s, meet Span, loss float64) {
	at := l.offset[f]
	if s.Hi < meet.Lo {
		l.highs[at+s.Hi] += loss
	}
	if s.Lo > meet.Hi {
		l.lows[at+s.Lo] += loss
	}
}

// Weakest returns the border between disjoint sides of a feature with the largest product of the
// losses of its two halves, each of which is a floor at least. The price of a border, if there are
// prices, is a further loss of the low and of the high half.
func (l *Losses) Weakest(
	f int32, meet Span, floor float64, price func(after int32) (low, high float64),
) (after int32, most float64) {
	at := l.offset[f]
	left, right := floor, floor
	for i := meet.Hi + 1; i <= meet.Lo; i++ {
		right += l.lows[at+i]
	}
	after, most = meet.Hi, math.Inf(-1)
	low, high := 0.0, 0.0
	for i := meet.Hi; i < meet.Lo; i++ {
		left += l.highs[at+i]
		if price != nil {
			low, high = price(i)
		}
		if score := (left + high) * (right + low); score > most {
			after, most = i, score
		}
		right -= l.lows[at+i+1]
	}
	return after, most
}
