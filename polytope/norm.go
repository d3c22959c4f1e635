package polytope

import (
	"errors"
	"fmt"
	"math"
)

// Norm is the length in which distances are measured: ℓ∞, ℓ1 or ℓ2. Its zero
// value is ℓ∞, the norm of the paper's experiments.
type Norm int

const (
	LInf Norm = iota // max |v_j|
	L1               // Σ |v_j|
	L2               // √Σ v_j²
)

// ErrNorm is returned for a Norm that is none of LInf, L1 and L2.
var ErrNorm = errors.New("unknown norm")

// ParseNorm reads "inf", "1" or "2".
func ParseNorm(s string) (Norm, error) {
	for _, n := range []Norm{LInf, L1, L2} {
		if s == n.String() {
			return n, nil
		}
	}
	return 0, fmt.Errorf("polytope: %w %q: use inf, 1 or 2", ErrNorm, s)
}

// Validate returns an error wrapping ErrNorm when n is not one of the three.
func (n Norm) Validate() error {
	if n < LInf || n > L2 {
		return fmt.Errorf("polytope: %w %d", ErrNorm, int(n))
	}
	return nil
}

// String returns the name ParseNorm reads.
func (n Norm) String() string {
	switch n {
	case LInf:
		return "inf"
	case L1:
		return "1"
	case L2:
		return "2"
	}
	return fmt.Sprintf("Norm(%d)", int(n))
}

// Dual returns the norm q with 1/p + 1/q = 1: the distance from x to the
// half-space {z: a·z ≤ b} in the norm p is max(0, a·x − b)/‖a‖_q.
func (n Norm) Dual() Norm {
	switch n {
	case LInf:
		return L1
	case L1:
		return LInf
	}
	return n
}

// Length returns ‖v‖. A NaN in v makes the result NaN.
func (n Norm) Length(v []float64) float64 {
	switch n {
	case L1:
		var sum float64
		for _, e := range v {
			sum += math.Abs(e)
		}
		return sum
	case L2:
		return euclidean(v, nil)
	}
	var m float64
	for _, e := range v {
		if a := math.Abs(e); a > m || a != a {
			m = a
		}
		if m != m {
			return m
		}
	}
	return m
}

// Distance returns ‖x − y‖ of two vectors of equal length. A NaN in either makes
// the result NaN.
func (n Norm) Distance(x, y []float64) float64 {
	y = y[:len(x)]
	switch n {
	case L1:
		var sum float64
		for j, e := range x {
			sum += math.Abs(e - y[j])
		}
		return sum
	case L2:
		return euclidean(x, y)
	}
	var m float64
	for j, e := range x {
		if a := math.Abs(e - y[j]); a > m || a != a {
			m = a
		}
		if m != m {
			return m
		}
	}
	return m
}

// Between tiny and huge a sum of squares has neither overflowed nor lost digits.
const tiny, huge = 0x1p-900, 0x1p900

// euclidean returns ‖x − y‖₂ (‖x‖₂ for a nil y). The plain sum of squares is used
// unless it leaves the range in which squares neither overflow nor lose digits.
func euclidean(x, y []float64) float64 {
	var sum float64
	for j, e := range x {
		if y != nil {
			e -= y[j]
		}
		sum += float64(e * e)
	}
	if (sum > tiny && sum < huge) || sum != sum {
		return math.Sqrt(sum)
	}
	var scale float64
	for j, e := range x {
		if y != nil {
			e -= y[j]
		}
		scale = max(scale, math.Abs(e))
	}
	if scale == 0 || math.IsInf(scale, 0) {
		return scale
	}
	sum = 0
	for j, e := range x {
		if y != nil {
			e -= y[j]
		}
		e /= scale
		sum += float64(e * e)
	}
	return scale * math.Sqrt(sum)
}
