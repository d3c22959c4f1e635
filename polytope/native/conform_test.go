package native_test

import (
	"math"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/polytope"
	"github.com/seed-1a7dc1f9/facet/polytope/native"
)

var inf = math.Inf(1)

var norms = []polytope.Norm{polytope.LInf, polytope.L1, polytope.L2}

// conformer is a solver, and its promises.
type conformer struct {
	name      string
	solver    polytope.Solver
	norms     []polytope.Norm // the others must be refused
	tolerance float64         // of distance and violation, times max(1, distance)
	instances int             // random small instances a norm; a fifth of them without -full
}

// conformers lists all solvers. With the build tag lpsolve there is one more.
var conformers = []conformer{{
	name:      "native",
	solver:    native.Solver{},
	norms:     norms,
	tolerance: 1e-9,
	instances: 20000,
}}

// TestConformance runs every test of a solver on every solver. Small random
// instances, from fixed seeds, are compared with internal/testing/oracle, which shares
// no code with the solvers; the answers to large ones prove themselves: a point of the region
// whose distance equals the certified bound is a closest point.
func TestConformance(t *testing.T) {
	tests := []struct {
		name string
		run  func(conformer, *testing.T, polytope.Norm)
	}{
		{"Oracle", conformer.oracle},
		{"Exact", conformer.exact},
		{"Priced", conformer.priced},
		{"Separator", conformer.separator},
		{"Cutoff", conformer.cutoff},
		{"Margin", conformer.margin},
		{"Empty", conformer.empty},
		{"Unbounded", conformer.unbounded},
		{"Stopped", conformer.stopped},
		{"Malformed", conformer.malformed},
		{"Concurrent", conformer.concurrent},
		{"Large", conformer.large},
		{"Scaled", conformer.scaled},
		{"Translated", conformer.translated},
	}
	for _, c := range conformers {
		c.instances = racetest.Count(c.instances/5, c.instances)
		for _, test := range tests {
			for _, norm := range c.norms {
				t.Run(c.name+"/"+test.name+"/"+norm.String(), func(t *testing.T) {
					t.Parallel()
					test.run(c, t, norm)
				})
			}
		}
		t.Run(c.name+"/Unsupported", c.unsupported)
	}
}
