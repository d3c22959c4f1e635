package oracle

// arithmetic is what the methods of this package need of a number type. The
// operations on whole vectors are part of it because a call per number would
// make the float64 version several times slower.
type arithmetic[T any] interface {
	num(v float64) T
	add(a, b T) T
	mul(a, b T) T
	quo(a, b T) T
	less(a, b T) bool

	dot(a, b []T) T
	axpy(y []T, s T, x []T) // y += s·x

	// sign is −1, 0 or 1; rounded numbers near zero count as zero.
	sign(a T) int
	// tie tells whether two ratios of the simplex method are to be taken for equal.
	tie(a, b T) bool
	// scale brings a row a·z ≤ b to a standard size, if tolerances need one.
	scale(a []T, b T) ([]T, T)
	// pivots is the number of simplex steps after which to give up.
	pivots() int
	// maximise solves a linear program.
	maximise(p program[T]) outcome[T]
}

// nums converts a vector.
func nums[T any](f arithmetic[T], v []float64) []T {
	out := make([]T, len(v))
	for i, e := range v {
		out[i] = f.num(e)
	}
	return out
}

// zeros returns the zero vector of length n.
func zeros[T any](f arithmetic[T], n int) []T {
	return nums(f, make([]float64, n))
}

// sub returns a − b.
func sub[T any](f arithmetic[T], a, b T) T {
	return f.add(a, f.mul(f.num(-1), b))
}

// vanishes tells whether every entry of v counts as zero.
func vanishes[T any](f arithmetic[T], v []T) bool {
	for _, e := range v {
		if f.sign(e) != 0 {
			return false
		}
	}
	return true
}
