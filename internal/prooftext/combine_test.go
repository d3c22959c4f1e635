package prooftext_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/closest"
	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/prooftext"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/polytope"
	"github.com/seed-1a7dc1f9/facet/polytope/native"
)

// query returns that of the inputs of a domain.
func query(norm polytope.Norm, x []float64, domain polytope.Box) *search.Query {
	return &search.Query{X: x, Cost: geometry.In(norm), Domain: domain}
}

var norms = []polytope.Norm{polytope.LInf, polytope.L1, polytope.L2}

func TestCombination(t *testing.T) {
	x := []float64{0, 0}
	terms := []prooftext.HalfSpace{
		prooftext.Plane([]float64{-1, -1}, -1, x, "@0"), // u0+u1 ≥ 1
		prooftext.Plane([]float64{-1, 1}, -1, x, "@1"),  // u0−u1 ≥ 1
		prooftext.Plane([]float64{3, 0}, 2, x, "#0"),    // u0 ≤ 2/3
	}
	inf := math.Inf(1)
	tests := []struct {
		norm  polytope.Norm
		terms []prooftext.HalfSpace
		bound float64
		want  string // "" if there is none
	}{
		{polytope.LInf, terms[:1], 0.5, " @0"},
		{polytope.LInf, terms[:1], math.Nextafter(0.5, 1), ""},
		{polytope.L1, terms[:1], 1, " @0"},
		{polytope.L2, terms[:1], 0.7071067811865475, " @0"},
		{polytope.L2, terms[:1], 0.7071067811865476, ""},
		{polytope.LInf, terms[:2], 1, " @0 @1"},
		{polytope.L1, terms[:2], 1, " @0"},
		{polytope.L2, terms[:2], 1, " @0 @1"},
		{polytope.L2, terms[:2], inf, ""},
		{polytope.L2, terms, inf, " 3*@0 3*@1 2*#0"},
		{polytope.LInf, terms, 1e9, " 3*@0 3*@1 2*#0"},
	}
	for i, test := range tests {
		r := prooftext.NewRefuter(query(test.norm, x, nil), test.bound)
		used, multipliers, ok := r.Refute(test.terms)
		if got := string(prooftext.Write(nil, used, multipliers)); ok != (test.want != "") ||
			(ok && got != test.want) {
			t.Errorf("%d, norm %v: %q, %v, want %q", i, test.norm, got, ok, test.want)
		}
	}
}

// TestSidesOfTheDomain: the domain refutes inputs that half-spaces leave.
func TestSidesOfTheDomain(t *testing.T) {
	x := []float64{0.25, 0.5}
	// z0 + 3·z1 ≥ 4.5
	far := []prooftext.HalfSpace{prooftext.Plane([]float64{-1, -3}, -4.5, x, "@0")}
	for _, norm := range norms {
		r := prooftext.NewRefuter(
			query(norm, x, polytope.Box{{Lo: 0, Hi: 1}, {Lo: 0, Hi: 1}}), math.Inf(1))
		used, multipliers, ok := r.Refute(far)
		if got, want := string(prooftext.Write(nil, used, multipliers)), " @0 3*+1 +0"; !ok ||
			got != want {
			t.Errorf("norm %v: %q, %v, want %q", norm, got, ok, want)
		}
	}
}

