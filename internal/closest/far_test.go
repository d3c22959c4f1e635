package closest

import (
	"math"
	"testing"

	"github.com/seed-1a7dc1f9/facet/polytope"
)

// TestFar: rows that contradict each other by more than rounding are infeasible; those
// that do by about as much as rounding may be a cell that is a single plane, and are
// let stand.
func TestFar(t *testing.T) {
	for _, test := range []struct {
		gap  float64
		want Status
	}{{1e-12, Optimal}, {1e-10, Infeasible}, {1e-6, Infeasible}} {
		for _, k := range []polytope.Norm{polytope.LInf, polytope.L1, polytope.L2} {
			p := New(k)
			p.Reset(2)
			p.Add([]float64{1, 0}, -1, 0)
			p.Add([]float64{-1, 0}, 1-test.gap, 0)
			got, err := p.Solve(math.Inf(1))
			if err != nil || got != test.want {
				t.Errorf("norm %v, a gap of %v: status %v, %v, want %v",
					k, test.gap, got, err, test.want)
			}
			if math.IsInf(p.Bound(), 1) {
				t.Errorf("norm %v, a gap of %v: bound %v, more than floating point can prove",
					k, test.gap, p.Bound())
			}
		}
	}
}

// TestEmptyRow: a row of zeros whose side may be rounded from 0 does not contradict for certain.
func TestEmptyRow(t *testing.T) {
	for _, k := range []polytope.Norm{polytope.LInf, polytope.L1, polytope.L2} {
		p := New(k)
		p.Reset(2)
		p.Add([]float64{0, 0}, -1, 2)
		status, err := p.Solve(math.Inf(1))
		if status == Infeasible || p.Bound() > 0 {
			t.Errorf("norm %v: status %v, bound %v, %v", k, status, p.Bound(), err)
		}
	}
}
