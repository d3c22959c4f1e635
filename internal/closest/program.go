package closest

import (
	"errors"
	"math"
)

// Kind names the norm that is minimised.
type Kind int

const (
	Inf Kind = iota
	One
	Two
)

// Status says how Solve ended.
type Status int

const (
	Optimal    Status = iota // U satisfies every row and is shortest
	Infeasible               // the rows contradict each other, as far as can be seen
	Cutoff                   // Bound has reached the cutoff
)

// ErrNumerical is returned when rounding errors keep the pivots from converging.
// Bound still holds.
var ErrNumerical = errors.New("no convergence in floating-point arithmetic")

const (
	// feasibility is the violation, relative to the size of the numbers that make
	// up a normalised row, below which the row counts as satisfied: a few
	// thousand rounding errors.
	feasibility = 1e-12
	// epsilon is the unit roundoff of float64.
	epsilon = 0x1p-53
	// waivable is the relative violation up to which rows may stay violated once
	// no pivot could repair one and rounding hid whether they contradict each
	// other, as happens with the sides of a cell that is a single point.
	waivable = 1e-9
	// far is the bound, in units of its largest right-hand side, beyond which a
	// combination of rows looks like a contradiction. One by more than waivable
	// proves such a bound in spite of rounding, up to d = 1000; rows that are all
	// but parallel may meet there none the less.
	far = 1e3
)

// method is what differs between the norms: the active set, how it absorbs a
// violated row, and the multipliers that belong to it. Rows are those of the
// Program.
type method interface {
	reset(d int)
	// repair enters rows[r], which the current point violates, and restores dual
	// feasibility. It returns false when no point satisfies the row together with
	// the active ones; multipliers then proves it.
	repair(r int) (bool, error)
	// forget takes back the last repair, which failed.
	forget()
	// point writes the current point to u.
	point(u []float64)
	// multipliers visits the active rows with their λ ≥ 0.
	multipliers(visit func(row int, lambda float64))
	// step returns how far the multiplier of row r, which the current point
	// violates, can grow before another one has to leave; stepped visits what
	// the others then are, or what they are a unit of an infinite step.
	step(r int) float64
	stepped(step float64, visit func(row int, lambda float64))
	// save returns the active set, restore goes back to it. An error leaves the
	// method in need of a reset.
	save() Basis
	restore(b Basis) error
}

// Program is one problem and the workspace to solve it.
type Program struct {
	kind   Kind
	d      int
	rows   rows
	method method
	u      []float64
	g      []float64 // Σλ_i a_i, see combine
	sums   sums
	visit  func(row int, lambda float64) // p.include, made once
	value  float64
	bound  float64
	pivots int
	solved bool
	broken bool // some row is not made of finite numbers
	second bool // the rows are solved anew after a failure
	// contradictory says that a repair failed as if no point satisfied the rows.
	contradictory bool
	// tolerance is the relative violation below which a row counts as satisfied:
	// feasibility, or waivable once a repair has failed.
	tolerance float64
}

// rows are the inequalities a·u ≤ b with ‖a‖_q = 1, flat and row-major.
type rows struct {
	d   int
	a   []float64
	b   []float64
	err []float64 // bound on the error of b, from its own computation
}

func (r *rows) len() int            { return len(r.b) }
func (r *rows) row(i int) []float64 { return r.a[i*r.d : (i+1)*r.d : (i+1)*r.d] }
func (r *rows) reset(d int) {
	r.d, r.a, r.b, r.err = d, r.a[:0], r.b[:0], r.err[:0]
}
func (r *rows) slack(i int, u []float64) float64 {
	return r.b[i] - dot(r.row(i), u)
}

// New returns an empty program; Reset gives it a dimension.
func New(kind Kind) *Program {
	p := &Program{kind: kind}
	switch kind {
	case One:
		p.method = &l1{vertex{rows: &p.rows}}
	case Two:
		p.method = &l2{rows: &p.rows}
	default:
		p.method = &linf{vertex{rows: &p.rows}}
	}
	p.visit = p.include
	return p
}

