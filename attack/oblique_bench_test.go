package attack_test

import (
	"fmt"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
)

// BenchmarkExactOblique attacks bagged oblique trees of depth 4, trained on generated data.
func BenchmarkExactOblique(b *testing.B) {
	for _, size := range []struct{ trees, dim int }{{1, 2}, {10, 2}, {1, 8}, {10, 8}, {30, 8}, {10, 25}} {
		e, points := bagged(b, size.dim, size.trees)
		for _, norm := range norms {
			b.Run(fmt.Sprintf("trees=%d/d=%d/norm=%v", size.trees, size.dim, norm), func(b *testing.B) {
				a := &attack.RegionBased{Classifier: e, Options: attack.Options{Norm: norm, Workers: 1}}
				attackAll(b, a, points, 0)
			})
		}
	}
}
