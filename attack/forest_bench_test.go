package attack_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/fixture"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

func BenchmarkExactForest(b *testing.B) {
	for _, name := range []string{"halfmoon", "australian", "cancer", "diabetes", "fourclass"} {
		b.Run(name, func(b *testing.B) {
			c := fixture.Open(b, name)
			a := &attack.RegionBased{
				Classifier: instance.ReadForest(b, c, "rf"),
				Options:    attack.Options{Norm: polytope.LInf, Workers: 1},
			}
			attackAll(b, a, c.Points(b)["rf"].X, 0)
		})
	}
}

// BenchmarkExactForestWorkers attacks single points of a larger forest with one worker and
// with two.
func BenchmarkExactForestWorkers(b *testing.B) {
	x, y := blobs(rand.New(rand.NewPCG(7, 1)), 1000, 8)
	forest, err := classifier.TrainForest(b.Context(), x, y, classifier.ForestOptions{
		Trees:       200,
		TreeOptions: classifier.TreeOptions{MaxDepth: 9},
	})
	if err != nil {
		b.Fatal(err)
	}
	var points [][]float64
	for i := range 20 {
		points = append(points, x.RawRowView(i))
	}
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) {
			attackAll(b,
				&attack.RegionBased{
					Classifier: forest,
					Options:    attack.Options{Norm: polytope.L2, Workers: workers},
				}, points, 0)
		})
	}
}
