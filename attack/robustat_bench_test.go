package attack_test

import (
	"errors"
	"fmt"
	"io/fs"
	"testing"
	"time"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/dataset/protocol"
	"github.com/seed-1a7dc1f9/facet/internal/testing/fixture"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
)

// BenchmarkRobustAt compares the exact radius with questions about half of it, a
// hundredth less and a hundredth more.
func BenchmarkRobustAt(b *testing.B) {
	for _, set := range []string{"australian", "cancer", "diabetes", "fourclass", "halfmoon"} {
		for _, name := range []string{"1nn", "3nn", "dt", "rf"} {
			b.Run(set+"/"+name, func(b *testing.B) {
				c := fixture.Open(b, set)
				a := &attack.RegionBased{
					Classifier: instance.PaperModel(b, c, name),
					Options:    attack.Options{Workers: 1},
				}
				points, radii := c.Points(b)[name].X, c.Exact(b)[name+"_inf"]
				b.Run("exact", func(b *testing.B) {
					timed := &timed{Attack: a}
					attackAll(b, timed, points, 0)
					b.ReportMetric(timed.median(), "median-ms")
				})
				for _, share := range []float64{0.5, 0.99, 1.01, 2} {
					b.Run(fmt.Sprintf("r=%v", share),
						func(b *testing.B) { askAll(b, a, points, radii, share) })
				}
			})
		}
	}
}

// BenchmarkRobustAtDigits asks them of nearest neighbours among the 13,007 rows of mnist17.
func BenchmarkRobustAtDigits(b *testing.B) {
	s := openDigits(b)
	for _, k := range []int{1, 3} {
		c, err := classifier.TrainKNN(b.Context(), s.Train, s.TrainY, classifier.KNNOptions{K: k})
		if err != nil {
			b.Fatal(err)
		}
		a := &attack.RegionBased{Classifier: c, Options: attack.Options{Workers: 1}}
		var points [][]float64
		var radii []float64
		for i := range 50 {
			points = append(points, s.Test.RawRowView(i))
			r, err := a.Perturb(b.Context(), points[i])
			if err != nil || !r.Optimal() {
				b.Fatalf("point %d: %v, %v", i, r, err)
			}
			radii = append(radii, r.Distance)
		}
		for _, share := range []float64{0.5, 0.99, 1.01, 2} {
			b.Run(fmt.Sprintf("k=%d/r=%v", k, share),
				func(b *testing.B) { askAll(b, a, points, radii, share) })
		}
	}
}

// openDigits opens mnist17 where FACET_DATA has it.
func openDigits(b *testing.B) *protocol.Set {
	s, err := protocol.Load(b.Context(), "mnist17", protocol.Folders()...)
	if errors.Is(err, fs.ErrNotExist) {
		b.Skip("FACET_DATA does not name a folder with MNIST: ", err)
	} else if err != nil {
		b.Fatal(err)
	}
	return s
}

// askAll benchmarks questions about a share of each radius.
func askAll(
	b *testing.B, a *attack.RegionBased, points [][]float64, radii []float64, share float64,
) {
	b.ReportAllocs()
	var watch stopwatch
	for n := 0; b.Loop(); n++ {
		i := n % len(points)
		start := time.Now()
		robust, err := verdictAt(b.Context(), a, points[i], share*radii[i])
		watch.note(start)
		// A radius within the tolerance of bounds cannot be told from 0.
		if err != nil || (robust == attack.Holds) != (share < 1) && radii[i] > 1e-8 {
			b.Fatalf("point %d: %v, %v", i, robust, err)
		}
	}
	b.ReportMetric(watch.median(), "median-ms")
}

// BenchmarkRadii asks about five radii in three ways: one after the other, by the nearest example,
// and in one search that stops when all are decided.
func BenchmarkRadii(b *testing.B) {
	radii := []float64{0.02, 0.05, 0.1, 0.2, 0.3}
	for _, set := range []string{"australian", "cancer", "diabetes", "fourclass", "halfmoon"} {
		for _, name := range []string{"1nn", "3nn", "rf"} {
			c := fixture.Open(b, set)
			model, points := instance.PaperModel(b, c, name), c.Points(b)[name].X
			ways := []struct {
				name string
				ask  func(a *attack.RegionBased, x []float64) error
				o    attack.Options
			}{
				{"each", func(a *attack.RegionBased, x []float64) (err error) {
					for v, i := attack.Holds, 0; v == attack.Holds && i < len(radii) &&
						err == nil; i++ {
						v, err = verdictAt(b.Context(), a, x, radii[i])
					}
					return err
				}, attack.Options{Workers: 1}},
				{"exact", perturb(b), attack.Options{Workers: 1}},
				{"radii", func(a *attack.RegionBased, x []float64) error {
					_, err := a.RobustAt(b.Context(), x, radii...)
					return err
				}, attack.Options{Workers: 1}},
			}
			for _, way := range ways {
				b.Run(set+"/"+name+"/"+way.name, func(b *testing.B) {
					a := &attack.RegionBased{Classifier: model, Options: way.o}
					for n := 0; b.Loop(); n++ {
						if err := way.ask(a, points[n%len(points)]); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
		}
	}
}

// perturb asks for the nearest example.
func perturb(b *testing.B) func(a *attack.RegionBased, x []float64) error {
	return func(a *attack.RegionBased, x []float64) error {
		_, err := a.Perturb(b.Context(), x)
		return err
	}
}
