package classifier

import "math"

// Precision says in which arithmetic a tree compares a feature with a threshold.
type Precision int

const (
	Float32 Precision = iota // float32(x) ≤ t, as scikit-learn
	Float64                  // x ≤ t
)

// border returns the end of the set {x : the comparison sends x left} among the
// real numbers, and whether the end itself goes left.
func (p Precision) border(t float64) (end float64, closed bool) {
	if p == Float64 {
		return t, true
	}
	// The inputs that go left are those that round to below or below's
	// predecessors; rounding changes in the middle between neighbours, ties to
	// even.
	below := floor32(t)
	above := math.Nextafter32(below, float32(math.Inf(1)))
	end = middle(below, above)
	return end, float32(end) == below
}

// floor32 returns the largest float32 ≤ t.
func floor32(t float64) float32 {
	f := float32(t)
	if float64(f) > t {
		f = math.Nextafter32(f, float32(math.Inf(-1)))
	}
	return f
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
