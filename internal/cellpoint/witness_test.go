package cellpoint_test

import (
	"cmp"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/cellpoint"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/polytope"
	"github.com/seed-1a7dc1f9/facet/polytope/native"
)

func anything([]float64) bool { return true }
func nothing([]float64) bool  { return false }

func TestToward(t *testing.T) {
	above := func(v float64) func([]float64) bool {
		return func(z []float64) bool { return z[0] > v }
	}
	tests := []struct {
		name        string
		z, inside   float64
		flips       func([]float64) bool
		ok          bool
		least, most float64
	}{
		{"at once", 1, 2, anything, true, 1, 1},
		{"beside z", 1, 2, above(1), true, math.Nextafter(1, 2), 1 + 1e-14},
		{"a tenth of the way", 1, 2, above(1.1), true, 1.1, 1.2},
		{"nearly at the end", 1, 2, above(1.99), true, 2, 2},
		{"far apart", 0, 1e300, above(1), true, 1, 1e300},
		{"never", 1, 2, nothing, false, 2, 2},
		{"where it is", 3, 3, above(3), false, 3, 3},
	}
	for _, test := range tests {
		z, inside, start := []float64{test.z}, []float64{test.inside}, []float64{math.NaN()}
		if got := cellpoint.Toward(z, inside, start, test.flips); got != test.ok ||
			z[0] < test.least || z[0] > test.most {
			t.Errorf("%s: Toward = %v, z = %v, want %v, between %v and %v",
				test.name, got, z[0], test.ok, test.least, test.most)
		}
	}
	// The first step on the way from z is a rounding error, and every step at most doubles it.
	var seen []float64
	cellpoint.Toward([]float64{0}, []float64{1}, []float64{7},
		func(z []float64) bool { seen = append(seen, z[0]); return false })
	if seen[0] != 0 || seen[1] > 1e-14 || seen[len(seen)-1] != 1 {
		t.Errorf("points tried = %v, want them to go from 0 to 1", seen)
	}
	for i := 2; i < len(seen); i++ {
		if seen[i] <= seen[i-1] || seen[i] > 2*seen[i-1] {
			t.Errorf("after %v comes %v, want at most twice as much", seen[i-1], seen[i])
		}
	}
}

// halfspaces is the region a·z ≤ b of the rows (a, b).
func halfspaces(rows ...[]float64) polytope.Polyhedron {
	var p polytope.Polyhedron
	for _, r := range rows {
		d := len(r) - 1
		p.HalfSpaces = append(p.HalfSpaces, polytope.HalfSpace{A: r[:d], B: r[d]})
	}
	return p
}

// solve returns the closest point of a region to 0.
func solve(t *testing.T, s polytope.Solver, p polytope.Problem) []float64 {
	t.Helper()
	sol, err := s.Closest(t.Context(), p)
	if err != nil || sol.Status != polytope.StatusOptimal {
		t.Fatalf("%+v, %v, want an optimum", sol, err)
	}
	return sol.Point
}

// open returns a region with open half-spaces.
func open(p polytope.Polyhedron) polytope.Polyhedron {
	p.HalfSpaces = slices.Clone(p.HalfSpaces)
	for i := range p.HalfSpaces {
		p.HalfSpaces[i].Open = true
	}
	return p
}

// family is a Separator that names all its half-spaces, the most violated first.
type family []polytope.HalfSpace

func (f family) Separate(x, u []float64, add func([]float64, float64) bool) {
	type row struct {
		a         []float64
		b, excess float64
	}
	var rows []row
	for _, h := range f {
		r := row{a: h.A, b: h.B}
		for j, a := range h.A {
			r.b -= a * x[j]
			r.excess += a * u[j]
		}
		r.excess -= r.b
		rows = append(rows, r)
	}
	slices.SortFunc(rows, func(p, q row) int { return cmp.Compare(q.excess, p.excess) })
	for _, r := range rows {
		if add(r.a, r.b) {
			return
		}
	}
}

