package oracle

import (
	"math"
	"math/big"

	vector "gonum.org/v1/gonum/floats"
)

// arithmetic has the operations on numbers that this package needs. The operations on whole vectors
// are part of it because a call per number would make the float64 version several times slower.
type arithmetic[T any] interface {
	num(v float64) T
	add(a, b T) T
	sub(a, b T) T
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
	// passes is how often Gram-Schmidt takes a row's parts away: rounding leaves errors that
	// a second pass removes.
	passes() int
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

// vanishes tells whether every entry of v counts as zero.
func vanishes[T any](f arithmetic[T], v []T) bool {
	for _, e := range v {
		if f.sign(e) != 0 {
			return false
		}
	}
	return true
}

const (
	// tolerance is the size below which a rounded coefficient counts as zero and
	// a scaled row that is broken counts as satisfied.
	tolerance = 1e-9
	// tieTolerance is smaller: a difference that the ratio test takes for a tie is lost from the
	// accuracy of the answer.
	tieTolerance = 1e-13
)

// floats is float64 arithmetic.
type floats struct{}

func (floats) num(v float64) float64    { return v }
func (floats) add(a, b float64) float64 { return a + b }
func (floats) sub(a, b float64) float64 { return a - b }
func (floats) mul(a, b float64) float64 { return a * b }
func (floats) quo(a, b float64) float64 { return a / b }
func (floats) less(a, b float64) bool   { return a < b }

func (floats) dot(a, b []float64) float64               { return vector.Dot(a, b) }
func (floats) axpy(y []float64, s float64, x []float64) { vector.AddScaled(y, s, x) }

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

// scale divides by a power of two, which does not round.
func (floats) scale(a []float64, b float64) ([]float64, float64) {
	_, exp := math.Frexp(vector.Norm(a, math.Inf(1)))
	out := make([]float64, len(a))
	for i, e := range a {
		out[i] = math.Ldexp(e, -exp)
	}
	return out, math.Ldexp(b, -exp)
}

// pivots is far above the number that Bland's rule needs at these sizes; rounding may make it
// cycle, though.
func (floats) pivots() int { return 5000 }

func (floats) passes() int { return 2 }

// maximise believes the rounded simplex method only if its own certificate
// proves the answer, and otherwise solves the program exactly.
func (f floats) maximise(p program[float64]) outcome[float64] {
	out := simplex(f, p)
	if certified(p, out) {
		return out
	}
	return exactly(p)
}

// rats is exact arithmetic. No number is changed once made, so vectors may
// share numbers.
type rats struct{}

func (rats) add(a, b *big.Rat) *big.Rat { return new(big.Rat).Add(a, b) }
func (rats) sub(a, b *big.Rat) *big.Rat { return new(big.Rat).Sub(a, b) }
func (rats) quo(a, b *big.Rat) *big.Rat { return new(big.Rat).Quo(a, b) }
func (rats) less(a, b *big.Rat) bool    { return a.Cmp(b) < 0 }
func (rats) sign(a *big.Rat) int        { return a.Sign() }
func (rats) tie(a, b *big.Rat) bool     { return a.Cmp(b) == 0 }

// num makes whole numbers, the commonest, without a reduction to lowest terms.
func (rats) num(v float64) *big.Rat {
	if n := int64(v); float64(n) == v && -1<<53 < n && n < 1<<53 {
		return new(big.Rat).SetInt64(n)
	}
	return new(big.Rat).SetFloat64(v)
}

// mul spares the factors 1 and −1 the same.
func (rats) mul(a, b *big.Rat) *big.Rat {
	if a.IsInt() && a.Num().IsInt64() {
		switch a.Num().Int64() {
		case 1:
			return b
		case -1:
			return new(big.Rat).Neg(b)
		}
	}
	return new(big.Rat).Mul(a, b)
}

func (rats) dot(a, b []*big.Rat) *big.Rat {
	sum, term := new(big.Rat), new(big.Rat)
	for i, e := range a {
		if e.Sign() != 0 && b[i].Sign() != 0 {
			sum.Add(sum, term.Mul(e, b[i]))
		}
	}
	return sum
}

func (f rats) axpy(y []*big.Rat, s *big.Rat, x []*big.Rat) {
	if s.Sign() == 0 {
		return
	}
	for i := range y {
		if x[i].Sign() != 0 {
			y[i] = f.add(y[i], f.mul(s, x[i]))
		}
	}
}

func (rats) scale(a []*big.Rat, b *big.Rat) ([]*big.Rat, *big.Rat) { return a, b }

// pivots sets no limit: with Bland's rule and exact numbers the method ends.
func (rats) pivots() int { return math.MaxInt }

func (rats) passes() int { return 1 }

func (f rats) maximise(p program[*big.Rat]) outcome[*big.Rat] { return simplex(f, p) }

// rounded converts a vector to float64.
func rounded(v []*big.Rat) []float64 {
	if v == nil {
		return nil
	}
	out := make([]float64, len(v))
	for i, e := range v {
		out[i], _ = e.Float64()
	}
	return out
}
