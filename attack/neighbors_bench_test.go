package attack_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/attack/explain"
	"github.com/seed-1a7dc1f9/facet/internal/testing/fixture"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
)

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
// the times, and means of what was counted.
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
