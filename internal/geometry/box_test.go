package geometry_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

var (
	inf   = math.Inf(1)
	norms = []polytope.Norm{polytope.LInf, polytope.L1, polytope.L2}
	next  = math.Nextafter(1, 2) // the float64 after 1
	prev  = math.Nextafter(1, 0) // the one before it
)

func TestIntervalContains(t *testing.T) {
	tests := []struct {
		i    polytope.Interval
		v    float64
		want bool
	}{
		{polytope.Interval{Lo: 1, Hi: 2}, 1, true},
		{polytope.Interval{Lo: 1, Hi: 2}, 2, true},
		{polytope.Interval{Lo: 1, Hi: 2}, prev, false},
		{polytope.Interval{Lo: 1, Hi: 2, LoOpen: true}, 1, false},
		{polytope.Interval{Lo: 1, Hi: 2, LoOpen: true}, next, true},
		{polytope.Interval{Lo: 1, Hi: 2, HiOpen: true}, 2, false},
		{polytope.Interval{}, 0, true},
		{polytope.Interval{}, math.Copysign(0, -1), true},
		{polytope.Interval{LoOpen: true, Hi: 1}, math.Copysign(0, -1), false},
		{polytope.Line(), math.MaxFloat64, true},
		{polytope.Line(), math.NaN(), false},
		{polytope.Interval{Lo: math.NaN(), Hi: 1}, 0, false},
	}
	for _, test := range tests {
		if got := test.i.Contains(test.v); got != test.want {
			t.Errorf("%+v.Contains(%v) = %v, want %v", test.i, test.v, got, test.want)
		}
	}
}

func TestIntervalEmpty(t *testing.T) {
	tests := []struct {
		i    polytope.Interval
		want bool
	}{
		{polytope.Interval{}, false},
		{polytope.Interval{LoOpen: true}, true},
		{polytope.Interval{HiOpen: true}, true},
		{polytope.Interval{Lo: 2, Hi: 1}, true},
		// reals, though no float64
		{polytope.Interval{Lo: 1, Hi: next, LoOpen: true, HiOpen: true}, false},
		{polytope.Line(), false},
		{polytope.Interval{Lo: inf, Hi: inf}, true},
		{polytope.Interval{Lo: -inf, Hi: -inf}, true},
		{polytope.Interval{Lo: math.NaN(), Hi: 1}, true},
		{polytope.Interval{Lo: 1, Hi: math.NaN()}, true},
	}
	for _, test := range tests {
		if got := geometry.Empty(test.i); got != test.want {
			t.Errorf("%+v.Empty() = %v, want %v", test.i, got, test.want)
		}
	}
}

func TestIntervalInside(t *testing.T) {
	tests := []struct {
		name string
		i    polytope.Interval
		v    float64
		want float64
		ok   bool
	}{
		{"inside already", polytope.Interval{Lo: 1, Hi: 2}, 1.5, 1.5, true},
		{"closed end", polytope.Interval{Lo: 1, Hi: 2}, 0, 1, true},
		{"open lower end", polytope.Interval{Lo: 1, Hi: 2, LoOpen: true}, 0, next, true},
		{"on the open lower end", polytope.Interval{Lo: 1, Hi: 2, LoOpen: true}, 1, next, true},
		{"open upper end", polytope.Interval{Lo: 0, Hi: 1, HiOpen: true}, 5, prev, true},
		{"one float64 between open ends",
			polytope.Interval{Lo: prev, Hi: next, LoOpen: true, HiOpen: true}, 7, 1, true},
		{"none between open ends", polytope.Interval{Lo: 1, Hi: next, LoOpen: true, HiOpen: true},
			1, 0, false},
		{"the closed one of two ends", polytope.Interval{Lo: 1, Hi: next, LoOpen: true}, -3, next,
			true},
		{"the other closed one", polytope.Interval{Lo: 1, Hi: next, HiOpen: true}, 3, 1, true},
		{"nothing", polytope.Interval{Lo: 2, Hi: 1}, 1.5, 0, false},
		{"a half-open point", polytope.Interval{Lo: 1, Hi: 1, HiOpen: true}, 1, 0, false},
		{"open at zero", polytope.Interval{Hi: 1, LoOpen: true}, math.Copysign(0, -1),
			math.SmallestNonzeroFloat64, true},
		{"the line", polytope.Line(), -1e300, -1e300, true},
		{"NaN ends", polytope.Interval{Lo: math.NaN(), Hi: 1}, 0, 0, false},
	}
	for _, test := range tests {
		got, ok := geometry.Inside(test.i, test.v)
		if ok != test.ok || (ok && got != test.want) {
			t.Errorf("%s: %+v.Inside(%v) = %v, %v, want %v, %v",
				test.name, test.i, test.v, got, ok, test.want, test.ok)
		}
		if ok && !test.i.Contains(got) {
			t.Errorf("%s: %+v does not contain Inside(%v) = %v", test.name, test.i, test.v, got)
		}
	}
}

// ends are the numbers that intervals of the property tests end in and are probed with.
var ends = []float64{-inf, -1, prev, 1, next, 2, inf}

