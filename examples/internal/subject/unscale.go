package subject

import (
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/dataset"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Unscale returns an example for a test row in the units of the file. What the example leaves as it
// is in the row keeps the very value of the file. The rest is rounded, away from the row if need
// be: scaled again, the classifier labels it as it labels the example. It lies in the domain, in
// the same units, nil for any.
func (s *Subject) Unscale(row int, example []float64, label int, domain polytope.Box) []float64 {
	if s.Scaling == nil {
		return example
	}
	x, raw := s.Test.Row(row)
	out := make([]float64, len(example))
	move := func(j int, v float64) {
		if domain != nil {
			v = domain[j].Closest(v)
		}
		out[j] = v
	}
	for j, v := range example {
		out[j] = raw[j]
		if v != x[j] {
			move(j, (v-s.Scaling.Shift[j])/s.Scaling.Scale[j])
		}
	}
	const most = 1 << 20 // units in the last place: 1e-10 of a value
	for far := 1.0; far <= most; far *= 2 {
		if s.labels(out) == label {
			return out
		}
		for j, v := range example {
			if v != x[j] {
				move(j, beyond(out[j], v > x[j], far))
			}
		}
	}
	return out
}

// UnscaleInterval returns the values of a feature in the units of the file that lie in a closed
// interval once they are scaled.
func (s *Subject) UnscaleInterval(j int, i polytope.Interval) polytope.Interval {
	if s.Scaling == nil {
		return i
	}
	scaled := func(v float64) float64 {
		return float64(v*s.Scaling.Scale[j]) + s.Scaling.Shift[j]
	}
	if last, ok := precise.Last(func(v float64) bool { return scaled(v) < i.Lo }); ok {
		i.Lo = math.Nextafter(last, math.Inf(1))
	}
	if !math.IsInf(i.Hi, 1) {
		i.Hi, _ = precise.Last(func(v float64) bool { return scaled(v) <= i.Hi })
	}
	return i
}

// beyond moves a value up or down by some units in its last place.
func beyond(v float64, up bool, units float64) float64 {
	step := units * (math.Nextafter(math.Abs(v), math.Inf(1)) - math.Abs(v))
	if up {
		return v + step
	}
	return v - step
}

// labels returns the class of a point in the units of the file.
func (s *Subject) labels(raw []float64) int {
	scaled, err := s.Scaling.Apply(&dataset.Set{Data: slices.Clone(raw), Rows: 1, Dim: len(raw)})
	if err != nil {
		return -1
	}
	return s.Classifier.Predict(scaled.Data)
}
