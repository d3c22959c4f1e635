package metrics_test

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/fixture"
	"github.com/seed-1a7dc1f9/facet/metrics"
)

// BenchmarkEvaluate attacks the 200 test points of halfmoon exactly.
func BenchmarkEvaluate(b *testing.B) {
	c := fixture.Halfmoon(b)
	model, err := classifier.TrainKNN(b.Context(), c.Set.Train, c.Set.TrainY,
		classifier.KNNOptions{})
	if err != nil {
		b.Fatal(err)
	}
	for _, workers := range []int{1, runtime.GOMAXPROCS(0)} {
		b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) {
			b.ReportAllocs()
			points := 0
			for b.Loop() {
				p, err := metrics.Evaluate(b.Context(), model, c.Set.Test, nil, metrics.Options{
					Workers: workers,
				})
				if err != nil {
					b.Fatal(err)
				}
				points += len(p)
			}
			b.ReportMetric(float64(points)/b.Elapsed().Seconds(), "points/s")
		})
	}
}

// BenchmarkEvaluateOverhead attacks 10,000 points with an attack that costs nothing.
func BenchmarkEvaluateOverhead(b *testing.B) {
	v := make([]float64, 10_000)
	for i := range v {
		v[i] = float64(i)
	}
	x := line(v...)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := metrics.Evaluate(
			b.Context(), step{}, x, nil, metrics.Options{Attack: attackFunc(toZero)},
		); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1e4, "ns/point")
}
