package cellpoint_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/cellpoint"
	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/polytope"
	"github.com/seed-1a7dc1f9/facet/polytope/native"
)

func TestCloser(t *testing.T) {
	next := func(v float64) float64 { return math.Nextafter(v, math.Inf(1)) }
	beyond := func(j int, v float64) func([]float64) bool {
		return func(z []float64) bool { return z[j] > v }
	}
	tests := []struct {
		name          string
		norm          polytope.Norm
		x, z, near    []float64
		accept        func([]float64) bool
		want          []float64
		stays, called bool
	}{
		{"to the next float64", polytope.LInf, []float64{0}, []float64{1}, []float64{0.25},
			beyond(0, 0.25), []float64{next(0.25)}, false, true},
		{"to near itself", polytope.LInf, []float64{0}, []float64{1}, []float64{0.25}, anything,
			[]float64{0.25}, false, true},
		{"as far as accepted", polytope.L2, []float64{0}, []float64{1}, []float64{0.25},
			beyond(0, 0.5), []float64{next(0.5)}, false, true},
		{"near enough", polytope.L2, []float64{0}, []float64{1 + 5e-11}, []float64{1}, anything,
			[]float64{1 + 5e-11}, true, false},
		{"near enough in small units is not", polytope.L2, []float64{0}, []float64{1e-6 + 1e-8},
			[]float64{1e-6}, anything, []float64{1e-6}, false, true},
		{"not near enough", polytope.L2, []float64{0}, []float64{1 + 1e-8}, []float64{1}, anything,
			[]float64{1}, false, true},
		{"one coordinate is held back", polytope.L1, []float64{0, 0}, []float64{1, 1},
			[]float64{0.25, 0.25}, beyond(0, 0.5), []float64{next(0.5), 0.25}, false, true},
		{"coordinates that depend on each other", polytope.L1, []float64{0, 0}, []float64{1, 1},
			[]float64{0.25, 0.25}, func(z []float64) bool {
				return math.Abs(z[0]-z[1]) < 1e-9
			}, []float64{0.25, 0.25}, false, true},
		{"a coordinate within the goal stays", polytope.LInf, []float64{0, 0}, []float64{1, 1},
			[]float64{0.25, 0.75}, beyond(0, 0.5), []float64{next(0.5), 0.75}, false, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			z, called := slices.Clone(tt.z), false
			cellpoint.Closer(geometry.In(tt.norm), tt.x, z, tt.near,
				func(z []float64) bool { called = true; return tt.accept(z) })
			for j, v := range tt.want {
				if math.Abs(z[j]-v) > 1e-15 {
					t.Errorf("z = %v, want %v", z, tt.want)
					break
				}
			}
			if called != tt.called || (tt.stays && !slices.Equal(z, tt.z)) ||
				(!tt.stays && !tt.accept(z)) {
				t.Errorf("z = %v, asked %v; want asked %v", z, called, tt.called)
			}
		})
	}
}

// TestMarginWhereThereIsLittleRoom: whether a cell that no margin fits into holds inputs is decided
// exactly, within the box.
func TestMarginWhereThereIsLittleRoom(t *testing.T) {
	inf := math.Inf(1)
	box := func(lo, hi float64) polytope.Box {
		return polytope.Box{{Lo: -inf, Hi: inf}, {Lo: lo, Hi: hi}}
	}
	third := 1.0 / 3
	tests := []struct {
		name   string
		region polytope.Polyhedron
		inside bool
		want   error
	}{
		{"a few ulps", halfspaces([]float64{-1, 0, -1}, []float64{1, 0, 1 + 8*0x1p-52}), true, nil},
		{"no float64 inside but on a side",
			halfspaces([]float64{-1, 0, -1}, []float64{1, 0, 1 + 0x1p-52}), true, nil},
		{"no float64 inside", open(halfspaces([]float64{-1, 0, -1}, []float64{1, 0, 1 + 0x1p-52})),
			false, cellpoint.ErrThin},
		{"a line that rounds",
			halfspaces([]float64{-3, third, -third}, []float64{3, -third, third}), false,
			cellpoint.ErrThin},
		{"in a flat box",
			polytope.Polyhedron{
				Box:        box(2, 2),
				HalfSpaces: halfspaces([]float64{-1, 0, -1}).HalfSpaces,
			}, true, nil},
		{"a point of the flat box",
			polytope.Polyhedron{
				Box:        box(2, 2),
				HalfSpaces: halfspaces([]float64{1, -1, -2}, []float64{-1, 0, 0}).HalfSpaces,
			}, true, nil},
		{"room but not in the flat box",
			polytope.Polyhedron{
				Box:        box(2, 2),
				HalfSpaces: open(halfspaces([]float64{1, -1, -2}, []float64{-1, 0, 0})).HalfSpaces,
			}, false, nil},
		{"a side that holds with equality in the flat box",
			polytope.Polyhedron{
				Box:        box(2, 2),
				HalfSpaces: halfspaces([]float64{0, 1, 2}).HalfSpaces,
			}, true, nil},
		{"an open one",
			open(polytope.Polyhedron{
				Box:        box(2, 2),
				HalfSpaces: halfspaces([]float64{0, 1, 2}).HalfSpaces,
			}), false, nil},
		{"a corner of the box",
			polytope.Polyhedron{
				Box:        polytope.Box{{Lo: 1, Hi: inf}, {Lo: 1, Hi: inf}},
				HalfSpaces: halfspaces([]float64{1, 1, 2}).HalfSpaces,
			}, true, nil},
		{"a corner of the box that an open side leaves out",
			open(polytope.Polyhedron{
				Box:        polytope.Box{{Lo: 1, Hi: inf}, {Lo: 1, Hi: inf}},
				HalfSpaces: halfspaces([]float64{1, 1, 2}).HalfSpaces,
			}), false, nil},
	}
	native := native.Solver{}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := polytope.Problem{Norm: polytope.L2, X: []float64{0, 0}, Region: tt.region}
			first := solve(t, native, p)
			z, _, err := cellpoint.Margin(t.Context(), native, p, nil, first, 0, anything)
			if !errors.Is(err, tt.want) || (z != nil) != tt.inside ||
				(z != nil && !p.Region.Contains(z)) {
				t.Errorf("%v, %v, want a point %v, error %v", z, err, tt.inside, tt.want)
			}
		})
	}
}
