package native_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/seed-1a7dc1f9/facet/polytope"
)

// malformed lists everything a caller can get wrong.
func (c conformer) malformed(t *testing.T, norm polytope.Norm) {
	nan, inf := math.NaN(), math.Inf(1)
	half := func(b float64, a ...float64) polytope.Polyhedron {
		return polytope.Polyhedron{
			HalfSpaces: []polytope.HalfSpace{{A: []float64{1, 1}, B: 1}, {A: a, B: b}},
		}
	}
	x := []float64{0, 0}
	tests := []struct {
		name string
		p    polytope.Problem
		want error
	}{
		{"x is NaN", polytope.Problem{Norm: norm, X: []float64{0, nan}}, polytope.ErrNotFinite},
		{"x is infinite", polytope.Problem{Norm: norm, X: []float64{-inf, 0}},
			polytope.ErrNotFinite},
		{"short row", polytope.Problem{Norm: norm, X: x, Region: half(1, 1)},
			polytope.ErrDimension},
		{"long row", polytope.Problem{Norm: norm, X: x, Region: half(1, 1, 2, 3)},
			polytope.ErrDimension},
		{"row is NaN", polytope.Problem{Norm: norm, X: x, Region: half(1, 1, nan)},
			polytope.ErrNotFinite},
		{"row is infinite", polytope.Problem{Norm: norm, X: x, Region: half(1, inf, 1)},
			polytope.ErrNotFinite},
		{"right-hand side is NaN", polytope.Problem{Norm: norm, X: x, Region: half(nan, 1, 1)},
			polytope.ErrNotFinite},
		{"short box",
			polytope.Problem{
				Norm:   norm,
				X:      x,
				Region: polytope.Polyhedron{Box: polytope.Cube(1, 0, 1)},
			}, polytope.ErrDimension},
		{"empty box",
			polytope.Problem{Norm: norm, X: x, Region: polytope.Polyhedron{Box: polytope.Box{}}},
			polytope.ErrDimension},
		{"box ends in NaN",
			polytope.Problem{
				Norm:   norm,
				X:      x,
				Region: polytope.Polyhedron{Box: polytope.Cube(2, 0, nan)},
			}, polytope.ErrNotFinite},
		{"cutoff is NaN", polytope.Problem{Norm: norm, X: x, Cutoff: nan}, polytope.ErrNotFinite},
		{"margin is NaN", polytope.Problem{Norm: norm, X: x, Margin: nan}, polytope.ErrNotFinite},
		{"margin is infinite", polytope.Problem{Norm: norm, X: x, Margin: inf},
			polytope.ErrNotFinite},
		{"negative norm", polytope.Problem{Norm: -1 - norm, X: x}, polytope.ErrNorm},
		{"unknown norm", polytope.Problem{Norm: 3 + norm, X: x}, polytope.ErrNorm},
	}
	for _, test := range tests {
		if got, err := c.solver.Closest(context.Background(), test.p); !errors.Is(err, test.want) {
			t.Errorf("%s: Closest() = %+v, error %v, want one that wraps %q",
				test.name, got, err, test.want)
		}
	}
	for _, p := range []polytope.Problem{
		{Norm: norm, X: x, Cutoff: -1}, {Norm: norm, X: x, Margin: -1},
	} {
		if got, err := c.solver.Closest(context.Background(), p); err == nil {
			t.Errorf("cutoff %v, margin %v: Closest() = %+v, want an error",
				p.Cutoff, p.Margin, got)
		}
	}
}

// unsupported checks that the norms left out are refused.
func (c conformer) unsupported(t *testing.T) {
	for _, norm := range norms {
		if slices.Contains(c.norms, norm) {
			continue
		}
		p := small(source(7, norm), norm)
		if got, err := c.solver.Closest(
			context.Background(), p,
		); !errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("norm %v: Closest() = %+v, error %v, want one that wraps %q",
				norm, got, err, errors.ErrUnsupported)
		}
	}
}
