package attack_test

import (
	"fmt"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/fixture"
)

// BenchmarkWeightedNeighbors attacks distance-weighted k-NN at the fixtures' points, with
// at most 1000 nodes each, and reports the share that is proven.
func BenchmarkWeightedNeighbors(b *testing.B) {
	for _, name := range []string{"australian", "cancer", "diabetes", "fourclass", "halfmoon"} {
		for _, k := range []int{3, 5} {
			b.Run(fmt.Sprintf("%s/k=%d", name, k), func(b *testing.B) {
				s := fixture.Open(b, name)
				c, err := classifier.NewWeightedKNN(s.Set.Train, s.Set.TrainY, classifier.WeightedKNNOptions{K: k})
				if err != nil {
					b.Fatal(err)
				}
				a := &attack.RegionBased{Classifier: c, Options: attack.Options{Workers: 1, MaxNodes: 1000}}
				points := s.Points(b)["3nn"].X
				proven, attacked := 0, 0
				b.ReportAllocs()
				for b.Loop() {
					r, err := a.Perturb(b.Context(), points[attacked%len(points)])
					if err != nil {
						b.Fatal(err)
					}
					if attacked++; r.Optimal {
						proven++
					}
				}
				b.ReportMetric(float64(proven)/float64(attacked), "proven")
			})
		}
	}
}
