package oblique_test

import (
	"fmt"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
)

// BenchmarkExactOblique attacks bagged oblique trees of depth 4, trained on generated data.
func BenchmarkExactOblique(b *testing.B) {
	for _, size := range []struct{ trees, dim int }{
		{1, 2}, {10, 2}, {1, 8}, {10, 8}, {30, 8}, {10, 25},
	} {
		e, points := bagged(b, size.dim, size.trees)
		for _, norm := range instance.Norms() {
			name := fmt.Sprintf("trees=%d/d=%d/norm=%v", size.trees, size.dim, norm)
			b.Run(name, func(b *testing.B) {
				a := &attack.RegionBased{
					Classifier: e,
					Options:    attack.Options{Norm: norm, Workers: 1},
				}
				b.ReportAllocs()
				var nodes, solves, n int
				for b.Loop() {
					r, err := a.Perturb(b.Context(), points[n%len(points)])
					if err != nil || !r.Optimal() {
						b.Fatalf("point %d: %+v, %v", n%len(points), r, err)
					}
					nodes, solves, n = nodes+r.Nodes, solves+r.Solves, n+1
				}
				b.ReportMetric(float64(nodes)/float64(n), "nodes/point")
				b.ReportMetric(float64(solves)/float64(n), "programs/point")
			})
		}
	}
}
