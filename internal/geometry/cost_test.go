package geometry_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// TestLengths: the length of a move, and the largest products with moves of length 1, by hand.
func TestLengths(t *testing.T) {
	p := &polytope.Prices{Up: []float64{2, 1, 4}, Down: []float64{0.5, 3, inf}}
	u, a := []float64{1, -2, 0}, []float64{-1, 6, -8} // costs 2, 6, 0; a unit of cost gains 2, 6, 0
	for k, want := range map[polytope.Norm]struct{ length, support, symmetric float64 }{
		polytope.LInf: {6, 4.5, 2 + 6 + 2},
		polytope.L1:   {8, 2, 6},
		polytope.L2:   {math.Sqrt(40), math.Sqrt(0.25 + 4 + 4), math.Sqrt(4 + 36 + 4)},
	} {
		cost := geometry.Cost{Norm: k, Prices: p}
		for name, pair := range map[string][2]float64{
			"Length":           {cost.Length(u), want.length},
			"Support":          {cost.Support(a), want.support},
			"SymmetricSupport": {cost.SymmetricSupport(a), want.symmetric},
		} {
			if math.Abs(pair[0]-pair[1]) > 1e-15*pair[1] {
				t.Errorf("kind %d: %s is %v, want %v", k, name, pair[0], pair[1])
			}
		}
	}
	got := geometry.Cost{Norm: polytope.L1, Prices: p}.Length([]float64{0, 0, -1})
	if !math.IsInf(got, 1) {
		t.Errorf("a move that has no price costs %v", got)
	}
}

// TestJoin: lengths neither overflow nor vanish, and no number stays none.
func TestJoin(t *testing.T) {
	for _, k := range []polytope.Norm{polytope.LInf, polytope.L1, polytope.L2} {
		for _, scale := range []float64{0x1p-1000, 1, 0x1p1000} {
			numbers := []float64{3 * scale, 0, 4 * scale}
			want := [...]float64{polytope.LInf: 4, polytope.L1: 7, polytope.L2: 5}[k] * scale
			got := geometry.Join(k, 3, func(j int) float64 { return numbers[j] })
			if math.Abs(got-want) > 1e-15*want {
				t.Errorf("kind %d: %v is %v long, want %v", k, numbers, got, want)
			}
		}
		for _, numbers := range [][]float64{{1, math.NaN(), 2}, {math.NaN(), 1, inf}} {
			if got := geometry.Join(k, 3, func(j int) float64 { return numbers[j] }); got == got {
				t.Errorf("kind %d: %v is %v long", k, numbers, got)
			}
		}
		got := geometry.Join(k, 2, func(j int) float64 { return []float64{1, inf}[j] })
		if !math.IsInf(got, 1) {
			t.Errorf("kind %d: 1 and +Inf are %v long", k, got)
		}
	}
}

// TestScaling: a point of the program is as long as that of the caller, in the prices of the
// program; a coordinate that does not move drops out of the rows.
func TestScaling(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 71))
	for range 200 {
		up, down := make([]float64, 4), make([]float64, 4)
		for j := range up {
			up[j] = math.Exp(rng.NormFloat64())
			down[j] = math.Exp(rng.NormFloat64())
		}
		up[3], down[3] = inf, inf
		down[2] = inf // as dear as the other way, and closed elsewhere
		for _, k := range []polytope.Norm{polytope.LInf, polytope.L1, polytope.L2} {
			p := &polytope.Prices{Up: slices.Clone(up), Down: slices.Clone(down)}
			if k == polytope.L2 {
				copy(p.Down, p.Up)
			}
			var s geometry.Scaling
			s.Set(geometry.Cost{Norm: k, Prices: p})
			v := []float64{rng.NormFloat64(), rng.NormFloat64(), rng.Float64(), 0} // in the program
			u := make([]float64, 4)
			s.Back(u, v)
			length := s.Cost.Length(v)
			want := s.Given.Length(u)
			if math.Abs(length-want) > 1e-12*want || u[3] != 0 {
				t.Fatalf("kind %d: %v is %v long, and %v of the program %v", k, u, want, v, length)
			}
			if k != polytope.L2 && s.Prices.Down[2] != s.Prices.Up[2] {
				t.Fatalf("kind %d: a direction that does not exist costs %v, the other %v",
					k, s.Prices.Down[2], s.Prices.Up[2])
			}
			row := []float64{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64(), 1}
			scaled := slices.Clone(row)
			s.Scale(scaled)
			dot := func(a, b []float64) float64 { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }
			if scaled[3] != 0 ||
				math.Abs(dot(scaled, v)-dot(row, u)) > 1e-12*(1+math.Abs(dot(row, u))) {
				t.Fatalf("kind %d: row %v becomes %v", k, row, scaled)
			}
			if unit := s.DualLength(row); math.Ldexp(0.5, math.Ilogb(unit)+1) != unit {
				t.Fatalf("kind %d: rows are divided by %v, no power of two", k, unit)
			}
			if s.Price(3, 1) != 1 || s.Price(3, -1) != 1 {
				t.Fatalf("kind %d: a coordinate that does not move costs %v and %v",
					k, s.Price(3, 1), s.Price(3, -1))
			}
		}
	}
}
