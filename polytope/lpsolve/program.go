//go:build lpsolve

package lpsolve

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/draffensperger/golp"

	"github.com/seed-1a7dc1f9/facet/internal/closest"
	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/polytope"
	"github.com/seed-1a7dc1f9/facet/polytope/internal/rowgen"
)

const (
	// violated is the violation, relative to the size of the numbers in a
	// row, from which on it counts: lp_solve satisfies rows to 1e-9 before it undoes
	// its own scaling of them.
	violated = 1e-8
	// contradicted is the bound, in units of the largest violation at x,
	// beyond which the rows count as contradictory.
	contradicted = 1e4
)

// program is a rowgen.Engine: min ‖u‖ under rows of dual length 1.
type program struct {
	ctx    context.Context
	norm   polytope.Norm
	rows   *closest.Program // does not solve them, but proves bounds from dual values
	u      []float64
	value  float64
	bound  float64
	unit   float64 // lp_solve's unit of length
	pivots int     // programs solved
}

var _ rowgen.Engine = (*program)(nil)

func newProgram(ctx context.Context, norm polytope.Norm, d int) *program {
	p := &program{
		ctx:  ctx,
		norm: norm,
		rows: closest.New(norm),
		u:    make([]float64, d),
	}
	p.rows.Reset(d)
	return p
}

// Add implements rowgen.Engine.
func (p *program) Add(a []float64, b, err float64) int { return p.rows.Add(a, b, err) }

// Len implements rowgen.Engine.
func (p *program) Len() int { return p.rows.Len() }

// U implements rowgen.Engine.
func (p *program) U() []float64 { return p.u }

// Violated implements rowgen.Engine.
func (p *program) Violated(a []float64, b float64) bool {
	return precise.Dot(a, p.u)-b > violated*max(geometry.DualLength(p.norm, a)*p.value, math.Abs(b))
}

// Solve implements rowgen.Engine. A verdict of infeasibility stands only when a
// second program proves it.
func (p *program) Solve(cutoff float64) (closest.Status, error) {
	if math.IsInf(p.rows.Bound(), 1) { // 0·u ≤ b < 0
		p.bound = math.Inf(1)
		return closest.Infeasible, nil
	}
	p.chooseUnit()
	verdict := p.run(0)
	switch verdict {
	case golp.INFEASIBLE:
		if p.contradiction() {
			p.bound = math.Inf(1)
			return closest.Infeasible, nil
		}
		// Rows that all but contradict each other, as the sides of a
		// region that is a single point may: loosen them.
		verdict = p.run(violated)
	case golp.NUMFAILURE, golp.DEGENERATE, golp.UNBOUNDED:
		p.unit /= 3 // other numbers, other pivots
		verdict = p.run(0)
	}
	if verdict != golp.OPTIMAL {
		if err := p.ctx.Err(); err != nil &&
			(verdict == golp.TIMEOUT || verdict == golp.SUBOPTIMAL) {
			return closest.Optimal, err
		}
		return closest.Optimal, fmt.Errorf("%w: lp_solve says %v", polytope.ErrNumerical, verdict)
	}
	if p.bound >= cutoff {
		return closest.Cutoff, nil
	}
	return closest.Optimal, nil
}

// chooseUnit makes the largest violation at x the unit of length.
func (p *program) chooseUnit() {
	p.unit = 0
	for i := range p.Len() {
		_, b, _ := p.rows.Row(i)
		p.unit = max(p.unit, -b)
	}
	if p.unit == 0 {
		p.unit = 1
	}
}

// run solves the program of the rows, with right-hand sides loosened by a relative
// amount, and goes to its optimum.
func (p *program) run(loosened float64) golp.SolutionType {
	m := newModel(p.norm, len(p.u))
	for i := range p.Len() {
		a, b, _ := p.rows.Row(i)
		m.add(m.entries(a), (b+loosened*math.Abs(b))/p.unit)
	}
	verdict, _ := p.optimize(m)
	if verdict == golp.OPTIMAL {
		m.point(p.u)
		for j := range p.u {
			p.u[j] *= p.unit
		}
		p.value = geometry.Length(p.norm, p.u)
	}
	return verdict
}

// contradiction reports whether dual values of the program that asks for the
// least loosening s of the rows (minimise s subject to a·u − s ≤ b) prove that no
// point of interest satisfies them.
func (p *program) contradiction() bool {
	d := len(p.u)
	m := model{lp: minimizing(d, d+1)}
	for j := range d {
		m.lp.SetUnbounded(j)
	}
	for i := range p.Len() {
		a, b, _ := p.rows.Row(i)
		entries := []golp.Entry{{Col: d, Val: -1}}
		for j, e := range a {
			if e != 0 {
				entries = append(entries, golp.Entry{Col: j, Val: e})
			}
		}
		m.add(entries, b/p.unit)
	}
	verdict, proven := p.optimize(m)
	return verdict == golp.OPTIMAL && proven >= contradicted*p.unit
}

// optimize runs lp_solve, with the time until the deadline in whole seconds, and
// raises the bound to the one that the dual values of a solution prove.
func (p *program) optimize(m model) (verdict golp.SolutionType, proven float64) {
	m.lp.SetAddRowMode(false)
	if deadline, ok := p.ctx.Deadline(); ok {
		m.lp.SetTimeout(int(max(1, math.Ceil(time.Until(deadline).Seconds()))))
	}
	p.pivots++
	if verdict = m.lp.Solve(); verdict == golp.OPTIMAL {
		proven = p.rows.Proves(m.multipliers(p.Len()))
		p.bound = max(p.bound, proven)
	}
	return verdict, proven
}
