package metrics_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/fixture"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/metrics"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// asks attacks the rows of halfmoon with an attack that stops where its radii are decided.
func asks(
	t *testing.T, c fixture.Case, model classifier.Classifier, o attack.Options,
	opts metrics.Options,
) []metrics.Point {
	t.Helper()
	o.Workers = 1
	opts.Norm, opts.Attack = o.Norm, &attack.RegionBased{Classifier: model, Options: o}
	points, err := metrics.Evaluate(t.Context(), model, c.Set.Test, c.Set.TestY, opts)
	if err != nil {
		t.Fatal(err)
	}
	for i := range points {
		points[i].Time = 0
	}
	return points
}

// TestRadiiOnPaperSet: asking about radii gives the verdicts that the distances of the nearest
// examples give, row by row and summed up, with any number of workers.
func TestRadiiOnPaperSet(t *testing.T) {
	c := fixture.Halfmoon(t)
	radii := []float64{0.2, 0.01, 0.1, 0.05}
	rows := make([]int, racetest.Count(60, 200))
	for i := range rows {
		rows[i] = i
	}
	yes, asked := 0, 0
	for _, name := range []string{"1nn", "3nn", "dt"} {
		model := instance.PaperModel(t, c, name)
		for _, norm := range []polytope.Norm{polytope.LInf, polytope.L2} {
			exact := asks(t, c, model, attack.Options{Norm: norm}, metrics.Options{Rows: rows})
			first := asks(t, c, model, attack.Options{Norm: norm}, metrics.Options{
				Radii: radii,
				Rows:  rows,
			})
			for _, workers := range []int{1, 7} {
				if points := asks(
					t, c, model, attack.Options{Norm: norm}, metrics.Options{
						Radii:   radii,
						Workers: workers,
						Rows:    rows,
					},
				); !reflect.DeepEqual(points, first) {
					t.Errorf("%s, %d workers: other points", name, workers)
				}
			}
			for _, r := range radii {
				robust := 0.0
				for i := range exact {
					if !exact[i].Attacked {
						continue
					}
					want := attack.Refuted
					if exact[i].Distance > r {
						want = attack.Holds
						robust++
					}
					if got := first[i].Verdict(r); got != want || exact[i].Verdict(r) != want {
						t.Errorf("%s, norm %v, row %d at %v: %v, want %v: the radius is %v",
							name, norm, i, r, got, want, exact[i].Distance)
					}
				}
				want := metrics.Share{
					Certified: robust / float64(len(exact)),
					Possible:  robust / float64(len(exact)),
				}
				if got, err := metrics.RobustAccuracy(first, r); err != nil || got != want {
					t.Errorf("%s, norm %v: robust accuracy at %v is %v, %v, want %v",
						name, norm, r, got, err, want)
				}
				yes, asked = yes+int(robust), asked+len(exact)
			}
		}
	}
	if yes < asked/10 || yes > asked*9/10 {
		t.Errorf("%d of %d answers are yes, want both", yes, asked)
	}
}

// TestRadiiAtADeadline: the deadline of a row leaves its radii undecided, all that are classified
// correctly possible, and none certified.
func TestRadiiAtADeadline(t *testing.T) {
	c := fixture.Halfmoon(t)
	model := instance.PaperModel(t, c, "3nn")
	points := asks(t, c, model, attack.Options{Timeout: time.Nanosecond}, metrics.Options{
		Radii: []float64{0.1},
	})
	accuracy, err := metrics.Accuracy(t.Context(), model, c.Set.Test, c.Set.TestY)
	if err != nil {
		t.Fatal(err)
	}
	got, err := metrics.RobustAccuracy(points, 0.1)
	if want := (metrics.Share{Possible: accuracy}); err != nil || got != want {
		t.Errorf("robust accuracy %v, %v, want %v", got, err, want)
	}
}
