package attack_test

import (
	"context"
	"io"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/fixture"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// recorded is an attack that writes its proofs, and counts their bytes.
type recorded struct {
	*attack.RegionBased
	bytes *int
}

func (r recorded) Perturb(ctx context.Context, x []float64) (attack.Result, error) {
	return r.Prove(ctx, x, r)
}

func (r recorded) Write(p []byte) (int, error) {
	*r.bytes += len(p)
	return io.Discard.Write(p)
}

// BenchmarkProve compares a search with the same and its proof.
func BenchmarkProve(b *testing.B) {
	for _, name := range []string{"halfmoon", "cancer", "fourclass"} {
		c := fixture.Open(b, name)
		oblique, err := classifier.TrainOblique(b.Context(), c.Set.Train, c.Set.TrainY, classifier.ObliqueOptions{Trees: 4, MaxDepth: 3, Seed: 1, Restarts: 1, Jumps: 1})
		if err != nil {
			b.Fatal(err)
		}
		models := map[string]classifier.Classifier{"dt": instance.ReadTree(b, c, "dt"), "rf": instance.ReadForest(b, c, "rf"), "oblique": oblique}
		for model, classifier := range models {
			for _, norm := range []polytope.Norm{polytope.LInf, polytope.L2} {
				a := &attack.RegionBased{Classifier: classifier, Options: attack.Options{Norm: norm, Workers: 1}}
				points := c.Points(b)["rf"].X[:20]
				b.Run(name+"/"+model+"/"+norm.String()+"/search", func(b *testing.B) { attackAll(b, a, points, 0) })
				b.Run(name+"/"+model+"/"+norm.String()+"/prove", func(b *testing.B) {
					size := 0
					attackAll(b, recorded{a, &size}, points, 0)
					b.ReportMetric(float64(size)/float64(b.N), "bytes/point")
				})
			}
		}
	}
}
