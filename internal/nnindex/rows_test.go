package nnindex_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/nnindex"
)

// Distances of many rows are those of single ones to the last bit, on every processor.
func TestSquaredRows(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	for dim := 1; dim <= 40; dim++ {
		for n := range 11 {
			x, rows := make([]float64, dim), make([]float64, n*dim)
			for _, values := range [][]float64{x, rows} {
				for j := range values {
					values[j] = math.Ldexp(rng.NormFloat64(), rng.IntN(60)-30)
				}
			}
			out := make([]float64, n+1)
			out[n] = -1
			nnindex.SquaredRows(x, rows, out[:n])
			for i, got := range out[:n] {
				if want := nnindex.Squared(x, rows[i*dim:(i+1)*dim]); got != want {
					t.Fatalf("%d of %d rows, dimension %d: %v, want %v", i, n, dim, got, want)
				}
			}
			nnindex.AbsoluteRows(x, rows, out[:n])
			for i, got := range out[:n] {
				if want := nnindex.Absolute(x, rows[i*dim:(i+1)*dim]); got != want {
					t.Fatalf("%d of %d rows, dimension %d: sum %v, want %v", i, n, dim, got, want)
				}
			}
			if out[n] != -1 {
				t.Fatalf("%d rows, dimension %d: wrote one more", n, dim)
			}
		}
	}
}

// The distance to a box is that to its nearest point, to the last bit.
func TestToBox(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 4))
	for dim := 1; dim <= 40; dim++ {
		for range 20 {
			x, points, nearest := make([]float64, dim), make([]float64, 3*dim), make([]float64, dim)
			for i := range points {
				points[i] = math.Ldexp(rng.NormFloat64(), rng.IntN(40)-20)
			}
			for j := range x {
				x[j] = math.Ldexp(rng.NormFloat64(), rng.IntN(40)-20)
			}
			tree, err := nnindex.Build(t.Context(), points, dim, []int32{0, 1, 2})
			if err != nil {
				t.Fatal(err)
			}
			lo, hi := tree.Box(0)
			for j, e := range x {
				nearest[j] = max(lo[j], min(hi[j], e))
			}
			if got, want := tree.ToBox(0, x), nnindex.Squared(x, nearest); got != want {
				t.Fatalf("dimension %d: %v, want %v", dim, got, want)
			}
		}
	}
}
