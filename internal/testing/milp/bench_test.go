//go:build lpsolve

package milp

import (
	"fmt"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
)

// BenchmarkForest attacks the first points of the set that forests were trained
// on, here and with attack.RegionBased.
func BenchmarkForest(b *testing.B) {
	const points = 20
	for _, size := range [][2]int{{10, 4}, {20, 5}, {50, 6}} {
		e, x := forestOf(b, size[0], size[1], 2)
		for _, norm := range norms {
			attacks := map[string]attack.Attack{
				"milp": Attack{Ensemble: e, Norm: norm},
				"regionbased": &attack.RegionBased{
					Classifier: e,
					Options:    attack.Options{Norm: norm, Workers: 1},
				},
			}
			for _, name := range []string{"milp", "regionbased"} {
				name := fmt.Sprintf("trees=%d/depth=%d/norm=%v/%s", size[0], size[1], norm, name)
				b.Run(name, func(b *testing.B) {
					nodes, count := 0, 0
					for b.Loop() {
						r, err := attacks[name].Perturb(b.Context(), mat.Row(nil, count%points, x))
						if err != nil || !r.Optimal() {
							b.Fatalf("%+v, error %v", r, err)
						}
						nodes, count = nodes+r.Nodes, count+1
					}
					b.ReportMetric(float64(nodes)/float64(count), "nodes/point")
				})
			}
		}
	}
}
