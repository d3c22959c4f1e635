package rules_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/rules"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// drawOf draws the rules of a feature, of a kind each, and a value that may keep them.
func drawOf(r *rand.Rand, group int) (f rules.Feature, x float64) {
	f.Up, f.Frozen = float64(r.IntN(3)), r.IntN(4) == 0
	switch x = float64(r.IntN(9)-4) / 2; r.IntN(6) {
	case 0:
		f.Group, x = group, float64(r.IntN(2))
	case 1:
		f.Categorical, f.Codes = true, r.IntN(4)
	case 2:
		f.Step, f.MaxUp = 0.5, float64(r.IntN(3))
	case 3:
		f.MaxDown, f.MaxUpPart, f.Down = float64(r.IntN(3)), r.Float64(), inf
	case 4:
		if f.Missing = rules.MissingRule(r.IntN(3)); r.IntN(2) == 0 {
			x = nan
		}
	}
	return f, x
}

// TestWith: moves that are derived are those that would be compiled, and leave the others alone.
func TestWith(t *testing.T) {
	describe := func(m *rules.Moves) string {
		text := fmt.Sprintf("%+v %+v %v", m.Each, m.Features, m.Domain)
		for _, g := range m.Groups {
			for _, j := range g.Members {
				price, ok := g.Price(j)
				text += fmt.Sprintf(", group %d, feature %d: %v %v", g.Number, j, price, ok)
			}
		}
		return text
	}
	for number := range uint64(3000) {
		r := rand.New(rand.NewPCG(number, 1))
		given := rules.Rules{Norm: polytope.Norm(r.IntN(3)), Changes: r.IntN(4) == 0}
		var box polytope.Box
		var frozen []int
		for j := range 1 + r.IntN(6) {
			f, x := drawOf(r, 1+j/3)
			given.Features, given.X = append(given.Features, f), append(given.X, x)
			box = append(box, polytope.Interval{Lo: float64(-r.IntN(4)), Hi: float64(r.IntN(4))})
			if r.IntN(3) == 0 {
				frozen = append(frozen, j)
			}
		}
		if r.IntN(2) == 0 {
			for _, i := range box {
				given.Domain = append(given.Domain, polytope.Interval{
					Lo: i.Lo - float64(r.IntN(2)), Hi: i.Hi + 0.5, HiOpen: true,
				})
			}
		}
		if r.IntN(3) == 0 {
			box = nil
		}
		moves := given.Moves()
		before := describe(moves)
		got := describe(moves.With(frozen, box))
		if after := describe(moves); after != before {
			t.Fatalf("instance %d: the moves were %s, and are %s", number, before, after)
		}
		given.Features = slices.Clone(given.Features)
		for _, j := range frozen {
			given.Features[j].Frozen = true
		}
		if box != nil {
			given.Domain = box
		}
		if want := describe(given.Moves()); got != want {
			t.Fatalf("instance %d: %s, want %s", number, got, want)
		}
	}
}
