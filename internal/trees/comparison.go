package trees

import (
	"fmt"
	"math"
)

// Comparison says which inputs a node of a tree sends left, and in which arithmetic
// it compares them with its threshold t.
type Comparison int

const (
	AtMostFloat32 Comparison = iota // float32(x) ≤ t, as scikit-learn
	AtMostFloat64                   // x ≤ t, as LightGBM
	BelowFloat32                    // float32(x) < t, as XGBoost
	BelowFloat64                    // x < t
)

// check returns an error for a threshold that makes no sense. A float32 may be −Inf, to which large
// negative numbers are rounded, and XGBoost's < may let none but missing values go left; no finite
// float64 is at most −Inf.
func (c Comparison) check(t float64) error {
	if math.IsNaN(t) || (math.IsInf(t, -1) && !c.rounds()) {
		return fmt.Errorf("threshold is %v", t)
	}
	return nil
}

// rounds reports whether inputs are rounded to float32 first.
func (c Comparison) rounds() bool { return c == AtMostFloat32 || c == BelowFloat32 }

// last returns the largest value that goes left when compared with t, of those
// that the arithmetic has; NaN if none does.
func (c Comparison) last(t float64) float64 {
	switch c {
	case AtMostFloat64:
		return t
	case BelowFloat64:
		return math.Nextafter(t, math.Inf(-1))
	}
	last := float32(t)
	if v := float64(last); v > t || v == t && c == BelowFloat32 {
		if math.IsInf(t, -1) {
			return math.NaN()
		}
		last = math.Nextafter32(last, float32(math.Inf(-1)))
	}
	return float64(last)
}

// border returns where the set {x : the comparison sends x left} ends among the real
// numbers, of which there may be some beyond the last float64.
func (c Comparison) border(t float64) Border {
	switch {
	case c == AtMostFloat64:
		return Border{End: t, Closed: true}
	case c == BelowFloat64, c == BelowFloat32 && math.IsInf(t, -1):
		return Border{End: t}
	}
	// Inputs go left that round to the last float32 that does, or to one before it: rounding
	// changes in the middle between neighbours, ties to even.
	last := float32(c.last(t))
	end := middle(last, math.Nextafter32(last, float32(math.Inf(1))))
	return Border{End: end, Closed: float32(end) == last}
}

// borderAfter is border of rounded inputs of which the last that goes left is neither 0 nor the
// largest: the next one has the next bits.
func borderAfter(last float32) Border {
	bits := math.Float32bits(last)
	next := bits + 1
	if last < 0 {
		next = bits - 1
	}
	end := float64(last)/2 + float64(math.Float32frombits(next))/2
	return Border{End: end, Closed: bits&1 == 0} // ties go to even bits
}

// middle returns the number halfway between two neighbouring float32, which
// float64 holds exactly. Beyond the largest float32 rounding takes the next power
// of two for the neighbour.
func middle(below, above float32) float64 {
	lo, hi := float64(below), float64(above)
	if math.IsInf(lo, -1) {
		lo = -0x1p128
	}
	if math.IsInf(hi, 1) {
		hi = 0x1p128
	}
	return lo/2 + hi/2
}
