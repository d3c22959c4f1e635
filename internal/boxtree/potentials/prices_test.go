package potentials_test

import (
	"math/rand/v2"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/boxtree/grid"
	"github.com/seed-1a7dc1f9/facet/internal/boxtree/potentials"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
)

// total is the reach of a cell whose intervals add up.
func total(cell []int32) (reach float64) {
	for _, s := range cell {
		reach += float64(s)
	}
	return reach
}

// TestPrices: where intervals have prices no bound is below the largest margin within a reach,
// before and after sweeps and changes of the rate, in parts that were split or of which leaves
// were left out; nor does an earliest reach miss a margin that comes to the goal. Prices make
// bounds better.
func TestPrices(t *testing.T) {
	var s potentials.Sweeper
	free, priced, empty := 0.0, 0.0, 0
	for number := range uint64(racetest.Scale(4000)) {
		rng := rand.New(rand.NewPCG(number, 2))
		f := draw(rng)
		for i := range f.leaves {
			f.leaves[i].Reach = 0
		}
		d := potentials.New(f.box, f.base, f.leaves, f.first)
		if d == nil {
			continue // all gains are zero
		}
		within := 2*float64(len(f.box)) + float64(rng.IntN(8))
		goal := f.most(f.box, within, total) + [...]float64{-1e-9, -0.5, 0.5}[rng.IntN(3)]
		sweep(&s, d, within, 10)
		free += d.Margin(within) - goal
		d = potentials.New(f.box, f.base, f.leaves, f.first)
		d.Charge(func(_ int32, s grid.Span) float64 { return float64(s.Lo) },
			max(1, d.Margin(within)-goal)/within/2)
		sweep(&s, d, within, 10)
		priced += d.Margin(within) - goal
		box := f.box
		for d != nil {
			checkPrices(t, number, &f, d, within, goal)
			split := sweep(&s, d, within, 1+rng.IntN(5))
			checkPrices(t, number, &f, d, within, goal)
			if split.Feature < 0 {
				break
			}
			box = half(rng, d.Box(), split)
			d = s.Narrow(d, box, within, goal)
		}
		if d == nil {
			empty++
			if most := f.most(box, within, total); most >= goal {
				t.Fatalf(
					"instance %d: nothing is left of a part with a margin of %v, %v over the goal",
					number, most, most-goal,
				)
			}
		}
	}
	if priced > 0.65*free || empty < racetest.Scale(400) {
		t.Errorf("with prices bounds exceed goals by %v, without by %v; %d parts are empty",
			priced, free, empty)
	}
}

// sweep sweeps so many times, for a reach, and returns where to split.
func sweep(
	s *potentials.Sweeper, d *potentials.Decomposition, reach float64, times int,
) (split grid.Cut) {
	s.Prepare(d)
	for range times {
		split = s.Sweep(d, 0.1)
		s.Scale(d, reach)
	}
	return split
}

// checkPrices compares bounds of margins that come to the goal.
func checkPrices(
	t *testing.T, number uint64, f *forest, d *potentials.Decomposition, within, goal float64,
) {
	t.Helper()
	for reach := 0.0; reach <= within; reach++ {
		truth := f.most(d.Box(), reach, total)
		if bound := d.Margin(reach); truth >= goal && bound < truth-1e-12 {
			t.Fatalf("instance %d: bound %v within %v, but a margin of %v",
				number, bound, reach, truth)
		}
		if at := d.Crossing(goal, 0, within); truth >= goal && at > reach {
			t.Fatalf("instance %d: goal %v within no less than %v, but a margin of %v at %v",
				number, goal, at, truth, reach)
		}
	}
}
