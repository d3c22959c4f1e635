package prune

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/internal/dataset"
	"github.com/seed-1a7dc1f9/facet/internal/numpyrand"
	"github.com/seed-1a7dc1f9/facet/internal/testing/fixture"
)

// benchmark times Prune and, up to as many rows, the plain implementation.
func (in *instance) benchmark(b *testing.B, plainRows int) {
	b.Helper()
	n := len(in.y)
	b.Run("Prune", func(b *testing.B) {
		b.ReportAllocs()
		kept := 0
		for b.Loop() {
			keep, err := in.adversarial().Prune(b.Context(), in.x, in.y)
			if err != nil {
				b.Fatal(err)
			}
			kept = len(keep)
		}
		b.ReportMetric(float64(kept)/float64(n), "kept/row")
	})
	if n > plainRows {
		return
	}
	b.Run("plain", func(b *testing.B) {
		b.ReportAllocs()
		edges := 0
		for b.Loop() {
			p := newPlain(in)
			p.keep()
			edges = p.edges()
		}
		b.ReportMetric(float64(edges), "edges")
	})
}

// moons returns the paper's generated set with any number of rows, scaled to
// [0, 1].
func moons(b *testing.B, n int) (*mat.Dense, []int) {
	b.Helper()
	s, err := dataset.Moons(n, 0.25, numpyrand.New(0))
	if err != nil {
		b.Fatal(err)
	}
	scaling, err := dataset.FitMinMax(s, nil)
	if err != nil {
		b.Fatal(err)
	}
	if s, err = scaling.Apply(s); err != nil {
		b.Fatal(err)
	}
	return mat.NewDense(n, 2, s.Data), dataset.Number(s)[0]
}

// uniform returns n rows spread evenly over the unit cube, with random labels: the
// hardest case, as no class keeps to itself.
func uniform(n, dim, labels int) (*mat.Dense, []int) {
	rng := rand.New(rand.NewPCG(11, uint64(dim)))
	x := mat.NewDense(n, dim, nil)
	y := make([]int, n)
	for i := range n {
		row := x.RawRowView(i)
		for j := range row {
			row[j] = rng.Float64()
		}
		y[i] = rng.IntN(labels)
	}
	return x, y
}

// BenchmarkMoons: from few conflicts to those of a tenth and a third of all pairs,
// at 0.15 and 0.25.
func BenchmarkMoons(b *testing.B) {
	for _, tt := range []struct {
		n     int
		third float64
	}{{1000, 0.012}, {2000, 0.008}, {10_000, 0.003}, {50_000, 0.0013}, {200_000, 0.0006}} {
		x, y := moons(b, tt.n)
		for _, radius := range []float64{tt.third, 0.05, 0.15, 0.25} {
			b.Run(fmt.Sprintf("n=%d/radius=%g", tt.n, radius), func(b *testing.B) {
				in := &instance{x: x, y: y, radius: radius}
				in.benchmark(b, 13_007)
			})
		}
	}
}

func BenchmarkUniform(b *testing.B) {
	for _, tt := range []struct {
		density string
		dim     int
		radius  float64
	}{
		{"sparse", 2, 0.005},
		{"dense", 2, 0.25},
		{"sparse", 25, 0.24},
		{"dense", 25, 0.42},
	} {
		// 13,007: the paper's mnist17
		for _, n := range []int{1000, 2000, 13_007, 50_000, 200_000} {
			x, y := uniform(n, tt.dim, 2)
			for _, norm := range norms {
				radius := tt.radius
				if tt.dim == 25 { // lengths grow with the dimension, ℓ∞ does not
					radius *= []float64{1, 9, 2.5}[norm]
				}
				name := fmt.Sprintf("%s/d=%d/n=%d/norm=%v", tt.density, tt.dim, n, norm)
				b.Run(name, func(b *testing.B) {
					in := &instance{x: x, y: y, radius: radius, norm: norm}
					in.benchmark(b, 13_007)
				})
			}
		}
	}
}

// BenchmarkHalfmoon runs on the paper's set at the tables' three separations.
func BenchmarkHalfmoon(b *testing.B) {
	c := fixture.Halfmoon(b)
	for _, separation := range []float64{0.1, 0.3, 0.5} {
		b.Run(fmt.Sprintf("separation=%g", separation), func(b *testing.B) {
			in := &instance{x: c.Set.Train, y: c.Set.TrainY, radius: separation / 2}
			in.benchmark(b, 13_007)
		})
	}
}

// BenchmarkLabels: ten labels, where the relaxation decides some rows or none.
func BenchmarkLabels(b *testing.B) {
	for _, n := range []int{1000, 10_000} {
		x, y := uniform(n, 2, 10)
		for _, radius := range []float64{0.2, 0.5, 10} { // times 1/√n
			a := Adversarial{Radius: radius / math.Sqrt(float64(n)), Effort: 100_000}
			b.Run(fmt.Sprintf("n=%d/radius=%.2g", n, a.Radius), func(b *testing.B) {
				b.ReportAllocs()
				var r *Result
				for b.Loop() {
					var err error
					if r, err = a.Solve(b.Context(), x, y, nil); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(r.Weight), "kept")
				b.ReportMetric(float64(r.Bound), "bound")
			})
		}
	}
}
