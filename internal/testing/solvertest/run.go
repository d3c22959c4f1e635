package solvertest

import (
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Options says what to expect of a solver. The zero value asks for everything
// the polytope package promises.
type Options struct {
	Norms     []polytope.Norm // nil for all three; the others must be refused
	Tolerance float64         // of distance and violation, times max(1, distance); 0 for 1e-9
	Dims      []int           // dimensions of the large problems; nil for 1, 2, 25, 100 and 784
	Instances int             // random small instances a norm; 0 for 5,000. A tenth under the race detector
}

func (o Options) resolved() Options {
	if o.Norms == nil {
		o.Norms = all
	}
	if o.Tolerance == 0 {
		o.Tolerance = 1e-9
	}
	if o.Dims == nil {
		o.Dims = []int{1, 2, 25, 100, 784}
	}
	if o.Instances == 0 {
		o.Instances = 5000
	}
	o.Instances = racetest.Scale(o.Instances)
	return o
}

var all = []polytope.Norm{polytope.LInf, polytope.L1, polytope.L2}

// suite is a solver under test.
type suite struct {
	Options
	solver polytope.Solver
}

// Run runs every conformance test on s.
func Run(t *testing.T, s polytope.Solver, opts Options) {
	c := suite{opts.resolved(), s}
	tests := []struct {
		name string
		run  func(suite, *testing.T, polytope.Norm)
	}{
		{"Oracle", suite.oracle},
		{"Exact", suite.exact},
		{"Separator", suite.separator},
		{"Cutoff", suite.cutoff},
		{"Margin", suite.margin},
		{"Empty", suite.empty},
		{"Unbounded", suite.unbounded},
		{"Stopped", suite.stopped},
		{"Malformed", suite.malformed},
		{"Concurrent", suite.concurrent},
		{"Large", suite.large},
		{"Scaled", suite.scaled},
		{"Translated", suite.translated},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for _, norm := range c.Norms {
				t.Run(norm.String(), func(t *testing.T) {
					t.Parallel()
					test.run(c, t, norm)
				})
			}
		})
	}
	t.Run("Unsupported", c.unsupported)
}
