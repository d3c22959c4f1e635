package oracle

import (
	"math"
	"math/big"
)

// certified tells whether point and dual of the outcome prove it up to the
// tolerance. Programs without an optimum that are not infeasible do not occur
// in this package; they are left to exact arithmetic.
func certified(p program[float64], out outcome[float64]) bool {
	switch out.status {
	case optimal:
		value, bound := floats{}.dot(p.c, out.v), floats{}.dot(p.b, out.dual)
		return primalFeasible(p, out.v) && dualFeasible(p, p.c, out.dual) &&
			math.Abs(value-bound) <= tolerance*max(1, math.Abs(value))
	case infeasible:
		return dualFeasible(p, make([]float64, len(p.c)), out.dual) &&
			floats{}.dot(p.b, out.dual) < 0
	}
	return false
}

// primalFeasible tells whether v ≥ 0 and a·v ≤ b.
func primalFeasible(p program[float64], v []float64) bool {
	for i, a := range p.a {
		if !(floats{}.dot(a, v) <= p.b[i]+tolerance*max(1, math.Abs(p.b[i]))) {
			return false
		}
	}
	return nonnegative(v)
}

// dualFeasible tells whether y ≥ 0 and yᵀa ≥ c.
func dualFeasible(p program[float64], c, y []float64) bool {
	excess := make([]float64, len(c))
	floats{}.axpy(excess, -1, c)
	for i, a := range p.a {
		floats{}.axpy(excess, y[i], a)
	}
	return nonnegative(excess) && nonnegative(y)
}

func nonnegative(v []float64) bool {
	for _, e := range v {
		if !(e >= -tolerance) {
			return false
		}
	}
	return true
}

// exactly solves the program with rational numbers and rounds the outcome.
func exactly(p program[float64]) outcome[float64] {
	q := program[*big.Rat]{b: nums(rats{}, p.b), c: nums(rats{}, p.c)}
	for _, a := range p.a {
		q.a = append(q.a, nums(rats{}, a))
	}
	out := simplex(rats{}, q)
	return outcome[float64]{out.status, rounded(out.v), rounded(out.dual)}
}
