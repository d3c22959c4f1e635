//go:build lpsolve

package lpsolve

import (
	"fmt"
	"math"
	"time"

	"github.com/draffensperger/golp"

	"github.com/seed-1a7dc1f9/facet/polytope"
)

// improve solves the program of the rows taken up so far, moves the point to its
// optimum and raises the bound to what its dual values prove. A verdict of
// infeasibility stands only when a second program proves it.
func (w *lazy) improve() (polytope.Status, error) {
	w.chooseUnit()
	verdict := w.run(0)
	switch verdict {
	case golp.INFEASIBLE:
		if w.contradiction() {
			w.bound = math.Inf(1)
			return polytope.StatusInfeasible, nil
		}
		// Rows that all but contradict each other, as the sides of a
		// region that is a single point may: loosen them.
		verdict = w.run(violated)
	case golp.NUMFAILURE, golp.DEGENERATE, golp.UNBOUNDED:
		w.unit /= 3 // other numbers, other pivots
		verdict = w.run(0)
	}
	switch verdict {
	case golp.OPTIMAL:
		return polytope.StatusOptimal, nil
	case golp.TIMEOUT, golp.SUBOPTIMAL:
		if w.ctx.Err() != nil {
			return polytope.StatusStopped, nil
		}
	}
	return polytope.StatusStopped, fmt.Errorf("lpsolve: %w: lp_solve says %v", polytope.ErrNumerical, verdict)
}

// chooseUnit makes the largest violation at x the unit of length.
func (w *lazy) chooseUnit() {
	w.unit = 0
	for _, r := range w.rows {
		w.unit = max(w.unit, -r.b)
	}
	if w.unit == 0 {
		w.unit = 1
	}
}

// run solves the program with right-hand sides loosened by a relative amount.
// (AddConstraintSparse has an error result, but golp never sets it.)
func (w *lazy) run(loosened float64) golp.SolutionType {
	m := w.model()
	for _, r := range w.rows {
		_ = m.lp.AddConstraintSparse(m.entries(r.a), golp.LE, (r.b+loosened*math.Abs(r.b))/w.unit)
	}
	verdict := m.solve(w)
	if verdict != golp.OPTIMAL {
		return verdict
	}
	m.point(m.lp.Variables(), w.u)
	for j := range w.u {
		w.u[j] *= w.unit
	}
	w.value = w.p.Norm.Length(w.u)
	w.bound = max(w.bound, w.proof.Proves(m.multipliers(len(w.rows))))
	return verdict
}

// contradiction reports whether dual values of the program that asks for the
// least loosening s of the rows (minimise s subject to a·u − s ≤ b) prove that no
// point of interest satisfies them.
func (w *lazy) contradiction() bool {
	d := len(w.u)
	lp := golp.NewLP(0, d+1)
	lp.SetVerboseLevel(golp.CRITICAL)
	for j := range d {
		lp.SetUnbounded(j)
	}
	for _, r := range w.rows {
		entries := []golp.Entry{{Col: d, Val: -1}}
		for j, e := range r.a {
			if e != 0 {
				entries = append(entries, golp.Entry{Col: j, Val: e})
			}
		}
		_ = lp.AddConstraintSparse(entries, golp.LE, r.b/w.unit)
	}
	objective := make([]float64, d+1)
	objective[d] = 1
	lp.SetObjFn(objective)
	m := model{lp: lp}
	if m.solve(w) != golp.OPTIMAL {
		return false
	}
	bound := w.proof.Proves(m.multipliers(len(w.rows)))
	w.bound = max(w.bound, bound)
	return bound >= contradicted*w.unit
}

// model is a program for lp_solve, whose variables are non-negative. In ℓ∞ they are
// v = u + t and t, with v ≤ 2t; in ℓ1 the positive and the negative part of u.
type model struct {
	lp    *golp.LP
	norm  polytope.Norm
	d     int
	fixed int // rows in front of those of the region
}

func (w *lazy) model() model {
	d := len(w.u)
	m := model{norm: w.p.Norm, d: d}
	if m.norm == polytope.L1 {
		m.lp = golp.NewLP(0, 2*d)
		m.lp.SetVerboseLevel(golp.CRITICAL)
		objective := make([]float64, 2*d)
		for j := range objective {
			objective[j] = 1
		}
		m.lp.SetObjFn(objective)
	} else {
		m.lp = golp.NewLP(0, d+1)
		m.lp.SetVerboseLevel(golp.CRITICAL)
		objective := make([]float64, d+1)
		objective[d] = 1
		m.lp.SetObjFn(objective)
		m.fixed = d
	}
	m.lp.SetAddRowMode(true)
	for j := range m.fixed {
		_ = m.lp.AddConstraintSparse([]golp.Entry{{Col: j, Val: 1}, {Col: d, Val: -2}}, golp.LE, 0)
	}
	return m
}

// entries writes a·u in the variables of the model.
func (m model) entries(a []float64) []golp.Entry {
	entries := make([]golp.Entry, 0, 2*m.d+1)
	sum := 0.0
	for j, e := range a {
		if e == 0 {
			continue
		}
		entries = append(entries, golp.Entry{Col: j, Val: e})
		if m.norm == polytope.L1 {
			entries = append(entries, golp.Entry{Col: m.d + j, Val: -e})
		}
		sum += e
	}
	if m.norm == polytope.LInf && sum != 0 {
		entries = append(entries, golp.Entry{Col: m.d, Val: -sum})
	}
	return entries
}

// solve runs lp_solve, with what is left until the deadline in whole seconds.
func (m model) solve(w *lazy) golp.SolutionType {
	m.lp.SetAddRowMode(false)
	if deadline, ok := w.ctx.Deadline(); ok {
		m.lp.SetTimeout(int(max(1, math.Ceil(time.Until(deadline).Seconds()))))
	}
	w.pivots++
	return m.lp.Solve()
}

// point turns the variables of the model into u.
func (m model) point(v, u []float64) {
	for j := range u {
		if m.norm == polytope.L1 {
			u[j] = v[j] - v[m.d+j]
		} else {
			u[j] = v[j] - v[m.d]
		}
	}
}

// multipliers returns the dual values of the last n rows: a row a·u ≤ b of a
// minimisation has dual value −λ.
func (m model) multipliers(n int) []float64 {
	lambda := make([]float64, n)
	for i := range lambda {
		lambda[i] = max(0, -m.lp.DualResult(m.fixed+i))
	}
	return lambda
}
