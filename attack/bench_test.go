package attack_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/attack/explain"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/dataset"
	"github.com/seed-1a7dc1f9/facet/internal/nnindex"
	"github.com/seed-1a7dc1f9/facet/internal/testing/fixture"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/polytope"
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

// BenchmarkExactMoreNeighbors attacks k-NN, k > 1, at the fixtures' points, and
// reports the median of the times of the points besides.
func BenchmarkExactMoreNeighbors(b *testing.B) {
	for _, name := range []string{"australian", "cancer", "diabetes", "fourclass", "halfmoon"} {
		for _, k := range []int{3, 5, 7} {
			for _, norm := range norms {
				b.Run(fmt.Sprintf("%s/k=%d/norm=%v", name, k, norm), func(b *testing.B) {
					s := fixture.Open(b, name)
					c := instance.Voters(b, s, k)
					a := &timed{
						Attack: &attack.RegionBased{
							Classifier: c,
							Options:    attack.Options{Norm: norm, Workers: 1},
						},
					}
					points := s.Points(b)["3nn"].X
					attackAll(b, a, points, scanTime(s.Set.Train, points[0]))
					b.ReportMetric(a.median(), "median-ms")
				})
			}
		}
	}
}

// timed notes how long each point takes.
type timed struct {
	attack.Attack
	stopwatch
}

func (a *timed) Perturb(ctx context.Context, x []float64) (attack.Result, error) {
	defer a.note(time.Now())
	return a.Attack.Perturb(ctx, x)
}

// stopwatch notes times.
type stopwatch struct {
	times []time.Duration
}

func (s *stopwatch) note(start time.Time) { s.times = append(s.times, time.Since(start)) }

// median returns the median in milliseconds.
func (s *stopwatch) median() float64 {
	slices.Sort(s.times)
	return s.times[len(s.times)/2].Seconds() * 1000
}

// BenchmarkReasonsOfNeighbors asks for a reason at the fixtures' points, and reports the median of
// the times, and means of the counts.
func BenchmarkReasonsOfNeighbors(b *testing.B) {
	for _, name := range []string{"australian", "cancer", "diabetes", "fourclass", "halfmoon"} {
		for _, k := range []int{1, 3} {
			b.Run(fmt.Sprintf("%s/k=%d", name, k), func(b *testing.B) {
				s := fixture.Open(b, name)
				a := &attack.RegionBased{
					Classifier: instance.Voters(b, s, k),
					Options:    attack.Options{Timeout: 20 * time.Second},
				}
				askReasons(b, a, s.Points(b)[fmt.Sprintf("%dnn", k)].X)
			})
		}
	}
}

func askReasons(b *testing.B, a *attack.RegionBased, points [][]float64) {
	var times []time.Duration
	solves, size, open := 0, 0, 0
	for b.Loop() {
		for _, x := range points {
			begin := time.Now()
			explainer := &explain.Explainer{Classifier: a.Classifier, Options: a.Options}
			found, err := explainer.Reasons(b.Context(), x)
			if err != nil {
				b.Fatal(err)
			}
			times = append(times, time.Since(begin))
			solves, size = solves+found.Solves, size+len(found.Found[0].Features)
			open += len(found.Found[0].Undecided)
		}
	}
	b.ReportMetric(medianMS(times), "median-ms")
	b.ReportMetric(float64(solves)/float64(len(times)), "solves")
	b.ReportMetric(float64(size)/float64(len(times)), "features")
	b.ReportMetric(float64(open), "undecided")
}
