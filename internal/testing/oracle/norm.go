package oracle

import "slices"

// Norm is the length in which distances are measured.
type Norm int

const (
	Inf Norm = iota // max |v_j|
	One             // Σ |v_j|
	Two             // √Σ v_j²
)

// cost returns ‖z−x‖, for ℓ2 its square: a rational number has a rational cost
// in every norm, and the order of the costs is the order of the distances.
func cost[T any](f arithmetic[T], norm Norm, z, x []T) T {
	diff := slices.Clone(z)
	f.axpy(diff, f.num(-1), x)
	if norm == Two {
		return f.dot(diff, diff)
	}
	total := f.num(0)
	for _, e := range diff {
		size := abs(f, e)
		switch {
		case norm == One:
			total = f.add(total, size)
		case f.less(total, size):
			total = size
		}
	}
	return total
}

// abs returns |v|.
func abs[T any](f arithmetic[T], v T) T {
	if f.less(v, f.num(0)) {
		return f.mul(f.num(-1), v)
	}
	return v
}
