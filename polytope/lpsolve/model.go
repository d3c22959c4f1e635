//go:build lpsolve

package lpsolve

import (
	"github.com/draffensperger/golp"

	"github.com/seed-1a7dc1f9/facet/polytope"
)

// model is a program for lp_solve, whose variables are non-negative. In ℓ∞ they are
// v = u + t and t, with v ≤ 2t; in ℓ1 the positive and the negative part of u.
type model struct {
	lp    *golp.LP
	norm  polytope.Norm
	d     int
	fixed int // rows in front of those of the region
}

func newModel(norm polytope.Norm, d int) model {
	if norm == polytope.L1 {
		return model{lp: minimizing(0, 2*d), norm: norm, d: d}
	}
	m := model{lp: minimizing(d, d+1), norm: norm, d: d, fixed: d}
	for j := range d {
		m.add([]golp.Entry{{Col: j, Val: 1}, {Col: d, Val: -2}}, 0)
	}
	return m
}

// minimizing returns a program of n variables that minimises the sum of those from
// a first one on.
func minimizing(first, n int) *golp.LP {
	lp := golp.NewLP(0, n)
	lp.SetVerboseLevel(golp.CRITICAL)
	objective := make([]float64, n)
	for j := first; j < n; j++ {
		objective[j] = 1
	}
	lp.SetObjFn(objective)
	lp.SetAddRowMode(true)
	return lp
}

// add adds a row. golp never sets the error that AddConstraintSparse has.
func (m model) add(entries []golp.Entry, right float64) {
	_ = m.lp.AddConstraintSparse(entries, golp.LE, right)
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

// point writes the solution to u.
func (m model) point(u []float64) {
	v := m.lp.Variables()
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
