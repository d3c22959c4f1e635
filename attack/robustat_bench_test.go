package attack_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/internal/testing/fixture"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
)

// BenchmarkRobustAt compares the exact radius with questions about half of it, a
// hundredth less and a hundredth more.
func BenchmarkRobustAt(b *testing.B) {
	for _, set := range []string{"australian", "cancer", "diabetes", "fourclass", "halfmoon"} {
		for _, name := range []string{"1nn", "3nn", "dt", "rf"} {
			b.Run(set+"/"+name, func(b *testing.B) {
				c := fixture.Open(b, set)
				a := &attack.RegionBased{Classifier: instance.PaperModel(b, c, name), Options: attack.Options{Workers: 1}}
				points, radii := c.Points(b)[name].X, c.Exact(b)[name+"_inf"]
				b.Run("exact", func(b *testing.B) {
					timed := &timed{Attack: a}
					attackAll(b, timed, points, 0)
					b.ReportMetric(timed.median(), "median-ms")
				})
				for _, share := range []float64{0.5, 0.99, 1.01, 2} {
					b.Run(fmt.Sprintf("r=%v", share), func(b *testing.B) { askAll(b, a, points, radii, share) })
				}
			})
		}
	}
}

// askAll benchmarks questions about a share of each radius.
func askAll(b *testing.B, a *attack.RegionBased, points [][]float64, radii []float64, share float64) {
	b.ReportAllocs()
	var watch stopwatch
	for n := 0; b.Loop(); n++ {
		i := n % len(points)
		start := time.Now()
		robust, err := a.RobustAt(b.Context(), points[i], share*radii[i])
		watch.note(start)
		// A radius within the tolerance of bounds cannot be told from 0.
		if err != nil || robust != (share < 1) && radii[i] > 1e-8 {
			b.Fatalf("point %d: %v, %v", i, robust, err)
		}
	}
	b.ReportMetric(watch.median(), "median-ms")
}
