package dataset

import (
	"math"
	"slices"
	"testing"
)

func TestMinMax(t *testing.T) {
	train := &Set{Rows: 3, Dim: 3, Labels: []float64{1, 2, 3}, Data: []float64{
		1, 5, 0.1,
		4, 5, 0.2,
		2, 5, 0.3,
	}}
	m, err := FitMinMax(train, nil)
	if err != nil {
		t.Fatal(err)
	}
	// 1/(0.3−0.1) is rounded before it multiplies, so the largest value of the
	// last feature need not become 1 exactly.
	third, tenth, threeTenths := 1./3, 0.1, 0.3
	s := 1 / (threeTenths - tenth)
	shift := -tenth * s
	got, err := m.Apply(train)
	if err != nil {
		t.Fatal(err)
	}
	checkSet(t, got, 3, []float64{
		0, 0, 0,
		float64(4*third) - third, 0, float64(0.2*s) + shift,
		float64(2*third) - third, 0, float64(threeTenths*s) + shift,
	}, train.Labels)

	other := &Set{Rows: 1, Dim: 3, Labels: []float64{7}, Data: []float64{-2, 6.5, 0.1}}
	got, err = m.Apply(other)
	if err != nil {
		t.Fatal(err)
	}
	checkSet(t, got, 3, []float64{-1, 1.5, 0}, []float64{7})
	if other.Data[0] != -2 {
		t.Errorf("Apply changed its argument: %v", other.Data)
	}
}

// TestMinMaxKeepsCodes: codes of categories stay as they are, and missing values have no part in a
// range; a feature that is always missing keeps its unit.
func TestMinMaxKeepsCodes(t *testing.T) {
	nan := math.NaN()
	train := &Set{Rows: 3, Dim: 4, Data: []float64{
		nan, 7, nan, -1e308,
		4, 2, nan, 1e308,
		2, 3, nan, 0,
	}}
	m, err := FitMinMax(train, []int{0, 8, 0, 2})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(m.Scale, []float64{0.5, 1, 1, 1}) ||
		!slices.Equal(m.Shift, []float64{-1, 0, 0, 0}) {
		t.Errorf("%+v", m)
	}
}

// TestMinMaxRoundsTheProduct has a value whose product is inexact, so that a fused
// multiply-add would give another sum.
func TestMinMaxRoundsTheProduct(t *testing.T) {
	m := &MinMax{Scale: []float64{1 + 0x1p-30}, Shift: []float64{-1}}
	x := 1 + 0x1p-30
	got, err := m.Apply(&Set{Rows: 1, Dim: 1, Data: []float64{x}, Labels: []float64{0}})
	if err != nil {
		t.Fatal(err)
	}
	fused := math.FMA(x, m.Scale[0], -1)
	if want := 0x1p-29; got.Data[0] != want || fused == want {
		t.Errorf("scaled = %v, want %v (fused: %v)", got.Data[0], want, fused)
	}
}

func TestMinMaxRefuses(t *testing.T) {
	column := func(v ...float64) *Set {
		return &Set{Rows: len(v), Dim: 1, Data: v, Labels: make([]float64, len(v))}
	}
	for _, test := range []struct {
		name         string
		train, other *Set
		want         string
	}{
		{"no rows", column(), nil, "no rows"},
		{"range overflows", column(-math.MaxFloat64, math.MaxFloat64), nil, "feature 0 ranges"},
		{"scale overflows", column(0, math.SmallestNonzeroFloat64), nil, "feature 0 ranges"},
		{"other dimension", column(0, 1),
			&Set{Rows: 1, Dim: 2, Data: []float64{1, 2}, Labels: []float64{0}}, "2 features"},
		{"value overflows", column(0, 1e-300), column(0, 1e300),
			"row 1: the value 1e+300 of feature 0"},
	} {
		t.Run(test.name, func(t *testing.T) {
			m, err := FitMinMax(test.train, nil)
			if test.other == nil {
				checkError(t, err, test.want)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			got, err := m.Apply(test.other)
			checkError(t, err, test.want)
			if got != nil {
				t.Errorf("Apply returned %v with its error", got)
			}
		})
	}
}
