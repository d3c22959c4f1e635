package solvertest

import (
	"testing"

	"github.com/seed-1a7dc1f9/facet/polytope"
)

// margin compares with the oracle on rows that truth shifts inwards.
func (c suite) margin(t *testing.T, norm polytope.Norm) {
	r := source(5, norm)
	for range c.Instances / 4 {
		p := small(r, norm)
		p.Margin = []float64{0.125, 0.25, 0.5, 1}[r.IntN(4)]
		Check(t, c.solver, p, c.Tolerance)
		if t.Failed() {
			return
		}
	}
}
