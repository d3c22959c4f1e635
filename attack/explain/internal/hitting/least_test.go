package hitting_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack/explain/internal/hitting"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
)

// TestLeastAgainstAllSets compares least weights with those of all sets.
func TestLeastAgainstAllSets(t *testing.T) {
	for number := range uint64(racetest.Count(500, 20000)) {
		rng := rand.New(rand.NewPCG(number, 1))
		n := 1 + rng.IntN(8)
		p := hitting.Problem{}
		for range n {
			p.Weights = append(p.Weights, float64(1+rng.IntN(4)))
		}
		draw := func(of *[]hitting.Set, most int) {
			for range rng.IntN(most) {
				s := hitting.NewSet(n)
				for range 1 + rng.IntN(3) {
					s.Add(rng.IntN(n))
				}
				*of = append(*of, s)
			}
		}
		draw(&p.Hit, 6)
		draw(&p.Avoid, 4)
		best, err := hitting.Least(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		least := -1.0
		for bits := range 1 << n {
			s := hitting.NewSet(n)
			s[0] = uint64(bits)
			if w := weigh(p, s); allowed(p, s) && (least < 0 || w < least) {
				least = w
			}
		}
		switch {
		case best == nil && least < 0:
		case best == nil || !allowed(p, best) || weigh(p, best) != least:
			t.Fatalf("instance %d: %v, the least weight is %v: %+v", number, best, least, p)
		}
	}
}

func weigh(p hitting.Problem, s hitting.Set) (sum float64) {
	for _, i := range s.Members() {
		sum += p.Weights[i]
	}
	return sum
}

func allowed(p hitting.Problem, s hitting.Set) bool {
	return !slices.ContainsFunc(p.Hit, func(h hitting.Set) bool { return !h.Meets(s) }) &&
		!slices.ContainsFunc(p.Avoid, func(a hitting.Set) bool { return s.Contains(a) })
}

// TestLeastEnds: an end of the context is an error.
func TestLeastEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if s, err := hitting.Least(ctx, hitting.Problem{}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, %v", s, err)
	}
}
