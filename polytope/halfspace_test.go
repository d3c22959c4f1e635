package polytope_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

var inf = math.Inf(1)

func TestHalfSpace(t *testing.T) {
	x := []float64{2, 1}
	tests := []struct {
		name string
		h    polytope.HalfSpace
		in   bool
		want [3]float64
	}{
		{"outside", polytope.HalfSpace{A: []float64{3, 4}, B: -25}, false,
			[3]float64{5, 35. / 4, 7}},
		{"inside", polytope.HalfSpace{A: []float64{3, 4}, B: 11}, true, [3]float64{}},
		{"on the boundary", polytope.HalfSpace{A: []float64{3, 4}, B: 10}, true, [3]float64{}},
		{"on an open boundary", polytope.HalfSpace{A: []float64{3, 4}, B: 10, Open: true}, false,
			[3]float64{}},
		{"zero row, everything", polytope.HalfSpace{A: []float64{0, 0}, B: 0}, true, [3]float64{}},
		{"zero row, nothing", polytope.HalfSpace{A: []float64{0, 0}, B: -1}, false,
			[3]float64{inf, inf, inf}},
		{"open zero row, nothing", polytope.HalfSpace{A: []float64{0, 0}, B: 0, Open: true}, false,
			[3]float64{inf, inf, inf}},
		{"open zero row, everything", polytope.HalfSpace{A: []float64{0, 0}, B: 1, Open: true},
			true, [3]float64{}},
		{"everything", polytope.HalfSpace{A: []float64{1, 1}, B: inf}, true, [3]float64{}},
		{"nothing", polytope.HalfSpace{A: []float64{1, 1}, B: -inf}, false,
			[3]float64{inf, inf, inf}},
	}
	for _, test := range tests {
		if got := test.h.Contains(x); got != test.in {
			t.Errorf("%s: Contains(%v) = %v, want %v", test.name, x, got, test.in)
		}
		for _, n := range norms {
			got, want := geometry.In(n).BoundHalfSpace(test.h, x), test.want[n]
			if got > want || got < want*(1-1e-14) {
				t.Errorf("%s: Bound(%v, %v) = %v, want %v or just below",
					test.name, n, x, got, want)
			}
		}
	}
}

// TestExcess compares with 400 bits where the terms cancel more or less: the
// error bound must hold, and be small beside the rest.
func TestExcess(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 1))
	for range 5000 {
		d := 1 + r.IntN(40)
		h := polytope.HalfSpace{A: make([]float64, d)}
		z := make([]float64, d)
		for j := range z {
			h.A[j], z[j] = r.NormFloat64()*math.Pow(10, 4*r.Float64()), r.NormFloat64()*math.Pow(10,
				4*r.Float64())
			h.B += h.A[j] * z[j]
		}
		h.B *= 1 + math.Pow(10, -18*r.Float64())*(2*r.Float64()-1)
		got, bound := precise.Excess(h.A, h.B, z)
		exact := bigExcess(h, z)
		diff := new(big.Float).Sub(exact, big.NewFloat(got))
		if e, _ := diff.Abs(diff).Float64(); e > bound {
			t.Fatalf("%+v.Excess(%v) = %v ± %g, in truth %v", h, z, got, bound, exact)
		}
		if want, _ := exact.Float64(); bound > 1e-13*float64(d)*math.Abs(want)+
			1e-22*math.Abs(h.B)*float64(d) {
			t.Fatalf("%+v.Excess(%v) = %v ± %g: the error bound is too large", h, z, got, bound)
		}
	}
}

func bigExcess(h polytope.HalfSpace, z []float64) *big.Float {
	f := func(v float64) *big.Float { return new(big.Float).SetPrec(400).SetFloat64(v) }
	sum := f(-h.B)
	for j, a := range h.A {
		sum.Add(sum, f(0).Mul(f(a), f(z[j])))
	}
	return sum
}

// TestContainsDecidesTies: a point on a hyperplane with coefficients that a plain
// sum cannot add without error is inside the closed half-space and outside the open one.
func TestContainsDecidesTies(t *testing.T) {
	h := polytope.HalfSpace{A: []float64{1e16, 1, -1e16}, B: 1}
	z := []float64{1, 1, 1}
	if !h.Contains(z) {
		t.Errorf("%+v.Contains(%v) = false, want true", h, z)
	}
	h.Open = true
	if h.Contains(z) {
		t.Errorf("%+v.Contains(%v) = true, want false", h, z)
	}
}
