package solvertest

import (
	"context"
	"reflect"
	"sync"
	"testing"

	"github.com/seed-1a7dc1f9/facet/polytope"
)

// concurrent solves the same problems in turn and from eight goroutines, each of
// which starts elsewhere in the list, and expects the same answers to the bit.
func (c suite) concurrent(t *testing.T, norm polytope.Norm) {
	r := source(8, norm)
	problems := make([]polytope.Problem, 64)
	want := make([]polytope.Solution, len(problems))
	for i := range problems {
		problems[i] = fractions(r, small(r, norm))
		if i%8 == 0 {
			problems[i] = voronoi(r, norm, 60, 1+r.IntN(30))
		}
		want[i], _ = solve(t, c.solver, problems[i])
	}
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for k := range problems {
				i := (k + g*len(problems)/8) % len(problems)
				got, err := c.solver.Closest(context.Background(), problems[i])
				if err != nil || !reflect.DeepEqual(got, want[i]) {
					t.Errorf("%s: Closest() = %+v, %v, want %+v as before", describe(problems[i]), got, err, want[i])
					return
				}
			}
		})
	}
	wg.Wait()
}
