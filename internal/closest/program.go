package closest

import (
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Status says how Solve ended.
type Status int

const (
	Optimal    Status = iota // U satisfies every row and is shortest
	Infeasible               // the rows contradict each other, as far as can be seen
	Cutoff                   // Bound has reached the cutoff
)

const (
	// feasibility is the violation, relative to the size of the numbers that make up a
	// normalised row, below which it counts as satisfied: a few thousand rounding errors.
	feasibility = 1e-12
	// waivable is the relative violation up to which rows may stay violated once no pivot could
	// repair one and rounding hid whether they contradict each other, as faces of a point may.
	waivable = 1e-9
	// leastSize is the size of a point below which violations are taken relative to it: a number
	// that is rounded to a multiple of the least float64 has no relative error.
	leastSize = 0x1p-960
	// far is the bound, in units of its largest right-hand side, beyond which a
	// combination of rows looks like a contradiction. One by more than waivable
	// proves such a bound in spite of rounding, up to d = 1000; rows that are all
	// but parallel may meet there none the less.
	far = 1e3
)

// method is the part that differs between the norms: the active set, how it absorbs a violated row,
// and the multipliers that belong to it. Rows are those of the Program.
type method interface {
	reset(d int)
	// repair enters rows[r], which the current point violates, and restores dual
	// feasibility. It returns false when no point satisfies the row together with
	// the active ones; multipliers then proves it.
	repair(r int) (bool, error)
	// forget takes back the last repair if it failed.
	forget()
	// point writes the current point to u.
	point(u []float64)
	// multipliers visits the active rows with their λ ≥ 0.
	multipliers(visit func(row int, lambda float64))
	// step returns how far the multiplier of row r, which the current point
	// violates, can grow before another one has to leave; stepped visits the multipliers after the
	// step, or their changes per unit of an infinite one.
	step(r int) float64
	stepped(r int, step float64, visit func(row int, lambda float64))
	// save returns the active set, load goes back to it, and solve computes the point
	// and the multipliers that belong to it. An error leaves the method in need of a
	// reset.
	save() Basis
	load(b Basis)
	solve() error
}

// Program is one problem and the workspace to solve it.
type Program struct {
	// the numbers of rows may have been rounded, once each: bounds then allow for it, and without
	// prices always
	Rounded bool
	d       int
	rows    rows
	method  method
	u       []float64 // in the coordinates of the rows
	priced  []float64 // in those of the caller, if there are prices
	moved   []float64 // the one that the caller sees
	g       []float64 // Σλ_i a_i, see combine
	sums    sums
	doubled []precise.Doubled             // as g
	visit   func(row int, lambda float64) // p.include, made once
	value   float64
	size    float64 // of the point in its own coordinates, without prices
	bound   float64
	pivots  int
	solved  bool
	broken  bool // some row is not made of finite numbers
	second  bool // the rows are solved anew after a failure
	// contradictory says that a repair failed as if no point satisfied the rows.
	contradictory bool
	// tolerance is the relative violation below which a row counts as satisfied:
	// feasibility, or waivable once a repair has failed.
	tolerance float64
}

// New returns an empty program; Reset gives it a dimension.
func New(norm polytope.Norm) *Program {
	p := &Program{}
	p.rows.Set(geometry.In(norm))
	switch norm {
	case polytope.L1:
		p.method = &l1{vertex{dual: dual{rows: &p.rows}}}
	case polytope.L2:
		p.method = &l2{dual: dual{rows: &p.rows}}
	default:
		p.method = &linf{vertex: vertex{dual: dual{rows: &p.rows}}}
	}
	p.visit = p.include
	return p
}

// Reset empties the program for displacements of dimension d.
func (p *Program) Reset(d int) {
	p.d, p.rows.d = d, d
	p.rows.cut(0)
	p.start()
}

// start goes to the origin.
func (p *Program) start() {
	p.method.reset(p.d)
	p.u, p.g = zeros(p.u, p.d), zeros(p.g, p.d)
	p.moved = p.u
	if len(p.rows.Unit) > 0 {
		p.priced = zeros(p.priced, p.d)
		p.moved = p.priced
	}
	p.value, p.size, p.bound, p.pivots, p.solved = 0, 0, 0, 0, true
	p.tolerance, p.broken, p.second, p.contradictory = feasibility, false, false, false
	p.rows.plain = false
}

// Violated reports whether the current point lies outside a·u ≤ b by more than
// rounding.
func (p *Program) Violated(a []float64, b float64) bool {
	scale := p.DualLength(a)
	return precise.Dot(a, p.moved)-b > p.tolerance*max(scale*max(p.size, leastSize), math.Abs(b))
}

// DualLength returns the divisor of a row that is added.
func (p *Program) DualLength(a []float64) float64 { return p.rows.DualLength(a) }

// Len returns the number of rows.
func (p *Program) Len() int { return p.rows.len() }

// Pivots returns the number of changes of basis since Reset.
func (p *Program) Pivots() int { return p.pivots }

// U returns the current point. It is overwritten by the next Solve.
func (p *Program) U() []float64 { return p.moved }

// Value returns ‖U‖.
func (p *Program) Value() float64 { return p.value }

// Bound returns a certified lower bound on ‖u‖ over all u that satisfy the rows.
// It is +Inf only after a row 0·u ≤ b < 0: that rows contradict each other is more
// than a bound in floating point can prove. See Multipliers.
func (p *Program) Bound() float64 { return p.bound }

// Multipliers visits the active rows with the λ ≥ 0 that prove Bound or, after
// Infeasible, make Σλ_i a_i vanish but for rounding while Σλ_i b_i < 0. λ belongs to
// a row divided by its dual length.
func (p *Program) Multipliers(visit func(row int, lambda float64)) {
	p.method.multipliers(visit)
}

// Solve restores optimality after rows were added, or stops once Bound has
// reached cutoff.
func (p *Program) Solve(cutoff float64) (Status, error) {
	if p.solved || p.contradictory || math.IsInf(p.bound, 1) {
		return p.status(cutoff), nil
	}
	if p.broken {
		return Optimal, polytope.ErrNumerical
	}
	status, err := p.improve(cutoff)
	for err != nil && p.retry() {
		status, err = p.improve(cutoff)
	}
	if err != nil {
		p.certify()
	}
	return status, err
}

// place goes to the point of the method.
func (p *Program) place() {
	p.method.point(p.u)
	p.rows.Back(p.moved, p.u)
	p.size = geometry.Length(p.rows.Norm, p.u)
	if p.value = p.size; p.rows.Prices != nil {
		p.value = p.rows.Cost.Length(p.u)
	}
}

func (p *Program) status(cutoff float64) Status {
	switch {
	case math.IsInf(p.bound, 1), p.contradictory:
		return Infeasible
	case p.bound >= cutoff:
		return Cutoff
	}
	return Optimal
}
