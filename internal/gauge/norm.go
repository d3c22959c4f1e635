package gauge

import (
	"errors"
	"fmt"
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/precise"
)

// Norm is polytope.Norm, which says what each is.
type Norm int

const (
	LInf Norm = iota
	L1
	L2
)

// ErrNorm is polytope.ErrNorm.
var ErrNorm = errors.New("unsuitable norm")

// Validate returns an error wrapping ErrNorm when n is not one of LInf, L1 and L2.
func (n Norm) Validate() error {
	if n < LInf || n > L2 {
		return fmt.Errorf("polytope: %w %d", ErrNorm, int(n))
	}
	return nil
}

// String returns the name ParseNorm reads.
func (n Norm) String() string {
	if names := [...]string{LInf: "inf", L1: "1", L2: "2"}; n >= 0 && int(n) < len(names) {
		return names[n]
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
	case LInf:
		return precise.MaxAbs(v)
	case L1:
		return precise.SumAbs(v)
	}
	return precise.Length(v)
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
	var most float64
	for j, e := range x {
		if a := math.Abs(e - y[j]); !(a <= most) {
			if most = a; a != a {
				break
			}
		}
	}
	return most
}

// euclidean returns ‖x − y‖₂.
func euclidean(x, y []float64) float64 {
	var squares float64
	for j, e := range x {
		e -= y[j]
		squares += float64(e * e)
	}
	if precise.Usual(squares) || squares != squares {
		return math.Sqrt(squares)
	}
	gaps := make([]float64, len(x))
	for j, e := range x {
		gaps[j] = e - y[j]
	}
	return precise.Length(gaps)
}
