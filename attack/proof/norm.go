package proof

import "math"

// norm is ℓ∞, ℓ1 or ℓ2, by its name in the file.
type norm string

const (
	normInf norm = "inf"
	norm1   norm = "1"
	norm2   norm = "2"
)

func (n norm) known() bool { return n == normInf || n == norm1 || n == norm2 }

func (n norm) dual() norm {
	switch n {
	case normInf:
		return norm1
	case norm1:
		return normInf
	}
	return n
}

// join adds a coordinate of modulus v to a length, of which ℓ2 has the square.
func (n norm) join(length, v float64) float64 {
	switch n {
	case normInf:
		return max(length, v)
	case norm1:
		return length + v
	}
	return length + float64(v*v)
}

// length returns ‖v‖ with a relative error below (len(v)+2)·2^-53, where nothing overflows
// or underflows.
func (n norm) length(v []float64) float64 {
	sum := 0.0
	for _, e := range v {
		sum = n.join(sum, math.Abs(e))
	}
	if n == norm2 {
		return math.Sqrt(sum)
	}
	return sum
}

// power returns ‖v‖, or its square for ℓ2. It uses up v.
func (n norm) power(v []*dyadic) *dyadic {
	sum := &dyadic{}
	for _, e := range v {
		switch e.m.Abs(&e.m); {
		case n == norm2:
			sum.add(e.times(e))
		case n == norm1:
			sum.add(e)
		case e.cmp(sum) > 0:
			sum = e
		}
	}
	return sum
}

// raise returns v ≥ 0, or its square for ℓ2, to be compared with a power. It uses up v.
func (n norm) raise(v *dyadic) *dyadic {
	if n == norm2 {
		return v.times(v)
	}
	return v
}

// compareDistance compares ‖z − x‖ with b, exactly.
func (n norm) compareDistance(z, x []float64, b *dyadic) int {
	gaps := make([]*dyadic, len(x))
	for j := range x {
		gaps[j] = difference(z[j], x[j])
	}
	return n.power(gaps).cmp(n.raise(b))
}
