package precise

import "math"

// Roundoff is the unit roundoff of float64: a rounded result is off by at most this
// share of itself, unless it underflows.
const Roundoff = 0x1p-53

// Noise bounds the relative error of a sum of n terms ≥ 0, each a rounded product
// of rounded differences, twice over.
func Noise(n int) float64 { return 4 * Roundoff * float64(n+4) }

// Finite reports whether v is a number and not infinite.
func Finite(v float64) bool { return math.Abs(v) <= math.MaxFloat64 }

// TwoSum returns x + y rounded, and the rounding error, NaN where the sum overflows
// (Knuth, "The Art of Computer Programming", volume 2, section 4.2.2).
func TwoSum(x, y float64) (sum, err float64) {
	sum = x + y
	z := sum - x
	return sum, (x - (sum - z)) + (y - z)
}

// Dot returns Σ x_j·y_j. No processor fuses the products with the sum. y may be the
// longer one.
func Dot(x, y []float64) float64 {
	y = y[:len(x)]
	var sum float64
	for j, e := range x {
		sum += float64(e * y[j])
	}
	return sum
}
