//go:build lpsolve

package milp

import (
	"context"
	"math"
	"runtime"
	"slices"

	"github.com/draffensperger/golp"

	"github.com/seed-1a7dc1f9/facet/internal/precise"
)

// relaxation is the solution of a program whose cuts need not be whole.
type relaxation struct {
	solved bool
	values []float64 // of the columns
	bound  float64   // of the cost, proven by certify; −Inf unless solved
}

// patience is how many seconds, the unit of its timeout, lp_solve gets for a
// program. One that takes longer is in most cases stalled by degeneracy and
// would take minutes; the halves of the box are sooner solved.
const patience = 1

// relax hands a program to lp_solve. That it fails, or finds a program
// infeasible, which none is, says nothing about the program: lp_solve 5.5.2.5
// does so on one in some thousand, most of them with coefficients of very
// different size.
func relax(ctx context.Context, p *program) relaxation {
	if ctx.Err() != nil {
		return relaxation{bound: math.Inf(-1)}
	}
	lp := golp.NewLP(0, len(p.cost))
	lp.SetVerboseLevel(golp.CRITICAL)
	for _, r := range p.rows {
		// golp never sets the error.
		_ = lp.AddConstraintSparse(r.entries, r.sense, r.right)
	}
	lp.SetObjFn(p.cost)
	for c := range p.shares() {
		lp.SetBounds(c, 0, 1)
	}
	lp.SetTimeout(patience)
	if lp.Solve() != golp.OPTIMAL {
		return relaxation{bound: math.Inf(-1)}
	}
	multipliers := make([]float64, len(p.rows))
	for i := range multipliers {
		multipliers[i] = lp.DualResult(i)
	}
	r := relaxation{solved: true, values: lp.Variables(), bound: p.certify(multipliers)}
	runtime.KeepAlive(lp) // golp's finalizer frees what the last call still reads
	return r
}

// shares returns how many columns, the cuts and the leaves, lie between 0 and
// 1. The distance may exceed 1 in a relaxation, at its price.
func (p *program) shares() int {
	if p.reach >= 0 {
		return p.reach
	}
	return p.penalty
}

// certify returns what multipliers of the rows prove: no solution of the
// program costs less. Any will do, so it need not be believed that they are
// lp_solve's optimal ones.
//
// A row a·v ≥ b times y ≥ 0 gives y·a·v ≥ y·b; a row of the other sense takes y
// ≤ 0, an equation any y. So
//
//	c·v ≥ Σ y_i·b_i + Σ_j (c − Σ y_i·a_i)_j·v_j
//
// where each term of the second sum is least at one end of 0 ≤ v_j ≤ 1; the
// penalty is 0 in a solution. What rounding may have added is taken off.
func (p *program) certify(multipliers []float64) float64 {
	reduced := slices.Clone(p.cost)
	size := make([]float64, len(p.cost))
	for j, c := range p.cost {
		size[j] = math.Abs(c)
	}
	var bound, total float64
	for i, r := range p.rows {
		y := admissible(multipliers[i], r.sense)
		if y == 0 {
			continue
		}
		bound += y * r.right
		total += math.Abs(y * r.right)
		for _, e := range r.entries {
			reduced[e.Col] -= y * e.Val
			size[e.Col] += math.Abs(y * e.Val)
		}
	}
	for j, c := range reduced[:p.penalty] {
		bound += min(0, c)
		total += size[j]
	}
	operations := float64(2*len(p.rows) + len(p.cost) + 2)
	return bound - operations*precise.Roundoff*total
}

// admissible returns y, or 0 when its sign proves nothing or it is not a
// number.
func admissible(y float64, sense golp.ConstraintType) float64 {
	switch {
	case math.IsNaN(y), math.IsInf(y, 0):
		return 0
	case sense == golp.LE:
		return min(y, 0)
	case sense == golp.GE:
		return max(y, 0)
	}
	return y
}
