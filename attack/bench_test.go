package attack_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/internal/dataset"
	"github.com/seed-1a7dc1f9/facet/internal/nnindex"
	"github.com/seed-1a7dc1f9/facet/internal/testing/fixture"
)

// scanTime measures one brute-force scan: the squared distances from x to all
// rows, and the least of them.
func scanTime(rows *mat.Dense, x []float64) time.Duration {
	n, d := rows.Dims()
	data := rows.RawMatrix().Data
	scan := func() float64 {
		least := nnindex.Squared(x, data[:d])
		for i := 1; i < n; i++ {
			least = min(least, nnindex.Squared(x, data[i*d:(i+1)*d]))
		}
		return least
	}
	scan()
	runs := 1 + 20_000_000/(n*d)
	start := time.Now()
	sum := 0.0
	for range runs {
		sum += scan()
	}
	elapsed := time.Since(start)
	runtime.KeepAlive(sum)
	return elapsed / time.Duration(runs)
}

// attackAll benchmarks the attack of the points in turn and reports figures a point.
func attackAll(b *testing.B, a attack.Attack, points [][]float64, scan time.Duration) {
	b.ReportAllocs()
	var nodes, solves, n int
	for b.Loop() {
		r, err := a.Perturb(b.Context(), points[n%len(points)])
		if err != nil {
			b.Fatal(err)
		}
		if !r.Optimal() {
			b.Fatalf("point %d is not optimal", n)
		}
		nodes += r.Nodes
		solves += r.Solves
		n++
	}
	perPoint := b.Elapsed() / time.Duration(n)
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "points/s")
	b.ReportMetric(float64(nodes)/float64(n), "nodes/point")
	b.ReportMetric(float64(solves)/float64(n), "LPs/point")
	if scan > 0 {
		b.ReportMetric(float64(perPoint)/float64(scan), "scans/point")
	}
}

func BenchmarkExactNeighbors(b *testing.B) {
	for _, name := range []string{"halfmoon", "australian", "cancer", "diabetes", "fourclass"} {
		for _, norm := range norms {
			b.Run(fmt.Sprintf("%s/norm=%v", name, norm), func(b *testing.B) {
				c := fixture.Open(b, name)
				a := &timed{Attack: &attack.RegionBased{
					Classifier: neighbors(b, c.Set.Train, c.Set.TrainY),
					Options:    attack.Options{Norm: norm, Workers: 1},
				}}
				points := c.Points(b)["1nn"].X
				scan := scanTime(c.Set.Train, points[0])
				attackAll(b, a, points, scan)
				b.ReportMetric(a.median()*1e6/float64(scan), "median-scans")
			})
		}
	}
}

// blobs draws n points of two classes.
func blobs(rng *rand.Rand, n, dim int) (*mat.Dense, []int) { return dataset.Clusters(rng, n, dim) }

// BenchmarkExactNeighborsScale grows the training set at d = 25.
func BenchmarkExactNeighborsScale(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 100_000} {
		for _, norm := range norms {
			b.Run(fmt.Sprintf("n=%d/d=25/norm=%v", n, norm), func(b *testing.B) {
				rng := rand.New(rand.NewPCG(1, uint64(n)))
				x, y := blobs(rng, n+50, 25)
				train := x.Slice(0, n, 0, 25).(*mat.Dense)
				a := &attack.RegionBased{
					Classifier: neighbors(b, train, y[:n]),
					Options:    attack.Options{Norm: norm, Workers: 1},
				}
				var points [][]float64
				for i := n; i < n+50; i++ {
					points = append(points, x.RawRowView(i))
				}
				attackAll(b, a, points, scanTime(train, points[0]))
			})
		}
	}
}
