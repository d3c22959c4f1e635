package cart_test

import (
	"fmt"
	"testing"

	"github.com/seed-1a7dc1f9/facet/classifier"
)

// trainingSizes are the cases that `tools/record_training.py time` trains with
// scikit-learn.
func trainingSizes(
	b *testing.B, test func(b *testing.B, d trainingData, o classifier.TreeOptions),
) {
	for _, size := range []struct{ n, d int }{{500, 14}, {2000, 25}, {13000, 50}} {
		for _, depth := range []int{5, 0} {
			b.Run(fmt.Sprintf("n=%d/d=%d/depth=%d", size.n, size.d, depth), func(b *testing.B) {
				b.ReportAllocs()
				d := trainingData{
					Form:    "uniform",
					N:       size.n,
					D:       size.d,
					Classes: 2,
					Step:    1,
					Draw:    1,
				}
				test(b, d, classifier.TreeOptions{MaxDepth: depth})
			})
		}
	}
}

// BenchmarkTrainForest trains the 100 trees of a forest on one core.
func BenchmarkTrainForest(b *testing.B) {
	trainingSizes(b, func(b *testing.B, d trainingData, o classifier.TreeOptions) {
		x, y := d.rows()
		for b.Loop() {
			if _, err := classifier.TrainForest(
				b.Context(), x, y, classifier.ForestOptions{TreeOptions: o, Workers: 1},
			); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(100*b.N)/b.Elapsed().Seconds(), "trees/s")
	})
}

// BenchmarkTrainTree trains one tree on all features.
func BenchmarkTrainTree(b *testing.B) {
	trainingSizes(b, func(b *testing.B, d trainingData, o classifier.TreeOptions) {
		x, y := d.rows()
		for b.Loop() {
			if _, err := classifier.TrainTree(b.Context(), x, y, o); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "trees/s")
	})
}

// BenchmarkTrainRobustTree trains one tree on all features by Chen's splits.
func BenchmarkTrainRobustTree(b *testing.B) {
	trainingSizes(b, func(b *testing.B, d trainingData, o classifier.TreeOptions) {
		x, y := d.rows()
		o.Robust, o.Chen = 0.1, true
		for b.Loop() {
			if _, err := classifier.TrainTree(b.Context(), x, y, o); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "trees/s")
	})
}
