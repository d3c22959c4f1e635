package bipartite

import (
	"math/rand/v2"
	"testing"
)

func BenchmarkMaximum(b *testing.B) {
	for _, bench := range []struct {
		name string
		g    Graph
	}{
		{"sparse/n=100000", sparseRandom(rand.New(rand.NewPCG(5, 0)), 100_000, 3)},
		{"dense/n=2000", sparseRandom(rand.New(rand.NewPCG(5, 1)), 2000, 1000)},
		{"path/n=100000", unpeeled{ladder(100_000)}},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			phases := 0
			for b.Loop() {
				f, err := Maximum(b.Context(), bench.g, Weights{})
				if err != nil {
					b.Fatal(err)
				}
				if _, err := CoverOf(b.Context(), bench.g, f); err != nil {
					b.Fatal(err)
				}
				phases = f.Phases
			}
			b.ReportMetric(float64(phases), "phases")
		})
	}
}
