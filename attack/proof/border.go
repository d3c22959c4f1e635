package proof

import (
	"cmp"
	"math"
	"sort"
)

// comparison says which numbers a test sends left.
type comparison string

const (
	atMost32 comparison = "float32(x) <= t"
	atMost64 comparison = "x <= t"
	below32  comparison = "float32(x) < t"
	below64  comparison = "x < t"
)

// border is where the numbers that go left end.
type border struct {
	end    float64
	closed int // 1 if the end goes left itself
}

func (b border) low(v float64) bool { return v < b.end || (b.closed == 1 && v == b.end) }

func compareBorders(a, b border) int {
	return cmp.Or(cmp.Compare(a.end, b.end), cmp.Compare(a.closed, b.closed))
}

// border returns the border of a threshold.
func (c comparison) border(t float64) border {
	demand(!math.IsNaN(t) && (!math.IsInf(t, -1) || c == atMost32 || c == below32), "the threshold is %v", t)
	switch {
	case c == atMost64, math.IsInf(t, 1) && c == atMost32:
		return border{t, 1}
	case c == below64, math.IsInf(t, -1) && c == below32:
		return border{t, 0}
	}
	p := float32(t)
	if float64(p) > t || (float64(p) == t && c == below32) {
		p = math.Nextafter32(p, float32(math.Inf(-1)))
	}
	// The border is between p, the last float32 that goes left, and the next. What lies beyond the largest float32 counts
	// as the next power of two.
	q := math.Nextafter32(p, float32(math.Inf(1)))
	end := max(float64(p), -0x1p128)/2 + min(float64(q), 0x1p128)/2
	if float32(end) == p {
		return border{end, 1}
	}
	return border{end, 0}
}

// product returns the largest finite v for which weight·v, rounded, is at most t, for a weight > 0: −∞ if there is none, +∞ if
// there is no larger one.
func product(weight, t float64) float64 {
	// Float64 of one sign ascend with their bits.
	const most = 0x7fefffffffffffff
	value := func(i int) float64 { return math.Float64frombits(uint64(i)) }
	if t < 0 {
		return -value(sort.Search(most+1, func(i int) bool { return weight*-value(i) <= t }))
	}
	if i := sort.Search(most, func(i int) bool { return !(weight*value(i+1) <= t) }); i < most {
		return value(i)
	}
	return math.Inf(1)
}
