package rules_test

import (
	"fmt"
	"math"
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
		text := fmt.Sprint(m.Domain)
		for _, move := range m.Each {
			text += fmt.Sprintf(" %+v", *move)
		}
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
		moves := given.Moves()
		before := describe(moves)
		within := moves.With(frozen, box)
		got := describe(moves.With(frozen, nil))
		if after := describe(moves); after != before {
			t.Fatalf("instance %d: the moves were %s, and are %s", number, before, after)
		}
		for _, j := range frozen {
			given.Features[j].Frozen = true
		}
		own := given.Moves()
		if want := describe(own); got != want {
			t.Fatalf("instance %d: %s, want %s", number, got, want)
		}
		for range 20 {
			z := slices.Clone(given.X)
			for j := range z {
				if r.IntN(3) > 0 {
					z[j] = float64(r.IntN(13)-6) / 2
				}
			}
			inside := true
			for j, i := range box {
				stays := given.Features[j].Frozen
				inside = inside && (i.Contains(z[j]) || stays || math.IsNaN(z[j]))
			}
			want := own.Broken(z) != nil || !inside
			if err := within.Broken(z); (err != nil) != want {
				t.Fatalf("instance %d: %v in %v: %v, and %v without the box",
					number, z, box, err, own.Broken(z))
			}
		}
	}
}

// TestBoxBesideTheGrid: a grid value that misses the end of the domain by rounding is that end, but
// one beyond the end of a box that somebody asks about is not in it.
func TestBoxBesideTheGrid(t *testing.T) {
	third := 0.30000000000000004 // 3·0.1, rounded
	given := rules.Rules{
		X: []float64{0}, Features: []rules.Feature{{Step: 0.1}},
		Domain: polytope.Box{{Lo: 0, Hi: 0.3}},
	}
	m := given.Moves()
	if price, ok := m.Each[0].Price(polytope.Interval{Lo: 0.25, Hi: 1}); price != 0.3 || !ok {
		t.Errorf("%v, %v", price, ok)
	}
	given.Domain[0].Hi = 1
	m = given.Moves().With(nil, polytope.Box{{Lo: 0, Hi: 0.3}})
	if price, ok := m.Each[0].Price(polytope.Interval{Lo: 0.25, Hi: 1}); ok {
		t.Errorf("%v is beyond the box, and costs %v", third, price)
	}
}
