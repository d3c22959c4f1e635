//go:build lpsolve

package lpsolve_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-1a7dc1f9/facet/polytope"
	"github.com/seed-1a7dc1f9/facet/polytope/lpsolve"
	"github.com/seed-1a7dc1f9/facet/polytope/native"
)

// BenchmarkSolvers puts both solvers to the same Voronoi cells.
func BenchmarkSolvers(b *testing.B) {
	solvers := []struct {
		name   string
		solver polytope.Solver
	}{
		{"native", native.Solver{}},
		{"lpsolve", lpsolve.Solver{}},
	}
	for _, size := range [][2]int{{490, 14}, {2000, 25}, {13007, 25}} {
		for _, norm := range []polytope.Norm{polytope.LInf, polytope.L1} {
			r := rand.New(rand.NewPCG(3, uint64(norm)))
			problems := make([]polytope.Problem, 10)
			for i := range problems {
				problems[i] = cell(r, norm, size[0], slices.Repeat([]float64{0.5}, size[1]))
			}
			for _, s := range solvers {
				name := fmt.Sprintf("n=%d/d=%d/norm=%v/%s", size[0], size[1], norm, s.name)
				b.Run(name, func(b *testing.B) {
					b.ReportAllocs()
					var rows, count int
					for b.Loop() {
						got, err := s.solver.Closest(context.Background(),
							problems[count%len(problems)])
						if err != nil {
							b.Fatal(err)
						}
						rows, count = rows+got.Rows, count+1
					}
					b.ReportMetric(float64(rows)/float64(count), "rows/problem")
				})
			}
		}
	}
}
