package prooftext_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/prooftext"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// opened returns a half-space that is open.
func opened(h prooftext.HalfSpace) prooftext.HalfSpace {
	h.Open = true
	return h
}

// TestRefuteEmpty: half-spaces that meet on their borders only leave an input, unless one of them
// is open.
func TestRefuteEmpty(t *testing.T) {
	x := []float64{0.25, 0}
	below := prooftext.Plane([]float64{1, 1}, 1, x, "@0")
	above := prooftext.Plane([]float64{-3, -3}, -3, x, "@1")
	right := prooftext.Plane([]float64{-1, 0}, -2, x, "@2")
	box := polytope.Box{{Lo: 0, Hi: 2}, {Lo: 0.5, Hi: 0.5}}
	tests := []struct {
		name   string
		terms  []prooftext.HalfSpace
		domain polytope.Box
		want   string // "" if some input is left
	}{
		{"a line", []prooftext.HalfSpace{below, above}, nil, ""},
		{"beside a line", []prooftext.HalfSpace{below, opened(above)}, nil, " 3*@0 @1"},
		{"the same, otherwise open", []prooftext.HalfSpace{opened(below), above}, nil, " 3*@0 @1"},
		{"room", []prooftext.HalfSpace{opened(below)}, nil, ""},
		{"a point of a flat domain", []prooftext.HalfSpace{below, above}, box, ""},
		{"none of it", []prooftext.HalfSpace{opened(below), above}, box, " 3*@0 @1"},
		{"a side of the domain", []prooftext.HalfSpace{right}, box, ""},
		{"beyond it", []prooftext.HalfSpace{opened(right)}, box, " @2 +0"},
		{"a corner", []prooftext.HalfSpace{prooftext.Plane([]float64{-1, -1}, -2.5, x, "@3")}, box,
			""},
		{"beyond it, in a flat domain", []prooftext.HalfSpace{
			opened(prooftext.Plane([]float64{-1, -1}, -2.5, x, "@3"))}, box, " @3 +0 +1"},
	}
	for _, test := range tests {
		for _, norm := range norms {
			r := prooftext.NewRefuter(query(norm, x, test.domain), math.Inf(1))
			used, multipliers, ok := r.RefuteEmpty(test.terms)
			got := string(prooftext.Write(nil, used, multipliers))
			if ok != (test.want != "") || ok && got != test.want {
				t.Errorf("%s, norm %v: %q, %v, want %q", test.name, norm, got, ok, test.want)
			}
		}
	}
}

// TestNear: half-spaces that leave inputs on their borders only leave one near a point, exactly.
func TestNear(t *testing.T) {
	x := []float64{0, 0.1}
	third := prooftext.Plane([]float64{3, 0}, 1, x, "@0")
	beyond := prooftext.Plane([]float64{-3, 0}, -1, x, "@1")
	domain := polytope.Box{polytope.Line(), {Lo: 0.3, Hi: 0.3}}
	r := prooftext.NewRefuter(query(polytope.LInf, x, domain), 1)
	at := []float64{1. / 3, 0.2}
	u := r.Near([]prooftext.HalfSpace{third, beyond}, at, 1e-9)
	flat := new(big.Rat).Sub(new(big.Rat).SetFloat64(0.3), new(big.Rat).SetFloat64(0.1))
	if u == nil || u[0].Cmp(big.NewRat(1, 3)) != 0 || u[1].Cmp(flat) != 0 {
		t.Errorf("%v, want 1/3 and %v", u, flat)
	}
	if u = r.Near([]prooftext.HalfSpace{opened(third), beyond}, at, 1e-9); u != nil {
		t.Errorf("%v is less than a third, and no less", u)
	}
	if u = r.Near([]prooftext.HalfSpace{third, beyond}, []float64{0.25, 0}, 1e-9); u != nil {
		t.Errorf("%v is near 1/4", u)
	}
}

// TestWeightsOfFewFeatures: multipliers that rounding spoils are computed anew where features do
// not matter to any half-space, or to all of them alike.
func TestWeightsOfFewFeatures(t *testing.T) {
	x := []float64{0, 0, 0}
	terms := []prooftext.HalfSpace{
		prooftext.Plane([]float64{0, -6, -2}, -1, x, "@0"),
		prooftext.Plane([]float64{0, 1, 0}, 0, x, "@1"),
	}
	for _, norm := range norms {
		for _, noise := range []float64{0, 1e-15} {
			rng := rand.New(rand.NewPCG(1, 2))
			c := prooftext.Combiner{Norm: norm, Bound: 0.5}
			multipliers, ok := c.Combine(terms,
				[]float64{1, 6 * (1 + noise*rng.NormFloat64())})
			if !ok || !c.Proves(terms, multipliers) {
				t.Errorf("norm %v: %v, %v", norm, multipliers, ok)
			}
		}
	}
}
