package proof_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/attack/proof"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/fixture"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
)

// BenchmarkCheck attacks twenty points and checks the proofs: one iteration of "search" and of
// "check" are about the same points.
func BenchmarkCheck(b *testing.B) {
	for _, set := range []string{"diabetes", "halfmoon"} {
		c := fixture.Open(b, set)
		points := c.Points(b)["1nn"].X[:20]
		for name, model := range map[string]classifier.Classifier{
			"rf":  instance.ReadForest(b, c, "rf"),
			"1nn": instance.Voters(b, c, 1),
			"3nn": instance.Voters(b, c, 3),
		} {
			m := reread(b, model)
			for _, norm := range instance.Norms() {
				o := attack.Options{Norm: norm, Workers: 1}
				_, file := proven(b, model, m, points, o)
				b.Run(fmt.Sprintf("%s/%s/%v/search", set, name, norm), func(b *testing.B) {
					a := &attack.RegionBased{Classifier: model, Options: o}
					for b.Loop() {
						for _, x := range points {
							if _, err := a.Perturb(b.Context(), x); err != nil {
								b.Fatal(err)
							}
						}
					}
				})
				b.Run(fmt.Sprintf("%s/%s/%v/check", set, name, norm), func(b *testing.B) {
					b.ReportAllocs()
					for b.Loop() {
						if err := proof.Check(
							bytes.NewReader(file), m, func(proof.Claim) error { return nil },
						); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
		}
	}
}