func TestMarginGoesInside(t *testing.T) {
	native := native.Solver{}
	for number := range uint64(racetest.Scale(2000)) {
		rng := rand.New(rand.NewPCG(number, 1))
		dim := 1 + rng.IntN(4)
		scale := math.Pow(10, float64(rng.IntN(7)-3))
		p := polytope.Problem{Norm: polytope.Norm(rng.IntN(3)), X: make([]float64, dim)}
		inside := make([]float64, dim) // keeps a distance from all sides
		for j := range inside {
			p.X[j], inside[j] = scale*rng.NormFloat64(), scale*rng.NormFloat64()
		}
		for range 1 + rng.IntN(5) {
			a, b := make([]float64, dim), 0.0
			for j := range a {
				a[j] = rng.NormFloat64()
				b += a[j]*inside[j] + 0.2*scale*math.Abs(a[j])
			}
			p.Region.HalfSpaces = append(p.Region.HalfSpaces, polytope.HalfSpace{
				A:    a,
				B:    b,
				Open: rng.IntN(2) == 0,
			})
		}
		if rng.IntN(2) == 0 {
			for _, v := range inside {
				p.Region.Box = append(p.Region.Box, polytope.Interval{
					Lo:     v - 0.3*scale,
					Hi:     v + scale,
					LoOpen: rng.IntN(2) == 0,
				})
			}
		}
		if number%3 == 0 {
			p.Region.Rest, p.Region.HalfSpaces = family(p.Region.HalfSpaces), nil
		}
		closest := solve(t, native, p)
		z, solves, err := cellpoint.Margin(t.Context(), native, p, nil, slices.Clone(closest), 0,
			anything)
		if err != nil || z == nil {
			t.Fatalf("instance %d: %v, %v, want a point", number, z, err)
		}
		if !p.Region.Contains(z) {
			t.Errorf("instance %d: %v is not inside", number, z)
		}
		if p.Region.Rest == nil && solves > 0 && p.Region.Contains(closest) {
			t.Errorf("instance %d: %d programs solved though the closest point is inside",
				number, solves)
		}
		if off := p.Norm.Distance(z, p.X) - p.Norm.Distance(closest, p.X); off > 1e-9*scale {
			t.Errorf("instance %d: %g farther than the closest point", number, off)
		}
		// A stricter predicate is respected.
		far := func(z []float64) bool { return p.Norm.Distance(z, closest) > 1e-7*scale }
		if z, _, err := cellpoint.Margin(
			t.Context(), native, p, nil, slices.Clone(closest), 0, far,
		); err == nil && (!far(z) || !p.Region.Contains(z)) {
			t.Errorf("instance %d: %v does not flip", number, z)
		}
	}
}

