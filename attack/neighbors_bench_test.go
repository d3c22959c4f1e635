package attack_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/fixture"
)

// BenchmarkExactMoreNeighbors attacks k-NN, k > 1, at the fixtures' points, and
// reports the median of the times of the points besides.
func BenchmarkExactMoreNeighbors(b *testing.B) {
	for _, name := range []string{"australian", "cancer", "diabetes", "fourclass", "halfmoon"} {
		for _, k := range []int{3, 5, 7} {
			for _, norm := range norms {
				b.Run(fmt.Sprintf("%s/k=%d/norm=%v", name, k, norm), func(b *testing.B) {
					s := fixture.Open(b, name)
					c, err := classifier.NewKNN(s.Set.Train, s.Set.TrainY, classifier.KNNOptions{K: k})
					if err != nil {
						b.Fatal(err)
					}
					a := &timed{Attack: &attack.RegionBased{Classifier: c, Options: attack.Options{Norm: norm, Workers: 1}}}
					points := s.Points(b)["3nn"].X
					attackAll(b, a, points, scanTime(s.Set.Train, points[0]))
					slices.Sort(a.times)
					b.ReportMetric(a.times[len(a.times)/2].Seconds()*1000, "median-ms")
				})
			}
		}
	}
}

// timed notes how long each point takes.
type timed struct {
	attack.Attack
	times []time.Duration
}

func (a *timed) Perturb(ctx context.Context, x []float64) (attack.Result, error) {
	start := time.Now()
	r, err := a.Attack.Perturb(ctx, x)
	a.times = append(a.times, time.Since(start))
	return r, err
}
