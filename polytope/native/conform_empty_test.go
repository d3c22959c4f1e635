package native_test

import (
	"math"
	"testing"

	"github.com/seed-1a7dc1f9/facet/polytope"
)

// empty lists regions without a point, and regions that look like them.
func (c conformer) empty(t *testing.T, norm polytope.Norm) {
	inf := math.Inf(1)
	half := func(b float64, a ...float64) polytope.HalfSpace {
		return polytope.HalfSpace{A: a, B: b}
	}
	list := func(hs ...polytope.HalfSpace) polytope.Polyhedron {
		return polytope.Polyhedron{HalfSpaces: hs}
	}
	tests := []struct {
		name   string
		region polytope.Polyhedron
		empty  bool
	}{
		{"opposite half-spaces apart", list(half(-1, 1, 0), half(-1, -1, 0)), true},
		{"opposite half-spaces that touch", list(half(-1, 1, 0), half(1, -1, 0)), false},
		{"a gap of 1e-6", list(half(1, 1, 0), half(-1-1e-6, -1, 0)), true},
		{"a strip of 1e-6", list(half(1+1e-6, 1, 0), half(-1, -1, 0)), false},
		{"a triangle turned inside out", list(half(-1, 1, 0), half(-1, 0, 1), half(1, -1, -1)),
			true},
		{"a triangle shrunk to a point", list(half(-1, 1, 0), half(-1, 0, 1), half(2, -1, -1)),
			false},
		{"0·z ≤ −1", list(half(-1, 0, 0)), true},
		{"0·z ≤ −1e-9 behind others", list(half(-1, 1, 1), half(-1, 1, -1), half(-1e-9, 0, 0)),
			true},
		{"0·z ≤ 0", list(half(0, 0, 0)), false},
		{"0·z < 0", list(polytope.HalfSpace{A: []float64{0, 0}, Open: true}), true},
		{"0·z < 0 behind others",
			list(half(-1, 1, 1), polytope.HalfSpace{A: []float64{0, 0}, Open: true}), true},
		{"a·z ≤ −∞", list(half(math.Inf(-1), 1, 2)), true},
		{"a·z ≤ ∞", list(half(inf, 1, 2)), false},
		{"a box turned inside out",
			polytope.Polyhedron{Box: polytope.Box{{Lo: 1, Hi: -1}, polytope.Line()}}, true},
		{"a box (2, 2]",
			polytope.Polyhedron{Box: polytope.Box{{Lo: 2, Hi: 2, LoOpen: true}, polytope.Line()}},
			true},
		{"a box that is a point", polytope.Polyhedron{Box: polytope.Cube(2, 2, 2)}, false},
		{"a box at infinity",
			polytope.Polyhedron{Box: polytope.Box{{Lo: inf, Hi: inf}, polytope.Line()}}, true},
		{"box and half-space apart",
			polytope.Polyhedron{
				Box:        polytope.Cube(2, 0, 1),
				HalfSpaces: list(half(-3, -1, -1)).HalfSpaces,
			}, true},
		{"box and half-space that share a corner",
			polytope.Polyhedron{
				Box:        polytope.Cube(2, 0, 1),
				HalfSpaces: list(half(-2, -1, -1)).HalfSpaces,
			}, false},
	}
	for _, test := range tests {
		for _, x := range [][]float64{{0, 0}, {2, -5}} {
			p := polytope.Problem{Norm: norm, X: x, Region: test.region}
			got, ok := solve(t, c.solver, p)
			if !ok {
				continue
			}
			want := polytope.StatusOptimal
			if test.empty {
				want = polytope.StatusInfeasible
			}
			if got.Status != want {
				t.Errorf("%s from %v: status %v, want %v", test.name, x, got.Status, want)
			}
			if test.empty && !math.IsInf(got.Bound, 1) {
				t.Errorf("%s from %v: bound %v, want +Inf", test.name, x, got.Bound)
			}
			if !test.empty && got.Status == polytope.StatusOptimal {
				if err := consistent(p, got, c.tolerance); err != nil {
					t.Errorf("%s from %v: %v", test.name, x, err)
				}
			}
		}
	}
}

// unbounded asks for the whole space, in dimension 0 too.
func (c conformer) unbounded(t *testing.T, norm polytope.Norm) {
	for _, x := range [][]float64{{}, {1}, {1, -2, 3}} {
		regions := []polytope.Polyhedron{
			{},
			{Box: polytope.NewBox(len(x))},
			{HalfSpaces: []polytope.HalfSpace{{A: make([]float64, len(x)), B: 1}}},
			{Rest: deepest{norm: norm}},
		}
		for i, region := range regions {
			p := polytope.Problem{Norm: norm, X: x, Region: region}
			got, ok := solve(t, c.solver, p)
			if !ok {
				continue
			}
			if got.Status != polytope.StatusOptimal || got.Distance != 0 || got.Bound != 0 ||
				p.Norm.Distance(x, got.Point) != 0 {
				t.Errorf("region %d from %v: got %+v, want x itself", i, x, got)
			}
		}
	}
}
