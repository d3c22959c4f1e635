package trees

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
)

// TestSweepAgainstEveryRadius compares the crossing with sums at every radius at which there
// is another choice.
func TestSweepAgainstEveryRadius(t *testing.T) {
	var s Sweep
	crossed := 0
	for number := range uint64(racetest.Scale(3000)) {
		rng := rand.New(rand.NewPCG(number, 1))
		groups := make([][]Step, rng.IntN(4))
		margin := Margin{Base: float64(rng.IntN(9) - 6), Slack: 0.25}
		known := float64(rng.IntN(4))
		s.Reset(len(groups), margin.Base)
		for g := range groups {
			best := -1
			for c := range rng.IntN(5) {
				next := Step{
					Reach:  float64(rng.IntN(10)),
					Gain:   float64(rng.IntN(7) - 3),
					Group:  int32(g),
					Choice: int32(c),
				}
				groups[g] = append(groups[g], next)
				if next.Reach > known {
					s.Step(next)
				} else if best < 0 || next.Gain > groups[g][best].Gain {
					best = c
				}
			}
			if best >= 0 {
				s.Choose(g, int32(best), groups[g][best].Gain)
			}
		}
		want, wins := known, false
		for ; want < 10 && !wins; want++ {
			wins = bestSum(groups, margin.Base, want) >= -margin.Slack
		}
		want--
		got, ok := s.Cross(&margin, known)
		if ok != wins || (ok && got != want) {
			t.Fatalf("instance %d: Cross = %v, %v, want %v, %v", number, got, ok, want, wins)
		}
		if !ok {
			continue
		}
		crossed++
		sum := margin.Base
		for g, c := range s.Best {
			if choice := groups[g][c]; choice.Reach > got || choice.Gain != s.Gains[g] {
				t.Fatalf("instance %d: choice %+v of group %d within %v, gain %v",
					number, choice, g, got, s.Gains[g])
			}
			sum += s.Gains[g]
		}
		if sum < -margin.Slack {
			t.Fatalf("instance %d: the choices add up to %v, which does not win", number, sum)
		}
	}
	if crossed < racetest.Scale(500) {
		t.Errorf("only %d cross", crossed)
	}
}

// bestSum returns the largest sum within a radius, −Inf if a group has no choice.
func bestSum(groups [][]Step, sum, radius float64) float64 {
	for _, g := range groups {
		best := math.Inf(-1)
		for _, c := range g {
			if c.Reach <= radius {
				best = max(best, c.Gain)
			}
		}
		sum += best
	}
	return sum
}
