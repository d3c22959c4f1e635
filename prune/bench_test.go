package prune

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/internal/fixture"
	"github.com/seed-1a7dc1f9/facet/internal/rows"
)

// benchmarkPrune times the whole of Prune and reports rows per second and the
// number of conflicts.
func benchmarkPrune(b *testing.B, x *mat.Dense, y []int, a Adversarial) {
	b.Helper()
	edges := countConflicts(b, x, y, a)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := a.Prune(b.Context(), x, y); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(y)*b.N)/b.Elapsed().Seconds(), "rows/s")
	b.ReportMetric(float64(edges), "edges")
}

func countConflicts(b *testing.B, x *mat.Dense, y []int, a Adversarial) int {
	b.Helper()
	table, err := rows.Copy(b.Context(), x)
	if err != nil {
		b.Fatal(err)
	}
	smaller, larger, err := twoClasses(y, table.Len)
	if err != nil {
		b.Fatal(err)
	}
	c, err := findConflicts(b.Context(), table, larger, smaller, newReach(a.Norm, 2*a.Radius), 1)
	if err != nil {
		b.Fatal(err)
	}
	return c.graph.Edges()
}

// uniform returns n rows spread evenly over the unit cube, with random labels:
// the hardest case, as no class keeps to itself.
func uniform(n, dim int) (*mat.Dense, []int) {
	rng := rand.New(rand.NewPCG(11, uint64(dim)))
	x := mat.NewDense(n, dim, nil)
	y := make([]int, n)
	for i := range n {
		row := x.RawRowView(i)
		for j := range row {
			row[j] = rng.Float64()
		}
		y[i] = rng.IntN(2)
	}
	return x, y
}

func BenchmarkAdversarial(b *testing.B) {
	tests := []struct {
		density string
		dim     int
		radius  float64
	}{
		{"sparse", 2, 0.005},
		{"dense", 2, 0.25},
		{"sparse", 25, 0.24},
		{"dense", 25, 0.42},
	}
	for _, tt := range tests {
		for _, n := range []int{1000, 10_000} {
			for _, norm := range norms {
				radius := tt.radius
				if tt.dim == 25 { // lengths grow with the dimension, ℓ∞ does not
					radius *= []float64{1, 9, 2.5}[norm]
				}
				b.Run(fmt.Sprintf("%s/d=%d/n=%d/norm=%v", tt.density, tt.dim, n, norm), func(b *testing.B) {
					x, y := uniform(n, tt.dim)
					benchmarkPrune(b, x, y, Adversarial{Radius: radius, Norm: norm})
				})
			}
		}
	}
}

// BenchmarkHalfmoon runs on the paper's set at the tables' three separations.
func BenchmarkHalfmoon(b *testing.B) {
	c := fixture.Halfmoon(b)
	x, y := c.Set.Train, c.Set.TrainY
	for _, separation := range []float64{0.1, 0.3, 0.5} {
		b.Run(fmt.Sprintf("separation=%g", separation), func(b *testing.B) {
			benchmarkPrune(b, x, y, Adversarial{Radius: separation / 2})
		})
	}
}

// BenchmarkConflicts compares the search for conflicts with looking at all
// pairs by polytope.Norm.Distance.
func BenchmarkConflicts(b *testing.B) {
	const n, dim, radius = 2000, 8, 0.05
	x, y := uniform(n, dim)
	b.Run("search", func(b *testing.B) {
		for b.Loop() {
			countConflicts(b, x, y, Adversarial{Radius: radius})
		}
	})
	b.Run("all pairs", func(b *testing.B) {
		in := &instance{x: x, y: y, radius: radius}
		for b.Loop() {
			edges := 0
			for i := range y {
				for j := range i {
					if in.conflict(i, j) {
						edges++
					}
				}
			}
		}
	})
}
