package bestfirst_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/seed-1a7dc1f9/facet/internal/bestfirst"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
)

// TestRadiiAgainstExhaustion: a search knows within which of its radii the first of all answers
// lies, whatever the number of workers, and claims nothing false when it is cut short.
func TestRadiiAgainstExhaustion(t *testing.T) {
	within, beyond, between, saved := 0, 0, 0, 0
	for number := range uint64(racetest.Scale(1500)) {
		synctest.Test(t, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(number, 12))
			f := grow(rng)
			want := f.first()
			all := f.run(t, t.Context(), bestfirst.Limits{Workers: 1}).Nodes
			radii := make([]float64, 1+rng.IntN(4))
			for i := range radii {
				radii[i] = float64(rng.IntN(16)) / 2
			}
			slices.Sort(radii)
			f.during = unsettled(rng)
			for _, workers := range []int{1, 2, 8} {
				limits := bestfirst.Limits{
					Workers: workers,
					Radii:   radii,
					Nodes:   rng.IntN(3) * rng.IntN(8),
				}
				r := f.run(t, t.Context(), limits)
				no, yes := 0, 0
				for _, radius := range radii {
					truth := want != nil && want.Bound <= radius
					found, proven := r.Answer != nil && r.Answer.Bound <= radius, r.Bound > radius
					if found && !truth || proven && truth ||
						(limits.Nodes == 0 && found == proven) {
						t.Fatalf("instance %d, %d workers: found %v, proven %v at %v of %v, the "+
							"first answer is %+v", number, workers, found, proven, radius, radii,
							want)
					}
					if found {
						no++
					}
					if proven {
						yes++
					}
				}
				within, beyond = within+no, beyond+yes
				if no > 0 && yes > 0 {
					between++
				}
				if workers == 1 && r.Nodes > all {
					t.Fatalf("instance %d: %d nodes, the first answer takes %d",
						number, r.Nodes, all)
				} else if workers == 1 && limits.Nodes == 0 {
					saved += all - r.Nodes
				}
			}
		})
	}
	if least := racetest.Scale(300); within < least || beyond < least || between < least ||
		saved < least {
		t.Errorf("answers within radii %d times, beyond %d, between %d, %d nodes saved: want more",
			within, beyond, between, saved)
	}
}

var errBroken = errors.New("broken")

// TestRadiiBetweenFailures: a node that cannot be opened, or a cell without an example, matters up
// to the last radius within which there is no answer, and not beyond.
func TestRadiiBetweenFailures(t *testing.T) {
	answer := leaf{0.5, 4, 4, nil} // found first
	tests := []struct {
		name  string
		other leaf
		err   error
	}{
		{"a failure between the radii", leaf{bound: 3, answer: 3, err: errBroken}, nil},
		{"a failure that turns out to be between the radii",
			leaf{bound: 1, answer: 3, err: errBroken}, nil},
		{"a failure within both", leaf{bound: 1, answer: 1, err: errBroken}, errBroken},
		{"a cell without an example between the radii", leaf{1, 3, math.Inf(1), nil}, nil},
	}
	for _, tt := range tests {
		r, err := bestfirst.Run(t.Context(), leaves{answer, tt.other}, bestfirst.Limits{
			Radii: []float64{2, 5},
		})
		if !errors.Is(err, tt.err) ||
			tt.err == nil && (r.Answer == nil || r.Bound <= 2 || !r.Complete) {
			t.Errorf("%s: %+v, %v, want %v, or an answer and a bound beyond 2",
				tt.name, r, err, tt.err)
		}
	}
}