// TestRefuteAgreesWithSolver: a proof by random half-spaces agrees with a solver, and holds in
// exact arithmetic.
func TestRefuteAgreesWithSolver(t *testing.T) {
	proven := 0
	for number := range uint64(1500) {
		rng := rand.New(rand.NewPCG(number, 77))
		dim, norm := 1+rng.IntN(4), norms[number%3]
		x := make([]float64, dim)
		for j := range x {
			x[j] = rng.NormFloat64()
		}
		p := polytope.Problem{Norm: norm, X: x}
		var terms []prooftext.HalfSpace
		for range 1 + rng.IntN(2*dim) {
			h := polytope.HalfSpace{A: make([]float64, dim), B: rng.NormFloat64()}
			for j := range h.A {
				h.A[j] = rng.NormFloat64()
			}
			p.Region.HalfSpaces = append(p.Region.HalfSpaces, h)
			terms = append(terms, prooftext.Plane(h.A, h.B, x, "@"))
		}
		sol, err := (native.Solver{}).Closest(t.Context(), p)
		if err != nil || sol.Bound == 0 {
			continue
		}
		r := prooftext.NewRefuter(query(norm, x, nil), sol.Bound)
		used, multipliers, ok := r.Refute(terms)
		if !ok && !math.IsInf(sol.Bound, 1) { // rounded multipliers may fall short by a rounding
			r.Bound *= 1 - 0x1p-50
			used, multipliers, ok = r.Refute(terms)
		}
		if !ok || !r.Proves(used, multipliers) {
			t.Fatalf("instance %d: nothing proves the bound %v of %+v", number, sol.Bound, p)
		}
		proven++
		if math.IsInf(sol.Bound, 1) {
			continue
		}
		if r.Bound = sol.Distance * (1 + 1e-9); r.Proves(used, multipliers) {
			t.Fatalf("instance %d: a combination proves %v, and a point at distance %v lies in %+v",
				number, r.Bound, sol.Distance, p)
		}
	}
	if proven < 500 {
		t.Errorf("%d combinations, want more", proven)
	}
}

// TestZero: 0·u ≤ 0 refutes no input, 0·u ≤ −1 and 0 < 0 refute all.
func TestZero(t *testing.T) {
	x := []float64{1}
	c := prooftext.Combiner{Bound: math.Inf(1)}
	one, two := []*big.Int{big.NewInt(1)}, []*big.Int{big.NewInt(1), big.NewInt(1)}
	if c.Proves([]prooftext.HalfSpace{prooftext.Plane([]float64{0}, 0, x, "")}, one) {
		t.Error("0 ≤ 0 proves something")
	}
	if !c.Proves([]prooftext.HalfSpace{prooftext.Plane([]float64{0}, -1, x, "")}, one) {
		t.Error("0 ≤ −1 proves nothing")
	}
	point := []prooftext.HalfSpace{prooftext.Plane([]float64{2}, 1, x, ""),
		prooftext.Plane([]float64{-2}, -1, x, "")}
	if c.Proves(point, two) {
		t.Error("z ≤ 1/2 and z ≥ 1/2 leave no point")
	}
	if point[0].Open = true; !c.Proves(point, two) {
		t.Error("z < 1/2 and z ≥ 1/2 leave a point")
	}
}

// TestRoughWeights: weights that are a little off are computed anew, and prove the same as the
// right ones.
func TestRoughWeights(t *testing.T) {
	tested := 0
	for number := range uint64(300) {
		rng := rand.New(rand.NewPCG(number, 78))
		dim, norm := 2+rng.IntN(3), norms[number%3]
		x, program := make([]float64, dim), closest.New(norm)
		program.Reset(dim)
		var terms []prooftext.HalfSpace
		for range dim {
			a := make([]float64, dim)
			for j := range a {
				a[j] = rng.NormFloat64()
			}
			terms = append(terms, prooftext.Plane(a, -1-rng.Float64(), x, "@"))
			program.Add(a, terms[len(terms)-1].B, 0)
		}
		if status, err := program.Solve(math.Inf(1)); status != closest.Optimal || err != nil {
			continue
		}
		weights, active := make([]float64, len(terms)), 0
		program.Multipliers(func(row int, lambda float64) {
			if lambda > 1e-6 {
				weights[row] = lambda / geometry.DualLength(norm, terms[row].A) *
					(1 + 1e-10*rng.NormFloat64())
				active++
			}
		})
		c := prooftext.Combiner{Norm: norm, Bound: program.Value() * (1 - 1e-14)}
		if multipliers, ok := c.Combine(terms, weights); !ok || !c.Proves(terms, multipliers) {
			t.Errorf("instance %d, norm %v: nothing proves the bound %v", number, norm, c.Bound)
		}
		if c.Bound = program.Value() * (1 + 1e-12); active > 1 {
			tested++
		}
		if multipliers, ok := c.Combine(terms, weights); ok {
			t.Errorf("instance %d, norm %v: %v prove the bound %v, beyond a point",
				number, norm, multipliers, c.Bound)
		}
	}
	if tested < 150 {
		t.Errorf("%d instances, want more", tested)
	}
}
