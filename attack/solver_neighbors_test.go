package attack_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/polytope"
	"github.com/seed-1a7dc1f9/facet/polytope/native"
)

// ownSolvers are no Solver, which is the native one with warm starts, and a caller's own.
func ownSolvers() []polytope.Solver {
	native := native.Solver{}
	return []polytope.Solver{nil, instance.Solver(func(
		ctx context.Context, p polytope.Problem,
	) (polytope.Solution, error) {
		return native.Closest(ctx, p)
	})}
}

// TestNeighborsThatTouchTheDomain: the inputs that answer touch the domain at an end, where rows
// tie. No margin leads there, and the program's point misses it by a rounding error.
func TestNeighborsThatTouchTheDomain(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		in   instance.Neighbors
		k    int
		norm polytope.Norm
		want float64
	}{
		{"at a corner", instance.Neighbors{
			X: [][]float64{{3, 0, -2, -1}, {-2, 2, -2, 0}, {1, 1, 0, 0}}, Y: []int{1, 1, 0},
			Query: []float64{-3, 3, -2, 1}, Box: polytope.Cube(4, -2, 2),
		}, 2, polytope.L1, 10},
		{"neighbours that tie where a feature stays", instance.Neighbors{
			X: [][]float64{{1, -2}, {-3, 3}, {-1, 3}, {0, -3}, {1, -1}, {0, -1}},
			Y: []int{0, 1, 2, 1, 0, 2}, Query: []float64{0, -2},
			Box: polytope.Box{{Lo: -3}, {Lo: -2, Hi: -2}},
		}, 2, polytope.LInf, 0},
		{"a rival that ties where a feature stays", instance.Neighbors{
			X: [][]float64{{-1, 1}, {1, 1}, {1, -2}, {3, -2}, {-3, 1}, {0, -1}},
			Y: []int{0, 1, 1, 1, 1, 1}, Query: []float64{1, 2},
			Box: polytope.Box{{}, {Lo: -2, Hi: 2}},
		}, 1, polytope.LInf, 1},
		{"a rival that ties at the only input", instance.Neighbors{
			X: [][]float64{{-2}, {2}}, Y: []int{1, 2}, Query: []float64{3}, Box: polytope.Box{{}},
		}, 1, polytope.L2, 3},
	}
	for _, test := range tests {
		c := test.in.KNN(t, test.k)
		for i, solver := range ownSolvers() {
			o := attack.Options{Norm: test.norm, Domain: test.in.Box, Solver: solver}
			r, err := (&attack.RegionBased{Classifier: c, Options: o}).
				Perturb(t.Context(), test.in.Query)
			if err == nil {
				err = instance.CheckExact(t, c, test.norm, test.in.Query, r, test.want)
			}
			if err != nil {
				t.Errorf("%s, solver %d: %v", test.name, i, err)
			}
		}
	}
}

// TestNeighborsWithSolver: small k-NN whose rows tie, seen from within the domain and from without,
// has the same answers whoever solves the programs, and all of them are proven.
func TestNeighborsWithSolver(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(30, 6))
	value := func() float64 { return float64(rng.IntN(7) - 3) }
	point := func(dim int) []float64 {
		p := make([]float64, dim)
		for j := range p {
			p[j] = value()
		}
		return p
	}
	outside := 0
	for trial := range instance.Count(60, 600) {
		dim, n := 1+rng.IntN(4), 2+rng.IntN(6)
		in := instance.Neighbors{Query: point(dim)}
		for range n {
			in.X, in.Y = append(in.X, point(dim)), append(in.Y, rng.IntN(2+trial%2))
		}
		for range dim * min(1, rng.IntN(4)) {
			lo := value()
			in.Box = append(in.Box, polytope.Interval{Lo: lo, Hi: lo + float64(rng.IntN(5))})
		}
		if !in.Box.Contains(in.Query) {
			outside++
		}
		c := in.KNN(t, 1+rng.IntN(min(4, n)))
		for _, norm := range norms {
			var results []attack.Result
			for _, solver := range ownSolvers() {
				o := attack.Options{Norm: norm, Domain: in.Box, Solver: solver}
				r, err := (&attack.RegionBased{Classifier: c, Options: o}).
					Perturb(t.Context(), in.Query)
				if err != nil {
					t.Fatalf("trial %d: %v", trial, err)
				}
				results = append(results, r)
			}
			truth := results[0].Distance
			for i, r := range results {
				if err := instance.CheckExact(t, c, norm, in.Query, r, truth); err != nil {
					t.Errorf("trial %d, ℓ%v, solver %d, %+v: %v", trial, norm, i, in, err)
				}
			}
		}
	}
	if outside == 0 {
		t.Error("no input lies outside its domain")
	}
}