// Reset empties the program for displacements of dimension d.
func (p *Program) Reset(d int) {
	p.d = d
	p.rows.reset(d)
	p.method.reset(d)
	p.u = append(p.u[:0], make([]float64, d)...)
	p.g = append(p.g[:0], make([]float64, d)...)
	p.value, p.bound, p.pivots, p.solved = 0, 0, 0, true
	p.tolerance, p.broken, p.second, p.contradictory = feasibility, false, false, false
}

// Add appends the row a·u ≤ b, which is copied, and returns its number. err
// bounds the rounding error of b itself; certified bounds allow for it. A row of
// zeros with b < 0 makes the program infeasible.
func (p *Program) Add(a []float64, b, err float64) int {
	scale := p.kind.dualLength(a)
	if scale == 0 {
		scale = 1
		if b < -err {
			p.bound = math.Inf(1)
		}
	}
	for _, e := range a {
		p.rows.a = append(p.rows.a, e/scale)
	}
	p.rows.b = append(p.rows.b, b/scale)
	p.rows.err = append(p.rows.err, err/scale+epsilon*math.Abs(b/scale))
	p.solved = false
	if !(scale <= math.MaxFloat64) || !(math.Abs(b/scale) <= math.MaxFloat64) {
		p.broken = true
	}
	return p.rows.len() - 1
}

// Violated reports whether the current point lies outside a·u ≤ b by more than
// rounding.
func (p *Program) Violated(a []float64, b float64) bool {
	scale := p.kind.dualLength(a)
	return dot(a, p.u)-b > p.tolerance*max(scale*p.value, math.Abs(b))
}

// Len returns the number of rows.
func (p *Program) Len() int { return p.rows.len() }

// Pivots returns the number of changes of basis since Reset.
func (p *Program) Pivots() int { return p.pivots }

// U returns the current point. It is overwritten by the next Solve.
func (p *Program) U() []float64 { return p.u }

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
		return Optimal, ErrNumerical
	}
	status, err := p.improve(cutoff)
	if err != nil && !p.second {
		p.restart()
		status, err = p.improve(cutoff)
	}
	return status, err
}

// restart goes back to the origin, once, to take other pivots with a looser
// tolerance. The bound proven so far stays.
func (p *Program) restart() {
	p.second, p.tolerance = true, waivable
	p.method.reset(p.d)
	clear(p.u)
	p.value = 0
}

