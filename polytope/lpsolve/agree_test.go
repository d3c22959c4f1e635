//go:build lpsolve

package lpsolve_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/polytope"
	"github.com/seed-1a7dc1f9/facet/polytope/lpsolve"
	"github.com/seed-1a7dc1f9/facet/polytope/native"
)

// TestAgreesWithNative on Voronoi cells of random points whose coordinates,
// the same for all or one after the other, range from 1e-3 to 1e3.
func TestAgreesWithNative(t *testing.T) {
	for _, norm := range []polytope.Norm{polytope.LInf, polytope.L1} {
		t.Run(norm.String(), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(1, uint64(norm)))
			var native native.Solver
			worst := 0.0
			for range racetest.Count(1000, 3000) {
				p := cell(r, norm, 2+r.IntN(60), scales(r, 1+r.IntN(12)))
				want, err := native.Closest(context.Background(), p)
				if err != nil {
					t.Fatalf("native: %v", err)
				}
				got, err := lpsolve.Solver{}.Closest(context.Background(), p)
				if err != nil || got.Status != want.Status {
					t.Fatalf("%+v: got %+v, error %v, want %+v", p, got, err, want)
				}
				if want.Status != polytope.StatusOptimal {
					continue
				}
				diff := math.Abs(got.Distance-want.Distance) / max(1, want.Distance)
				if worst = max(worst, diff); diff > 1e-7 || got.Bound > want.Distance*(1+1e-12) {
					t.Fatalf("%+v: got %+v, want %+v", p, got, want)
				}
			}
			t.Logf("largest difference %.1e", worst)
		})
	}
}

// cell asks for the way from a random point to the Voronoi cell, of n sides, of
// another, in as many dimensions as scale has numbers: coordinate j lies within ±scale[j].
func cell(r *rand.Rand, norm polytope.Norm, n int, scale []float64) polytope.Problem {
	point := func() []float64 {
		v := make([]float64, len(scale))
		for j := range v {
			v[j] = scale[j] * (2*r.Float64() - 1)
		}
		return v
	}
	p := polytope.Problem{Norm: norm, X: point()}
	centre := point()
	for range n {
		q := point()
		h := polytope.HalfSpace{A: make([]float64, len(scale))}
		for j := range q {
			h.A[j] = q[j] - centre[j]
			h.B += (q[j] - centre[j]) * (q[j] + centre[j]) / 2
		}
		p.Region.HalfSpaces = append(p.Region.HalfSpaces, h)
	}
	return p
}

// scales draws d powers of ten from 1e-3 to 1e3, the same for all half the time.
func scales(r *rand.Rand, d int) []float64 {
	same := math.Pow(10, 6*r.Float64()-3)
	if r.IntN(2) == 0 {
		return slices.Repeat([]float64{same}, d)
	}
	scale := make([]float64, d)
	for j := range scale {
		scale[j] = math.Pow(10, 6*r.Float64()-3)
	}
	return scale
}

// TestDeadline: one in the past stops at once, one ahead is passed on.
func TestDeadline(t *testing.T) {
	p := cell(rand.New(rand.NewPCG(2, 1)), polytope.LInf, 200, slices.Repeat([]float64{1}, 10))
	past, cancel := context.WithDeadline(context.Background(), time.Unix(0, 0))
	defer cancel()
	if got, err := (lpsolve.Solver{}).Closest(past, p); err != nil ||
		got.Status != polytope.StatusStopped {
		t.Errorf("deadline in the past: got %+v, error %v, want stopped", got, err)
	}
	ahead, cancel := context.WithTimeout(context.Background(), time.Hour)
	defer cancel()
	if got, err := (lpsolve.Solver{}).Closest(ahead, p); err != nil ||
		got.Status != polytope.StatusOptimal {
		t.Errorf("deadline ahead: got %+v, error %v, want optimal", got, err)
	}
}
