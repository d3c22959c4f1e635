package precise

import "math"

// SumAbs returns ‖v‖₁.
func SumAbs(v []float64) float64 {
	var sum float64
	for _, e := range v {
		sum += math.Abs(e)
	}
	return sum
}

// MaxAbs returns ‖v‖∞, NaN if v holds one.
func MaxAbs(v []float64) float64 {
	var most float64
	for _, e := range v {
		if a := math.Abs(e); !(a <= most) {
			if most = a; a != a {
				break
			}
		}
	}
	return most
}

// Length returns ‖v‖₂, NaN if v holds one. It does not overflow unless the length does.
func Length(v []float64) float64 {
	squares := Dot(v, v)
	if Usual(squares) || squares != squares {
		return math.Sqrt(squares)
	}
	most := MaxAbs(v)
	if most == 0 || math.IsInf(most, 0) {
		return most
	}
	squares = 0
	for _, e := range v {
		e /= most
		squares += float64(e * e)
	}
	return most * math.Sqrt(squares)
}

// Usual reports whether a sum of squares has neither overflowed nor lost digits to
// underflow.
func Usual(squares float64) bool { return squares > 0x1p-900 && squares < 0x1p900 }
