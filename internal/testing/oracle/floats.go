package oracle

import "math"

const (
	// tolerance is the size below which a rounded coefficient counts as zero and
	// a scaled row that is broken counts as satisfied.
	tolerance = 1e-9
	// tieTolerance is smaller: whatever the ratio test takes for equal is lost
	// from the accuracy of the answer.
	tieTolerance = 1e-13
)

// floats is float64 arithmetic.
type floats struct{}

func (floats) num(v float64) float64    { return v }
func (floats) add(a, b float64) float64 { return a + b }
func (floats) mul(a, b float64) float64 { return a * b }
func (floats) quo(a, b float64) float64 { return a / b }
func (floats) less(a, b float64) bool   { return a < b }

func (floats) dot(a, b []float64) float64 {
	b = b[:len(a)]
	var sum float64
	for i, e := range a {
		sum += e * b[i]
	}
	return sum
}

func (floats) axpy(y []float64, s float64, x []float64) {
	x = x[:len(y)]
	for i := range y {
		y[i] += s * x[i]
	}
}

func (floats) sign(a float64) int {
	switch {
	case a > tolerance:
		return 1
	case a < -tolerance:
		return -1
	}
	return 0
}

func (floats) tie(a, b float64) bool {
	return math.Abs(a-b) <= tieTolerance*max(1, math.Abs(a))
}

// scale divides by a power of two, which rounds nothing.
func (floats) scale(a []float64, b float64) ([]float64, float64) {
	var largest float64
	for _, e := range a {
		largest = max(largest, math.Abs(e))
	}
	_, exp := math.Frexp(largest)
	out := make([]float64, len(a))
	for i, e := range a {
		out[i] = math.Ldexp(e, -exp)
	}
	return out, math.Ldexp(b, -exp)
}

// pivots is far above what Bland's rule needs at these sizes; rounding may make
// it cycle, though.
func (floats) pivots() int { return 5000 }

// maximise believes the rounded simplex method only if its own certificate
// proves the answer, and otherwise solves the program exactly.
func (f floats) maximise(p program[float64]) outcome[float64] {
	out := simplex(f, p)
	if certified(p, out) {
		return out
	}
	return exactly(p)
}
