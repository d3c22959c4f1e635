package polytope_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/polytope"
	"github.com/seed-1a7dc1f9/facet/polytope/native"
)

// family is the simplest Separator: it names every half-space of a list.
type family []polytope.HalfSpace

func (f family) Separate(x, u []float64, add func([]float64, float64) bool) {
	for _, h := range f {
		add(h.A, h.B-floats.Dot(h.A, x))
	}
}

func TestPolyhedronContains(t *testing.T) {
	p := polytope.Polyhedron{
		Box:        polytope.Box{{Lo: 0, Hi: 4, HiOpen: true}, polytope.Line()},
		HalfSpaces: []polytope.HalfSpace{{A: []float64{0, 1}, B: 4, Open: true}},
		Rest:       family{{A: []float64{-1, -1}, B: -1}},
	}
	tests := []struct {
		z    []float64
		want bool
	}{
		{[]float64{1, 1}, true},
		{[]float64{1, 0}, true}, // on the side that Rest names
		{[]float64{0.5, 0}, false},
		{[]float64{4, 0}, false},
		{[]float64{3, 4}, false},
		{[]float64{0, 3}, true},
		{[]float64{-1, 3}, false},
	}
	for _, test := range tests {
		if got := p.Contains(test.z); got != test.want {
			t.Errorf("Contains(%v) = %v, want %v", test.z, got, test.want)
		}
	}
	if !(polytope.Polyhedron{}).Contains([]float64{1e300}) {
		t.Error("the zero Polyhedron does not contain everything")
	}
}

// TestPolyhedronBound: at most the distance, at least that of every part.
func TestPolyhedronBound(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 1))
	for range 2000 {
		x := []float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
		half := func() polytope.HalfSpace {
			return polytope.HalfSpace{
				A: []float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()},
				B: r.NormFloat64(),
			}
		}
		h, g := half(), half()
		p := polytope.Polyhedron{
			Box:        polytope.Cube(3, -1, 1),
			HalfSpaces: []polytope.HalfSpace{h},
			Rest:       family{g},
		}
		for _, n := range norms {
			distance := func(h polytope.HalfSpace) float64 {
				v, _ := precise.Excess(h.A, h.B, x)
				return v / geometry.DualLength(n, h.A)
			}
			parts := max(n.Distance(x, geometry.NearestIn(nil, p.Box, x)), distance(h), distance(g))
			got := geometry.In(n).Bound(p, x)
			if got > parts || got < parts*(1-1e-13) {
				t.Fatalf("Bound(%v, %v) = %v, want just below %v", n, x, got, parts)
			}
		}
	}
	empty := polytope.Polyhedron{HalfSpaces: []polytope.HalfSpace{{A: []float64{0}, B: -1}}}
	if got := geometry.In(polytope.LInf).Bound(empty, []float64{3}); !math.IsInf(got, 1) {
		t.Errorf("Bound of an empty half-space = %v, want +Inf", got)
	}
}

// TestErrorsSayWhere: the message names the half-space and the coordinate.
func TestErrorsSayWhere(t *testing.T) {
	p := polytope.Problem{X: []float64{0, 0}, Region: polytope.Polyhedron{
		HalfSpaces: []polytope.HalfSpace{{A: []float64{1, 1}}, {A: []float64{1, math.NaN()}}},
	}}
	_, err := native.Solver{}.Closest(context.Background(), p)
	if !errors.Is(err, polytope.ErrNotFinite) {
		t.Fatalf("error %v, want one that wraps %q", err, polytope.ErrNotFinite)
	}
	for _, part := range []string{"polytope: ", "half-space 1", "coefficient 1", "NaN"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("error %q does not say %q", err, part)
		}
	}
}
