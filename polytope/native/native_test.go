package native_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/polytope"
	"github.com/seed-1a7dc1f9/facet/polytope/native"
)

// family is the simplest Separator: it names every half-space of a list.
type family []polytope.HalfSpace

func (f family) Separate(x, _ []float64, add func([]float64, float64) bool) {
	for _, h := range f {
		add(h.A, h.B-floats.Dot(h.A, x))
	}
}

// TestNativeTakesUpFewHalfSpaces keeps the cost of a cell where it is: a few
// dozen of 2,000 half-spaces, and not many more pivots than that.
func TestNativeTakesUpFewHalfSpaces(t *testing.T) {
	var s native.Solver
	for _, n := range norms {
		var rows, pivots int
		problems := cells(2000, 25, 10, n)
		for _, p := range problems {
			got := proved(t, &s, p, 1e-9)
			rows, pivots = rows+got.Rows, pivots+got.Pivots
		}
		if k := len(problems); rows > 60*k || pivots > 150*k {
			t.Errorf("norm %v: %d half-spaces and %d pivots a cell, want at most 60 and 150",
				n, rows/k, pivots/k)
		}
	}
}

// TestNativeReusesMemory: a warm solver allocates the answer and little else.
func TestNativeReusesMemory(t *testing.T) {
	if racetest.Enabled {
		return // sync.Pool drops items at random under the race detector
	}
	var s native.Solver
	for _, n := range norms {
		p := cells(500, 14, 1, n)[0]
		solve := func() {
			if _, err := s.Closest(context.Background(), p); err != nil {
				t.Fatal(err)
			}
		}
		solve()
		if got := testing.AllocsPerRun(50, solve); got > 10 {
			t.Errorf("norm %v: %v allocations a problem, want at most 10", n, got)
		}
	}
}

// TestNativePointLiesInBox: x + (Hi − x) rounds, but not out of the box.
func TestNativePointLiesInBox(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 1))
	var s native.Solver
	for range 500 {
		p := polytope.Problem{
			X:    []float64{r.NormFloat64(), r.NormFloat64()},
			Norm: norms[r.IntN(3)],
		}
		p.Region.Box = polytope.Box{{Lo: 10 * r.Float64(), Hi: inf}, {
			Lo: -inf,
			Hi: -10 * r.Float64(),
		}}
		p.Region.HalfSpaces = []polytope.HalfSpace{{A: []float64{-1, 1}, B: -1}}
		got := proved(t, &s, p, 1e-9)
		if !p.Region.Box.Contains(got.Point) {
			t.Fatalf("%+v: point %v lies outside the box", p, got.Point)
		}
	}
}

// TestNativeOverflow: numbers too large to calculate with give an error, not an
// answer.
func TestNativeOverflow(t *testing.T) {
	huge := math.MaxFloat64
	tests := []struct {
		name string
		p    polytope.Problem
	}{
		{"a·x", polytope.Problem{
			X: []float64{1e200, 0},
			Region: polytope.Polyhedron{
				HalfSpaces: []polytope.HalfSpace{{A: []float64{1e200, 1}, B: 1}},
			},
		}},
		{"‖a‖₁", polytope.Problem{
			X: []float64{0, 0},
			Region: polytope.Polyhedron{
				HalfSpaces: []polytope.HalfSpace{{A: []float64{huge, huge}, B: -1}},
			},
		}},
		{"b/‖a‖", polytope.Problem{
			X: []float64{0, 0},
			Region: polytope.Polyhedron{
				HalfSpaces: []polytope.HalfSpace{{A: []float64{1e-300, 0}, B: -1e300}},
			},
		}},
		{"a side of the box", polytope.Problem{
			X: []float64{huge, 0},
			Region: polytope.Polyhedron{
				Box:  polytope.Box{{Lo: -huge, Hi: -huge}, polytope.Line()},
				Rest: family{},
			},
		}},
		{"a row of Rest", polytope.Problem{
			X:      []float64{0, 0},
			Region: polytope.Polyhedron{Rest: family{{A: []float64{1, 0}, B: math.NaN()}}},
		}},
		{"a row of Rest at −∞", polytope.Problem{
			X:      []float64{0, 0},
			Region: polytope.Polyhedron{Rest: family{{A: []float64{1, 0}, B: -inf}}},
		}},
	}
	for _, test := range tests {
		var s native.Solver
		if got, err := s.Closest(
			context.Background(), test.p,
		); !errors.Is(err, polytope.ErrNumerical) {
			t.Errorf("%s: Closest() = %+v, error %v, want one that wraps %q",
				test.name, got, err, polytope.ErrNumerical)
		}
	}
}