// improve pivots until every row is satisfied.
func (p *Program) improve(cutoff float64) (Status, error) {
	for limit := p.pivots + 50*(p.rows.len()+p.d) + 1000; ; {
		r := p.worst()
		if r < 0 {
			p.solved = true
			p.certify()
			return p.status(cutoff), nil
		}
		if p.pivots++; p.pivots > limit {
			p.certify()
			return Optimal, ErrNumerical
		}
		ok, err := p.method.repair(r)
		if err != nil {
			p.certify()
			return Optimal, err
		}
		if !ok {
			switch bound := p.combination(); {
			case bound >= cutoff:
				p.bound = bound
				return Cutoff, nil
			case bound >= far*p.largest():
				p.bound = max(p.bound, bound)
				p.solved, p.contradictory = true, true
				return Infeasible, nil
			case !p.waive():
				p.bound = max(p.bound, bound)
				return Optimal, ErrNumerical
			}
		}
		p.method.point(p.u)
		p.value = p.kind.length(p.u)
		if !(p.value <= math.MaxFloat64) {
			p.certify()
			return Optimal, ErrNumerical
		}
		// A bound that does not reach the cutoff is not kept: what Solve
		// returns in the end must not depend on the cutoffs on the way.
		if p.value >= cutoff {
			if bound := p.combination(); bound >= cutoff {
				p.bound = max(p.bound, bound)
				return Cutoff, nil
			}
		}
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

// worst returns the row the current point violates most, -1 when it satisfies
// all. Its tolerance is half of Violated's, so that a row that one reports is,
// once added, repaired, and not reported for ever because its normalisation
// rounds.
func (p *Program) worst() int {
	worst, most := -1, 0.0
	for i := range p.rows.b {
		v := -p.rows.slack(i, p.u)
		if v > most && v > p.tolerance/2*max(p.value, math.Abs(p.rows.b[i])) {
			worst, most = i, v
			if p.second {
				break // the first row will do: what matters is to take another way
			}
		}
	}
	return worst
}

// certify raises the bound to what the current multipliers prove.
func (p *Program) certify() {
	p.bound = max(p.bound, p.combination())
}

// Proves returns the lower bound that multipliers found by other means prove for
// the rows, 0 if none; lambda[i] belongs to row i divided by its length. Negative
// multipliers count as 0.
func (p *Program) Proves(lambda []float64) float64 {
	return p.combine(func(visit func(int, float64)) {
		for i, l := range lambda {
			visit(i, l)
		}
	})
}

// combination returns the bound that the current multipliers prove.
func (p *Program) combination() float64 { return p.combine(p.method.multipliers) }

// combine returns the distance from the origin to the half-space Σλ_i a_i·u ≤
// Σλ_i b_i, less what rounding may have added.
func (p *Program) combine(multipliers func(visit func(int, float64))) float64 {
	clear(p.g)
	p.sums = sums{}
	multipliers(p.visit)
	// Each of the n terms is rounded when multiplied and at every addition, and
	// dividing a row by its length has cost it d+1 roundings of its own.
	rounding := 2 * epsilon * (p.sums.n + float64(p.d) + 4)
	offset := p.sums.offset - 2*p.sums.err*(p.sums.n+4) - rounding*epsilon
	length := p.kind.dualLength(p.g) + rounding*p.sums.mass
	if bound := offset / length * (1 - 4*epsilon); bound > 0 && bound <= math.MaxFloat64 {
		return bound
	}
	return 0 // nothing is proved, or the multipliers are not numbers
}

// sums are what combine needs beside Σλ_i a_i.
type sums struct {
	offset float64 // −Σλ_i b_i
	err    float64 // what rounding has done to one term, summed
	mass   float64 // Σλ_i
	n      float64 // number of terms
}

// include adds λ times row i to the combination.
func (p *Program) include(i int, lambda float64) {
	if lambda <= 0 {
		return
	}
	for j, e := range p.rows.row(i) {
		p.g[j] += lambda * e
	}
	b := p.rows.b[i]
	p.sums.offset -= lambda * b
	p.sums.err += lambda * (math.Abs(b)*epsilon + p.rows.err[i])
	p.sums.mass += lambda
	p.sums.n++
}

// largest returns the largest right-hand side of the active rows.
func (p *Program) largest() float64 {
	largest := 0.0
	p.method.multipliers(func(i int, lambda float64) {
		if lambda > 0 {
			largest = max(largest, math.Abs(p.rows.b[i]))
		}
	})
	return largest
}

// waive takes back the repair of a row and lets rows stay violated by a little,
// unless they may already.
func (p *Program) waive() bool {
	if p.tolerance == waivable {
		return false
	}
	p.tolerance = waivable
	p.method.forget()
	return true
}

func (k Kind) length(v []float64) float64 {
	switch k {
	case Inf:
		return maxAbs(v)
	case One:
		return sumAbs(v)
	}
	return euclidean(v)
}

func (k Kind) dualLength(v []float64) float64 {
	switch k {
	case Inf:
		return sumAbs(v)
	case One:
		return maxAbs(v)
	}
	return euclidean(v)
}

// euclidean returns ‖v‖₂, by way of v/max|v_j| where the sum of squares overflows
// or loses digits.
func euclidean(v []float64) float64 {
	const tiny, huge = 0x1p-900, 0x1p900
	s := dot(v, v)
	if (s > tiny && s < huge) || s != s {
		return math.Sqrt(s)
	}
	most := maxAbs(v)
	if most == 0 || math.IsInf(most, 1) {
		return most
	}
	s = 0
	for _, e := range v {
		s += (e / most) * (e / most)
	}
	return most * math.Sqrt(s)
}

func dot(x, y []float64) float64 {
	y = y[:len(x)]
	var s float64
	for j, e := range x {
		s += e * y[j]
	}
	return s
}

func sumAbs(v []float64) float64 {
	var s float64
	for _, e := range v {
		s += math.Abs(e)
	}
	return s
}

func maxAbs(v []float64) float64 {
	var m float64
	for _, e := range v {
		if a := math.Abs(e); a > m {
			m = a
		}
	}
	return m
}
