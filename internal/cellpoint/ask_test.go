package cellpoint_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/cellpoint"
	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// said is a solver that has one answer.
type said struct {
	sol polytope.Solution
	err error
}

func (s said) Closest(context.Context, polytope.Problem) (polytope.Solution, error) {
	return s.sol, s.err
}

func TestAsk(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	point := []float64{1}
	tests := []struct {
		name  string
		ctx   context.Context
		said  said
		point bool
		want  error // wrapped by an Undecided
	}{
		{"a point", t.Context(),
			said{polytope.Solution{Status: polytope.StatusOptimal, Point: point, Bound: 2}, nil},
			true, nil},
		{"infeasible", t.Context(),
			said{polytope.Solution{Status: polytope.StatusInfeasible, Bound: math.Inf(1)}, nil},
			false, nil},
		{"beyond the cutoff", t.Context(),
			said{polytope.Solution{Status: polytope.StatusCutoff, Bound: 2}, nil}, false, nil},
		{"numerical", t.Context(),
			said{polytope.Solution{Point: point, Bound: 2}, polytope.ErrNumerical}, false,
			polytope.ErrNumerical},
		{"stopped", t.Context(),
			said{polytope.Solution{Status: polytope.StatusStopped, Bound: 2}, nil}, false,
			cellpoint.ErrStopped},
		{"cancelled", ended, said{polytope.Solution{Status: polytope.StatusStopped, Bound: 2}, nil},
			false, context.Canceled},
	}
	for _, test := range tests {
		sol, err := cellpoint.Ask(test.ctx, test.said, polytope.Problem{})
		if (sol.Point != nil) != test.point || sol.Status != test.said.sol.Status ||
			sol.Bound != test.said.sol.Bound {
			t.Errorf("%s: Ask = %+v, want the solver's, with a point: %v",
				test.name, sol, test.point)
		}
		undecided, ok := errors.AsType[*search.Undecided](err)
		if ok != (test.want != nil) || !errors.Is(err, test.want) {
			t.Errorf("%s: error = %v, want %v", test.name, err, test.want)
		}
		if ok && undecided.Bound != test.said.sol.Bound {
			t.Errorf("%s: undecided from %v on, want %v",
				test.name, undecided.Bound, test.said.sol.Bound)
		}
	}
}

func TestAnswer(t *testing.T) {
	q := &search.Query{Cost: geometry.In(polytope.L1), X: []float64{1, 1}}
	n := search.Node{Bound: 2, Order: 3}
	if a := cellpoint.Answer(q, n, []float64{3, 0}); a.Bound != 2 || a.Order != 3 ||
		a.Distance != 3 {
		t.Errorf("Answer = %+v, want bound 2, order 3, distance 3", a)
	}
	if a := cellpoint.Answer(q, n, nil); a.Example != nil || !math.IsInf(a.Distance, 1) {
		t.Errorf("Answer without an example = %+v, want one at no distance", a)
	}
}
