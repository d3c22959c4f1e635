package metrics_test

import (
	"math"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/metrics"
)

var (
	skipped = metrics.Point{TrueLabel: 1, Result: attack.Result{Distance: inf}}
	proven  = metrics.Point{
		Attacked: true,
		Result:   attack.Result{Distance: inf, Bound: inf, Status: attack.StatusNone},
	}
	missed = metrics.Point{Attacked: true, Result: attack.Result{Distance: inf, Bound: 0.25}}
	wrong  = metrics.Point{
		TrueLabel: 1,
		Attacked:  true,
		Result:    attack.Result{Distance: 8, Bound: 8, Status: attack.StatusOptimal},
	}
)

func TestEmpiricalRobustness(t *testing.T) {
	nan := math.NaN()
	tests := []struct {
		name   string
		points []metrics.Point
		want   metrics.Robustness
	}{
		{"optimal", []metrics.Point{found(1, 1), found(0.5, 0.5)}, metrics.Robustness{
			Mean:      0.75,
			MeanBound: 0.75,
			Attacked:  2,
			Found:     2,
			Optimal:   2,
		}},
		{"limit", []metrics.Point{found(1, 0.5), found(3, 3)}, metrics.Robustness{
			Mean:      2,
			MeanBound: 1.75,
			Attacked:  2,
			Found:     2,
			Optimal:   1,
		}},
		{"bounds without a distance stay out", []metrics.Point{missed, found(2, 1), proven},
			metrics.Robustness{Mean: 2, MeanBound: 1, Attacked: 3, Found: 1, Optimal: 1, None: 1}},
		{"skipped", []metrics.Point{skipped, found(4, 4), skipped}, metrics.Robustness{
			Mean:      4,
			MeanBound: 4,
			Attacked:  1,
			Found:     1,
			Optimal:   1,
		}},
		{"misclassified but attacked", []metrics.Point{wrong}, metrics.Robustness{
			Mean:      8,
			MeanBound: 8,
			Attacked:  1,
			Found:     1,
			Optimal:   1,
		}},
		{"radius 0", []metrics.Point{found(0, 0)}, metrics.Robustness{
			Attacked: 1,
			Found:    1,
			Optimal:  1,
		}},
		{"nothing found", []metrics.Point{missed, proven}, metrics.Robustness{
			Mean:      nan,
			MeanBound: nan,
			Attacked:  2,
			Optimal:   1,
			None:      1,
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := metrics.EmpiricalRobustness(tt.points)
			if err != nil {
				t.Fatal(err)
			}
			if math.IsNaN(tt.want.Mean) && math.IsNaN(got.Mean) && math.IsNaN(got.MeanBound) {
				got.Mean, got.MeanBound, tt.want.Mean, tt.want.MeanBound = 0, 0, 0, 0
			}
			if got != tt.want {
				t.Errorf("EmpiricalRobustness = %+v, want %+v", got, tt.want)
			}
		})
	}
}

// ofSeven is how many of seven points are robust at r.
type ofSeven struct{ r, certified, possible float64 }

func checkShares(
	t *testing.T, share func([]metrics.Point, float64) (metrics.Share, error), wants []ofSeven,
) {
	t.Helper()
	points := []metrics.Point{found(1, 1), found(0.5, 0.25), proven, missed, skipped, wrong, {
		Predicted: 1,
		TrueLabel: 1,
	}}
	for _, tt := range wants {
		got, err := share(points, tt.r)
		want := metrics.Share{Certified: tt.certified / 7, Possible: tt.possible / 7}
		if err != nil || got != want {
			t.Errorf("at %v: %+v, %v, want %+v", tt.r, got, err, want)
		}
	}
}

func TestAstuteness(t *testing.T) {
	checkShares(t, metrics.Astuteness, []ofSeven{
		{0, 4, 5},
		{0.25, 4, 5},
		{math.Nextafter(0.25, 1), 2, 5},
		{0.5, 2, 5},
		{0.6, 2, 4},
		{1, 2, 4},
		{math.Nextafter(1, 2), 1, 3},
		{inf, 1, 3},
	})
}

func TestRobustAccuracy(t *testing.T) {
	checkShares(t, metrics.RobustAccuracy, []ofSeven{
		{0, 4, 5}, // a point has its own label
		{math.Nextafter(0.25, 0), 4, 5},
		{0.25, 2, 5}, // an example may lie at the bound
		{0.49, 2, 5},
		{0.5, 2, 4},
		{0.9, 2, 4},
		{1, 1, 3},
		{inf, 1, 3},
	})
}

func TestDefscore(t *testing.T) {
	tests := []struct{ defended, undefended, want float64 }{
		{0.375, 0.035, 0.375 / 0.035},
		{0.1, 0.2, 0.5},
		{0, 1, 0},
	}
	for _, tt := range tests {
		if got, err := metrics.Defscore(tt.defended, tt.undefended); err != nil || got != tt.want {
			t.Errorf("Defscore(%v, %v) = %v, %v, want %v",
				tt.defended, tt.undefended, got, err, tt.want)
		}
	}
}

func TestNumberFaults(t *testing.T) {
	nan := math.NaN()
	robustness := func(p ...metrics.Point) error {
		_, err := metrics.EmpiricalRobustness(p)
		return err
	}
	astuteness := func(r float64, p ...metrics.Point) error {
		_, err := metrics.Astuteness(p, r)
		return err
	}
	robust := func(r float64, p ...metrics.Point) error {
		_, err := metrics.RobustAccuracy(p, r)
		return err
	}
	defscore := func(a, b float64) error { _, err := metrics.Defscore(a, b); return err }
	at := func(row int, distance, bound float64) metrics.Point {
		p := found(distance, bound)
		p.Row = row
		return p
	}
	tests := []struct {
		name string
		got  error
		want error
		text string
	}{
		{"no points", robustness(), classifier.ErrEmpty, "no point was attacked"},
		{"none attacked", robustness(skipped), classifier.ErrEmpty, "no point was attacked"},
		{"NaN distance", robustness(found(1, 1), at(17, nan, 0)), classifier.ErrOption,
			"row 17: distance NaN"},
		{"negative bound", robustness(at(3, 1, -1)), classifier.ErrOption, "row 3: bound -1"},
		{"astuteness of nothing", astuteness(1), classifier.ErrEmpty, "astuteness"},
		{"NaN radius", astuteness(nan, proven), classifier.ErrOption, "radius NaN"},
		{"negative radius", astuteness(-1, proven), classifier.ErrOption, "radius -1"},
		{"robust accuracy of nothing", robust(1), classifier.ErrEmpty, "robust accuracy"},
		{"robust at NaN", robust(nan, proven), classifier.ErrOption,
			"robust accuracy at radius NaN"},
		{"astuteness of NaN", astuteness(1, at(5, 1, nan)), classifier.ErrOption,
			"row 5: bound NaN"},
		{"astuteness of a negative distance", astuteness(1, at(5, -1, 0)), classifier.ErrOption,
			"row 5: distance -1"},
		{"undefended 0", defscore(1, 0), classifier.ErrOption, "over 0"},
		{"defended NaN", defscore(nan, 1), classifier.ErrOption, "NaN over 1"},
		{"undefended NaN", defscore(1, nan), classifier.ErrOption, "1 over NaN"},
		{"defended infinite", defscore(inf, 1), classifier.ErrOption, "+Inf"},
		{"undefended infinite", defscore(1, inf), classifier.ErrOption, "+Inf"},
		{"negative", defscore(-1, 1), classifier.ErrOption, "-1 over 1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { checkError(t, tt.got, tt.want, tt.text) })
	}
}
