//go:build lpsolve

package milp

import (
	"math"
	"slices"

	"github.com/draffensperger/golp"

	"github.com/seed-1a7dc1f9/facet/internal/precise"
)

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
