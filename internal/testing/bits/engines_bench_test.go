package bits_test

import (
	"fmt"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/internal/testing/fixture"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
)

// BenchmarkEngines attacks twenty points of a fixture with each engine, and reports their
// allocations: the table of docs/inside/performance.md compares a change with the state before it.
func BenchmarkEngines(b *testing.B) {
	for _, set := range []string{"diabetes", "halfmoon"} {
		c := fixture.Open(b, set)
		benchmark(b, set, append(neighborModels(b, c), treeModels(b, c)...))
	}
	benchmark(b, "recorded", recordedModels(b))
}

func benchmark(b *testing.B, set string, models []bitModel) {
	for _, m := range models {
		for _, norm := range instance.Norms() {
			b.Run(fmt.Sprintf("%s/%s/%v", set, m.name, norm), func(b *testing.B) {
				o := attack.Options{Norm: norm, Workers: 1, MaxNodes: m.nodes}
				a := &attack.RegionBased{Classifier: m.c, Options: o}
				b.ReportAllocs()
				for b.Loop() {
					for _, x := range m.points {
						if _, err := a.Perturb(b.Context(), x); err != nil {
							b.Fatal(err)
						}
					}
				}
			})
		}
	}
}
