package solvertest

import (
	"fmt"
	"math"
	"testing"

	"github.com/seed-1a7dc1f9/facet/polytope"
)

// cutoff asks with cutoffs below, at and above the distance.
func (c suite) cutoff(t *testing.T, norm polytope.Norm) {
	r := source(4, norm)
	for range c.Instances / 4 {
		p := small(r, norm)
		want, feasible := truth(p)
		factors := []float64{0.25, 0.999999, 1, 1.000001, 3, math.Inf(1)}
		base := want
		if !feasible || want == 0 {
			base = 1
		}
		for _, f := range factors {
			p.Cutoff = base * f
			got, ok := solve(t, c.solver, p)
			if !ok {
				return
			}
			if err := c.stopsAt(p, got, want, feasible); err != nil {
				t.Fatalf("%s, true distance %v: %v", describe(p), want, err)
			}
		}
	}
}

// stopsAt checks an answer to a problem with a cutoff. Where the distance is
// within the tolerance of the cutoff, both answers will do.
func (c suite) stopsAt(p polytope.Problem, got polytope.Solution, want float64, feasible bool) error {
	slack := c.Tolerance * max(1, want)
	if got.Status != polytope.StatusCutoff {
		if feasible && p.Cutoff < want-slack {
			return fmt.Errorf("got %+v, want cutoff", got)
		}
		return agrees(p, got, want, feasible, c.Tolerance)
	}
	switch {
	case !(got.Bound >= p.Cutoff):
		return fmt.Errorf("cutoff with bound %v", got.Bound)
	case feasible && got.Bound > want+1e-12*max(1, want):
		return fmt.Errorf("cutoff with bound %v, which is too large", got.Bound)
	case got.Point != nil || !math.IsInf(got.Distance, 1):
		return fmt.Errorf("cutoff with point %v at distance %v", got.Point, got.Distance)
	}
	return nil
}
