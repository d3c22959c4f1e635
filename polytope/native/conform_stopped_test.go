package native_test

import (
	"context"
	"reflect"
	"sync"
	"testing"

	"github.com/seed-1a7dc1f9/facet/polytope"
)

// stopped ends the context before and in the middle of the work.
func (c conformer) stopped(t *testing.T, norm polytope.Norm) {
	p := voronoi(source(6, norm), norm, 400, 10)
	want := proved(t, c.solver, p, c.tolerance)
	list := p.Region.HalfSpaces
	p.Region.HalfSpaces = nil
	for calls := range 3 {
		ctx, cancel := context.WithCancel(context.Background())
		p.Region.Rest = &interrupter{deepest{norm, list}, calls, cancel}
		if calls == 0 {
			cancel()
		}
		got, err := c.solver.Closest(ctx, p)
		cancel()
		if err != nil {
			t.Errorf("cancelled after %d rounds: error %v, want none", calls, err)
		}
		if got.Status != polytope.StatusStopped || got.Point != nil {
			t.Errorf("cancelled after %d rounds: got %+v, want stopped", calls, got)
		}
		if !(got.Bound >= 0) || got.Bound > want.Distance {
			t.Errorf("cancelled after %d rounds: bound %v, want at most %v",
				calls, got.Bound, want.Distance)
		}
	}
}

// interrupter is a deepest that cancels the context when it is asked for the n-th time.
type interrupter struct {
	deepest
	n      int
	cancel func()
}

// Separate implements polytope.Separator.
func (s *interrupter) Separate(x, u []float64, add func([]float64, float64) bool) {
	if s.n--; s.n <= 0 {
		s.cancel()
	}
	s.deepest.Separate(x, u, add)
}

// concurrent solves the same problems in turn and from eight goroutines, each of
// which starts elsewhere in the list, and expects the same answers to the bit.
func (c conformer) concurrent(t *testing.T, norm polytope.Norm) {
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
					t.Errorf("%s: Closest() = %+v, %v, want %+v as before",
						describe(problems[i]), got, err, want[i])
					return
				}
			}
		})
	}
	wg.Wait()
}
