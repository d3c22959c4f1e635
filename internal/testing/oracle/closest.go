package oracle

import (
	"math"
	"math/big"
	"slices"
)

// Closest returns the distance from x to the polyhedron {z : a_i·z ≤ b_i for all
// i} and a point z where it is attained. If the polyhedron is empty, the
// distance is +Inf, z is nil and feasible is false.
func Closest(
	norm Norm, x []float64, a [][]float64, b []float64,
) (dist float64, z []float64, feasible bool) {
	check(norm, x, a, b)
	z = nearestCell(floats{}, norm, x, []cell[float64]{{dim: len(x), a: a, b: b}})
	if z == nil {
		return math.Inf(1), nil, false
	}
	return distance(norm, z, x), z, true
}

// ClosestRat is Closest without rounding. In ℓ2 it returns the square of the
// distance, which unlike the distance is rational. If the polyhedron is empty,
// dist and z are nil.
func ClosestRat(
	norm Norm, x []float64, a [][]float64, b []float64,
) (dist *big.Rat, z []*big.Rat, feasible bool) {
	check(norm, x, a, b)
	f := rats{}
	exact := cell[*big.Rat]{dim: len(x), b: nums(f, b)}
	for _, row := range a {
		exact.a = append(exact.a, nums(f, row))
	}
	if z = nearestCell(f, norm, nums(f, x), []cell[*big.Rat]{exact}); z == nil {
		return nil, nil, false
	}
	return cost(f, norm, z, nums(f, x)), z, true
}

// tidy scales the rows and removes those without coefficients. It returns false
// if one of the latter, 0·z ≤ b with b < 0, cannot hold.
func tidy[T any](f arithmetic[T], a [][]T, b []T) ([][]T, []T, bool) {
	var outA [][]T
	var outB []T
	for i, row := range a {
		if isZero(f, row) {
			if f.less(b[i], f.num(0)) {
				return nil, nil, false
			}
			continue
		}
		scaledA, scaledB := f.scale(row, b[i])
		outA, outB = append(outA, scaledA), append(outB, scaledB)
	}
	return outA, outB, true
}

// isZero tells whether v is exactly the zero vector.
func isZero[T any](f arithmetic[T], v []T) bool {
	zero := f.num(0)
	for _, e := range v {
		if f.less(e, zero) || f.less(zero, e) {
			return false
		}
	}
	return true
}

// distance returns ‖z−x‖.
func distance(norm Norm, z, x []float64) float64 {
	c := cost(floats{}, norm, z, x)
	if norm == Two {
		return math.Sqrt(c)
	}
	return c
}

// check panics on input that is no polyhedron and point.
func check(norm Norm, x []float64, a [][]float64, b []float64) {
	ok := Inf <= norm && norm <= Two && len(a) == len(b) && finite(x) && finite(b)
	for _, row := range a {
		ok = ok && len(row) == len(x) && finite(row)
	}
	if !ok {
		panic("oracle: no polyhedron and point")
	}
}

// finite tells whether v consists of finite numbers.
func finite(v []float64) bool {
	return !slices.ContainsFunc(v, func(e float64) bool { return e-e != 0 })
}

// nearestCell returns the point of any of the cells that is nearest to x, or nil
// if there are none or all are empty. In ℓ2 a single enumeration goes through the cells: it need
// not look further than the nearest point of those before.
func nearestCell[T any](f arithmetic[T], norm Norm, x []T, cells []cell[T]) []T {
	e := newEnumeration(f, x)
	for _, c := range cells {
		a, b, ok := tidy(f, c.a, c.b)
		if !ok {
			continue
		}
		if norm == Two {
			e.search(a, b)
		} else if z, ok := closestLinear(f, norm, x, a, b); ok {
			if now := cost(f, norm, z, x); e.best == nil || f.less(now, e.least) {
				e.best, e.least = z, now
			}
		}
	}
	return e.best
}
