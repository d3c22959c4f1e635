package geometry

import (
	"fmt"
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// CheckNorm returns an error wrapping polytope.ErrNorm for a norm other than LInf, L1 and L2.
func CheckNorm(n polytope.Norm) error {
	if n < polytope.LInf || n > polytope.L2 {
		return fmt.Errorf("polytope: %w %d", polytope.ErrNorm, int(n))
	}
	return nil
}

// Dual returns the norm q with 1/p + 1/q = 1: the distance from x to the half-space {z: a·z ≤ b}
// in the norm p is max(0, a·x − b)/‖a‖_q.
func Dual(n polytope.Norm) polytope.Norm {
	switch n {
	case polytope.LInf:
		return polytope.L1
	case polytope.L1:
		return polytope.LInf
	}
	return n
}

// Length returns ‖v‖. A NaN in v makes the result NaN.
func Length(n polytope.Norm, v []float64) float64 {
	switch n {
	case polytope.LInf:
		return precise.MaxAbs(v)
	case polytope.L1:
		return precise.SumAbs(v)
	}
	return precise.Length(v)
}

// DualLength returns the length of v in the dual norm.
func DualLength(n polytope.Norm, v []float64) float64 { return Length(Dual(n), v) }

// Join returns the length of count numbers ≥ 0.
func Join(n polytope.Norm, count int, at func(j int) float64) float64 {
	var most, sum, squares float64
	for j := range count {
		v := at(j)
		sum += v
		squares += float64(v * v)
		if !(v <= most) {
			most = v
		}
	}
	switch {
	case n == polytope.L1 || sum != sum:
		return sum
	case n == polytope.LInf || most == 0 || math.IsInf(most, 1):
		return most
	case precise.Usual(squares):
		return math.Sqrt(squares)
	}
	squares = 0
	for j := range count {
		v := at(j) / most
		squares += float64(v * v)
	}
	return most * math.Sqrt(squares)
}