// TestMarginOfNothing: cells without an input are no answers; wide cells whose points do not flip
// are errors, and so are thin ones none of whose float64 points does.
func TestMarginOfNothing(t *testing.T) {
	native := native.Solver{}
	flat := halfspaces([]float64{1, 0, -1}, []float64{-1, 0, 1}) // z₀ = −1
	tests := []struct {
		name   string
		region polytope.Polyhedron
		flips  func([]float64) bool
		want   error
		inside bool
	}{
		{"a line", flat, anything, nil, true},
		{"a line where nothing flips", flat, nothing, cellpoint.ErrThin, false},
		{"an open line", open(flat), anything, nil, false},
		{
			"a point", halfspaces([]float64{1, 0, -1}, []float64{-1, 0, 1}, []float64{0, 1, 0},
				[]float64{0, -1, 0}), anything, nil, true,
		},
		{"a half-plane", halfspaces([]float64{1, 0, -1}), anything, nil, true},
		{"a half-plane where nothing flips", halfspaces([]float64{1, 0, -1}), nothing,
			cellpoint.ErrNone, false},
		{"the plane where nothing flips", polytope.Polyhedron{}, nothing, cellpoint.ErrNone, false},
		{"an open interval without a float64",
			polytope.Polyhedron{
				Box: polytope.Box{{Lo: 1, Hi: math.Nextafter(1, 2), LoOpen: true, HiOpen: true},
					polytope.Line()},
			}, anything, cellpoint.ErrThin, false},
		{"half a box",
			polytope.Polyhedron{
				Box:        polytope.Box{{Lo: 1, Hi: 2, LoOpen: true}, polytope.Line()},
				HalfSpaces: flat.HalfSpaces[1:],
			}, anything, nil, true},
	}
	for _, norm := range []polytope.Norm{polytope.LInf, polytope.L1, polytope.L2} {
		for _, test := range tests {
			p := polytope.Problem{Norm: norm, X: []float64{0, 0}, Region: test.region}
			lazy := p
			lazy.Region.Rest, lazy.Region.HalfSpaces = family(p.Region.HalfSpaces), nil
			for _, p := range []polytope.Problem{p, lazy} {
				want := test.want
				if test.name == "an open line" && p.Region.Rest != nil {
					continue // a Separator has closed half-spaces
				}
				z, _, err := cellpoint.Margin(t.Context(), native, p, nil, solve(t, native, p), 0,
					test.flips)
				if !errors.Is(err, want) || (z != nil) != test.inside ||
					(z != nil && !p.Region.Contains(z)) {
					t.Errorf("norm %v, %s: %v, %v, want a point %v, error %v",
						norm, test.name, z, err, test.inside, want)
				}
			}
		}
	}
}

type solverFunc func(context.Context, polytope.Problem) (polytope.Solution, error)

func (f solverFunc) Closest(ctx context.Context, p polytope.Problem) (polytope.Solution, error) {
	return f(ctx, p)
}

func TestMarginReportsTheSolver(t *testing.T) {
	p := polytope.Problem{X: []float64{0, 0}, Region: open(halfspaces([]float64{1, 0, -1}))}
	failure := errors.New("failed")
	margins := []float64{}
	fail := solverFunc(func(_ context.Context, p polytope.Problem) (polytope.Solution, error) {
		if margins = append(margins, p.Margin); p.Cutoff != 0 {
			t.Errorf("cutoff %v, want none: a margin may exceed it", p.Cutoff)
		}
		if len(margins) < 3 {
			return polytope.Solution{
				Status: polytope.StatusOptimal, Point: []float64{-1, 0},
			}, nil
		}
		return polytope.Solution{}, failure
	})
	p.Cutoff = 0.5
	if z, solves, err := cellpoint.Margin(
		t.Context(), fail, p, nil, []float64{-1, 0}, 0, anything,
	); z != nil || solves != 2 || !errors.Is(err, failure) {
		t.Errorf("Margin = %v, %d, %v, want 2 programs and %v", z, solves, err, failure)
	}
	if len(margins) != 3 ||
		!(0 < margins[0] && margins[0] <= 1e-13 && margins[0] < margins[1] &&
			margins[1] < margins[2]) {
		t.Errorf("margins = %v, want three that grow from a rounding error", margins)
	}
	stop := solverFunc(func(context.Context, polytope.Problem) (polytope.Solution, error) {
		return polytope.Solution{Status: polytope.StatusStopped}, nil
	})
	if z, _, err := cellpoint.Margin(
		t.Context(), stop, p, nil, []float64{-1, 0}, 0, anything,
	); z != nil || !errors.Is(err, cellpoint.ErrStopped) {
		t.Errorf("Margin with a solver that stops = %v, %v, want ErrStopped", z, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if z, _, err := cellpoint.Margin(ctx, stop, p, nil, []float64{-1, 0}, 0, anything); z != nil ||
		!errors.Is(err, context.Canceled) {
		t.Errorf("Margin after the context ended = %v, %v, want context.Canceled", z, err)
	}
}
