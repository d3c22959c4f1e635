package baseline_test

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/attack/baseline"
	"github.com/seed-1a7dc1f9/facet/internal/testing/fixture"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
)

// BenchmarkBaselines attacks the paper's points on halfmoon, one after the other.
func BenchmarkBaselines(b *testing.B) {
	c := fixture.Halfmoon(b)
	knn, tree, points := instance.Voters(b, c, 1), instance.ReadTree(b, c, "dt"), c.Points(b)
	for _, bench := range []struct {
		name, points string
		a            attack.Attack
	}{
		{"direct", "1nn", &baseline.Direct{Classifier: knn}},
		{"kernel", "1nn", &baseline.Kernel{Classifier: knn}},
		{"blackbox/1nn", "1nn", &baseline.BlackBox{Classifier: knn}},
		{"blackbox/rf", "rf", &baseline.BlackBox{Classifier: instance.ReadForest(b, c, "rf")}},
		{"papernot", "dt", &baseline.Papernot{Classifier: tree}},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			x := points[bench.points].X
			for i := 0; b.Loop(); i++ {
				if _, err := bench.a.Perturb(b.Context(), x[i%len(x)]); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkKernelAll attacks the paper's 100 points on halfmoon together.
func BenchmarkKernelAll(b *testing.B) {
	c := fixture.Halfmoon(b)
	points := c.Points(b)["1nn"].X
	x := mat.NewDense(len(points), len(points[0]), nil)
	for i, p := range points {
		x.SetRow(i, p)
	}
	a := &baseline.Kernel{Classifier: instance.Voters(b, c, 1)}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := a.PerturbAll(b.Context(), x); err != nil {
			b.Fatal(err)
		}
	}
}
