package bestfirst_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"
	"testing/synctest"

	"github.com/seed-1a7dc1f9/facet/internal/bestfirst"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
)

// TestRadiusAgainstExhaustion: a search knows whether the first of all answers lies within its
// radius, for any number of workers, and makes no false claim when it is cut short.
func TestRadiusAgainstExhaustion(t *testing.T) {
	within, beyond, saved := 0, 0, 0
	for number := range uint64(racetest.Scale(1500)) {
		synctest.Test(t, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(number, 12))
			f := grow(rng)
			want := f.first()
			all := f.run(t, t.Context(), bestfirst.Limits{Workers: 1}).Nodes
			radius := float64(1+rng.IntN(16)) / 2
			f.during = unsettled(rng)
			for _, workers := range []int{1, 2, 8} {
				limits := bestfirst.Limits{
					Workers: workers,
					Radius:  radius,
					Nodes:   rng.IntN(3) * rng.IntN(8),
				}
				r := f.run(t, t.Context(), limits)
				truth := want != nil && want.Bound <= radius
				found, proven := r.Answer != nil && r.Answer.Bound <= radius, r.Bound > radius
				decided := limits.Nodes > 0 || found != proven
				if found && !truth || proven && truth || !decided {
					t.Fatalf("instance %d, %d workers: found %v, proven %v at %v, the first "+
						"answer is %+v", number, workers, found, proven, radius, want)
				}
				if found {
					within++
				}
				if proven {
					beyond++
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
	if least := racetest.Scale(300); within < least || beyond < least || saved < least {
		t.Errorf("answers within the radius %d times, beyond %d, %d nodes saved: want more",
			within, beyond, saved)
	}
}

var errBroken = errors.New("broken")

// TestRadiusAmongFailures: a node that cannot be opened, or a cell without an example, matters
// within the radius, and not beyond.
func TestRadiusAmongFailures(t *testing.T) {
	tests := []struct {
		name  string
		other leaf
		err   error
	}{
		{"a failure beyond", leaf{bound: 3, answer: 3, err: errBroken}, nil},
		{"a failure that turns out to be beyond", leaf{bound: 1, answer: 3, err: errBroken}, nil},
		{"a failure within", leaf{bound: 1, answer: 1, err: errBroken}, errBroken},
		{"a cell without an example beyond", leaf{1, 3, math.Inf(1), nil}, nil},
	}
	for _, tt := range tests {
		r, err := bestfirst.Run(t.Context(), leaves{tt.other}, bestfirst.Limits{Radius: 2})
		if !errors.Is(err, tt.err) || tt.err == nil && (r.Bound <= 2 || !r.Complete) {
			t.Errorf("%s: %+v, %v, want %v, or a bound beyond 2", tt.name, r, err, tt.err)
		}
	}
}