func randomInterval(r *rand.Rand) polytope.Interval {
	return polytope.Interval{
		Lo: ends[r.IntN(len(ends))], Hi: ends[r.IntN(len(ends))],
		LoOpen: r.IntN(2) == 0, HiOpen: r.IntN(2) == 0,
	}
}

// TestIntervalIntersect: a number lies in the intersection just if it lies in both.
func TestIntervalIntersect(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	for range 5000 {
		i, o := randomInterval(r), randomInterval(r)
		both := geometry.Intersect(i, o)
		for _, v := range append([]float64{0, 1.5, -7, 7}, ends[1:len(ends)-1]...) {
			if got, want := both.Contains(v), i.Contains(v) && o.Contains(v); got != want {
				t.Fatalf("%+v.Intersect(%+v).Contains(%v) = %v, want %v", i, o, v, got, want)
			}
		}
	}
	for _, nan := range []polytope.Interval{{Lo: math.NaN(), Hi: 1}, {Lo: 1, Hi: math.NaN()}} {
		if !geometry.Empty(geometry.Intersect(nan, polytope.Line())) ||
			!geometry.Empty(geometry.Intersect(polytope.Line(), nan)) {
			t.Errorf("an intersection with %+v is not empty", nan)
		}
	}
}

// TestInsideIsNearest: no float64 of the interval is nearer than Inside.
func TestInsideIsNearest(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 2))
	probes := []float64{-7, -1, 0, prev, 1, next, math.Nextafter(next, 2), 1.5, 2, 7}
	for range 5000 {
		i, v := randomInterval(r), probes[r.IntN(len(probes))]
		got, ok := geometry.Inside(i, v)
		for _, w := range probes {
			if i.Contains(w) && (!ok || math.Abs(w-v) < math.Abs(got-v)) {
				t.Fatalf("%+v.Inside(%v) = %v, %v, but %v is inside", i, v, got, ok, w)
			}
		}
	}
}

func TestBox(t *testing.T) {
	b := polytope.Box{{Lo: 0, Hi: 1}, {Lo: 2, Hi: inf, LoOpen: true}, polytope.Line()}
	x := []float64{-3, -2, 7}
	if got, want := geometry.NearestIn(nil, b, x), []float64{0, 2, 7}; !slices.Equal(got, want) {
		t.Errorf("Closest(%v) = %v, want %v", x, got, want)
	}
	inside, ok := geometry.InsideBox(nil, b, x)
	if want := []float64{0, math.Nextafter(2, 3), 7}; !ok || !slices.Equal(inside, want) {
		t.Errorf("Inside(%v) = %v, %v, want %v", x, inside, ok, want)
	}
	if b.Contains(geometry.NearestIn(nil, b, x)) || !b.Contains(inside) {
		t.Errorf("Contains is true of the closest point of the closure, or false of the one inside")
	}
	for n, want := range map[polytope.Norm]float64{
		polytope.LInf: 4,
		polytope.L1:   7,
		polytope.L2:   5,
	} {
		if got := geometry.In(n).BoundBox(b, x); got != want {
			t.Errorf("bound %v of %v = %v, want %v", n, x, got, want)
		}
	}
	dst := make([]float64, 3, 5)
	if got := geometry.NearestIn(dst, b, x); &got[0] != &dst[0] {
		t.Error("Closest does not use dst")
	}
	geometry.NearestIn(x, b, x)
	if want := []float64{0, 2, 7}; !slices.Equal(x, want) {
		t.Errorf("Closest(x, x) gives %v, want %v", x, want)
	}
}

func TestBoxExtremes(t *testing.T) {
	var all polytope.Box
	x := []float64{1, 2}
	z, ok := geometry.InsideBox(nil, all, x)
	if !ok || !slices.Equal(z, x) || !all.Contains(x) || geometry.EmptyBox(all) ||
		geometry.In(polytope.L2).BoundBox(all, x) != 0 {
		t.Error("the nil box is not the whole space")
	}
	empty := polytope.Box{{Lo: 1, Hi: 1, LoOpen: true}}
	if _, ok := geometry.InsideBox(nil, empty, []float64{1}); ok {
		t.Error("Inside finds a point in an empty box")
	}
	for _, s := range []float64{1e-200, 1e200} {
		b := polytope.Box{{Lo: 3 * s, Hi: inf}, {Lo: -inf, Hi: -4 * s}}
		got := geometry.In(polytope.L2).BoundBox(b, []float64{0, 0})
		if math.Abs(got-5*s) > 1e-15*got {
			t.Errorf("bound %v, want %v", got, 5*s)
		}
	}
}

func TestBoxIntersect(t *testing.T) {
	left, right := polytope.Box{{Lo: 0, Hi: 2}}, polytope.Box{{Lo: 1, Hi: 3, LoOpen: true}}
	for _, test := range []struct{ a, b, want polytope.Box }{
		{nil, nil, nil}, {left, nil, left}, {nil, right, right},
		{left, right, polytope.Box{{Lo: 1, Hi: 2, LoOpen: true}}},
	} {
		if got := geometry.IntersectBoxes(test.a, test.b); !slices.Equal(got, test.want) {
			t.Errorf("%v ∩ %v = %v, want %v", test.a, test.b, got, test.want)
		}
	}
}
