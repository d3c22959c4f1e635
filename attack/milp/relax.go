//go:build lpsolve

package milp

import (
	"context"
	"math"
	"runtime"

	"github.com/draffensperger/golp"
)

// relaxation is what is known of a program whose cuts need not be whole.
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
