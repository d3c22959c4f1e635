package solvertest

import (
	"math"
	"math/big"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/testing/oracle"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// oracle compares random small problems with the oracle, and sees to it
// that every kind of region occurs.
func (c suite) oracle(t *testing.T, norm polytope.Norm) {
	r := source(1, norm)
	var empty, zero, positive int
	for range c.Instances {
		p := small(r, norm)
		Check(t, c.solver, p, c.Tolerance)
		switch dist, feasible := truth(p); {
		case !feasible:
			empty++
		case dist == 0:
			zero++
		default:
			positive++
		}
		if t.Failed() {
			return
		}
	}
	if few := c.Instances / 20; min(empty, zero, positive) < few {
		t.Errorf("%d empty regions, %d around x, %d apart: want at least %d of each", empty, zero, positive, few)
	}
}

// exact compares bounds and verdicts with the truth in rational arithmetic, with no
// tolerance where a bound must not exceed it.
func (c suite) exact(t *testing.T, norm polytope.Norm) {
	r := source(2, norm)
	for range max(1, c.Instances/20) {
		p := fractions(r, small(r, norm))
		if p.Region.Box.Empty() || (norm == polytope.L2 && len(p.X) == 4) {
			continue // the oracle knows no open sides, and takes long for the latter
		}
		got, ok := solve(t, c.solver, p)
		if !ok {
			return
		}
		a, b := rows(p)
		want, _, feasible := oracle.ClosestRat(oracle.Norm(norm), p.X, a, b)
		if !feasible {
			if got.Status != polytope.StatusInfeasible {
				t.Fatalf("%s: got %+v, want infeasible", describe(p), got)
			}
			continue
		}
		if got.Status != polytope.StatusOptimal {
			t.Fatalf("%s: got %+v, want %v", describe(p), got, want)
		}
		bound := new(big.Rat).SetFloat64(got.Bound)
		if norm == polytope.L2 {
			bound.Mul(bound, bound)
		}
		if bound.Cmp(want) > 0 {
			t.Fatalf("%s: bound %v exceeds the exact distance %v", describe(p), got.Bound, want.FloatString(30))
		}
		if err := agrees(p, got, rounded(norm, want), true, c.Tolerance); err != nil {
			t.Fatalf("%s: %v", describe(p), err)
		}
	}
}

// rounded returns the distance for the oracle's exact answer.
func rounded(norm polytope.Norm, dist *big.Rat) float64 {
	v, _ := dist.Float64()
	if norm == polytope.L2 {
		return math.Sqrt(v)
	}
	return v
}
