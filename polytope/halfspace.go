package polytope

import "github.com/seed-1a7dc1f9/facet/internal/precise"

// HalfSpace is {z : A·z ≤ B}, or {z : A·z < B} when Open is set. A zero A gives
// the whole space or the empty set, as 0 ≤ B, or 0 < B, says.
type HalfSpace struct {
	A    []float64
	B    float64
	Open bool
}

// Contains reports whether z lies in h, in float64 arithmetic. Where the terms cancel it computes
// in twice the precision.
func (h HalfSpace) Contains(z []float64) bool {
	v, _ := precise.Excess(h.A, h.B, z)
	if h.Open {
		return v < 0
	}
	return v <= 0
}
