package oracle

import (
	"math"
	"math/big"
)

// program asks for the largest c·v with a·v ≤ b and v ≥ 0.
type program[T any] struct {
	a    [][]T
	b, c []T
}

type status int

const (
	optimal status = iota
	infeasible
	unbounded
	stalled // gave up after too many steps
)

// outcome is the answer to a program. The dual proves it: for an optimum,
// y ≥ 0, yᵀa ≥ c and y·b = c·v; for an infeasible program, y ≥ 0, yᵀa ≥ 0 and
// y·b < 0.
type outcome[T any] struct {
	status status
	v      []T // set if optimal
	dual   []T // set if optimal or infeasible
}

// simplex is the two-phase method.
func simplex[T any](f arithmetic[T], p program[T]) outcome[T] {
	d := newDictionary(f, p)
	if s := d.phase1(); s != optimal {
		return outcome[T]{status: s, dual: d.dual(d.auxiliary())}
	}
	s := d.improve(d.objective())
	if s != optimal {
		return outcome[T]{status: s}
	}
	return outcome[T]{status: s, v: d.point(), dual: d.dual(d.objective())}
}

// phase1 reaches a dictionary that is feasible without the artificial variable.
func (d *dictionary[T]) phase1() status {
	worst := d.worstRow()
	if worst < 0 {
		return optimal
	}
	// The artificial variable takes the value of the worst violation; with it,
	// every row is satisfied.
	d.pivot(worst, d.artificialColumn())
	if s := d.improve(d.auxiliary()); s != optimal {
		return s
	}
	if d.f.sign(d.rows[d.auxiliary()][0]) < 0 {
		return infeasible
	}
	d.expelArtificial()
	return optimal
}

// worstRow returns the row with the most negative value, or −1.
func (d *dictionary[T]) worstRow() int {
	worst, least := -1, d.f.num(0)
	for i, row := range d.rows[:d.m] {
		if d.f.less(row[0], least) {
			worst, least = i, row[0]
		}
	}
	return worst
}

// expelArtificial makes the artificial variable nonbasic. Exact arithmetic never
// needs it, because the variable leaves as soon as it may; rounding may leave it
// basic with a value that is only nearly zero.
func (d *dictionary[T]) expelArtificial() {
	for i, variable := range d.basic {
		if variable != artificial {
			continue
		}
		for col := 1; col <= len(d.nonbasic); col++ {
			if d.f.sign(d.rows[i][col]) != 0 {
				d.pivot(i, col)
				return
			}
		}
	}
}

// improve pivots until the objective in row o cannot grow.
func (d *dictionary[T]) improve(o int) status {
	for range d.f.pivots() {
		col := d.entering(o)
		if col < 0 {
			return optimal
		}
		row := d.leaving(col)
		if row < 0 {
			return unbounded
		}
		d.pivot(row, col)
	}
	return stalled
}

// entering returns the column of the first variable, in the order of the
// numbers (Bland's rule), that makes the objective grow; −1 if there is none.
// The artificial variable does not come back.
func (d *dictionary[T]) entering(o int) int {
	best := -1
	for j, variable := range d.nonbasic {
		if variable == artificial || d.f.sign(d.rows[o][j+1]) >= 0 {
			continue
		}
		if best < 0 || variable < d.nonbasic[best-1] {
			best = j + 1
		}
	}
	return best
}

// leaving returns the row whose variable is the first to reach zero when that of
// the column grows; of several the one with the smallest number (Bland's rule);
// −1 if there is none.
func (d *dictionary[T]) leaving(col int) int {
	best, step := -1, d.f.num(0)
	for i, row := range d.rows[:d.m] {
		if d.f.sign(row[col]) <= 0 {
			continue
		}
		ratio := d.f.quo(row[0], row[col])
		tie := best >= 0 && d.f.tie(ratio, step)
		if best < 0 || (tie && d.basic[i] < d.basic[best]) || (!tie && d.f.less(ratio, step)) {
			best, step = i, ratio
		}
	}
	return best
}

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
