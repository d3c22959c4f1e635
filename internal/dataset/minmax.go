package dataset

import (
	"fmt"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// MinMax maps each feature affinely, taking the range it had in the training
// rows to [0, 1]. Other rows may leave [0, 1].
//
// Feature j becomes x·s + (−min·s) with s = 1/(max − min), each product
// rounded to float64 before the sum; a constant feature has s = 1. That is
// the arithmetic of the paper's experiments, on which it depends which
// scaled points tie.
type MinMax struct {
	Scale []float64 // s, per feature
	Shift []float64 // −min·s, per feature
}

// FitMinMax fits the scaling to the rows of train, as far as they are not missing. A category, of
// which codes has the number of its codes, stays as it is: codes are names, and have no range. It
// returns an error when there are no rows, or when a feature's range is so small or large that s
// or the shift is not a finite number.
func FitMinMax(train *Set, codes []int) (*MinMax, error) {
	if err := checkSome(train.Rows, train.Dim); err != nil {
		return nil, fmt.Errorf("fitting the scaling: %w", err)
	}
	m := &MinMax{Scale: make([]float64, train.Dim), Shift: make([]float64, train.Dim)}
	low, high := train.ends()
	for j := range train.Dim {
		s := 1.0
		switch {
		case j < len(codes) && codes[j] > 0, low[j] > high[j]: // all are missing
			low[j] = 0
		case low[j] < high[j]:
			s = 1 / (high[j] - low[j])
		}
		m.Scale[j], m.Shift[j] = s, -low[j]*s
		if s == 0 || !precise.Finite(s) || !precise.Finite(m.Shift[j]) {
			return nil, &polytope.FeatureError{Feature: j, What: fmt.Sprintf(
				"ranges from %v to %v, which cannot be scaled to [0, 1]", low[j], high[j],
			)}
		}
	}
	return m, nil
}

// Widths returns how far the values of each feature lie apart, and the features of the smallest and
// the largest finite width above 0, −1 if there are none.
func (s *Set) Widths() (widths []float64, narrowest, widest int) {
	low, high := s.ends()
	widths, narrowest, widest = make([]float64, s.Dim), -1, -1
	for j := range widths {
		switch widths[j] = high[j] - low[j]; {
		case !(widths[j] > 0) || math.IsInf(widths[j], 0):
		case widest < 0:
			narrowest, widest = j, j
		case widths[j] < widths[narrowest]:
			narrowest = j
		case widths[j] > widths[widest]:
			widest = j
		}
	}
	return widths, narrowest, widest
}

// ends returns the smallest and the largest value of each feature, +Inf and −Inf where all are
// missing.
func (s *Set) ends() (low, high []float64) {
	low = slices.Repeat([]float64{math.Inf(1)}, s.Dim)
	high = slices.Repeat([]float64{math.Inf(-1)}, s.Dim)
	for i := range s.Rows {
		for j, v := range s.Row(i) {
			if !math.IsNaN(v) {
				low[j], high[j] = min(low[j], v), max(high[j], v)
			}
		}
	}
	return low, high
}

// At returns a value of a feature, scaled. The conversion keeps compilers from fusing product and
// sum.
func (m *MinMax) At(j int, v float64) float64 { return float64(v*m.Scale[j]) + m.Shift[j] }

// Row returns a scaled copy of a row.
func (m *MinMax) Row(x []float64) ([]float64, error) {
	s, err := m.Apply(&Set{Data: x, Rows: 1, Dim: len(x)})
	if err != nil {
		return nil, err
	}
	return s.Data, nil
}

// Apply returns a scaled copy of a set. It returns an error when the set has
// another number of features than the training rows, or a scaled value
// overflows.
func (m *MinMax) Apply(s *Set) (*Set, error) {
	if s.Dim != len(m.Scale) {
		return nil, fmt.Errorf("the rows have %d features, but the scaling was fitted to %d",
			s.Dim, len(m.Scale))
	}
	out := &Set{
		Data:   make([]float64, len(s.Data)),
		Rows:   s.Rows,
		Dim:    s.Dim,
		Labels: slices.Clone(s.Labels),
	}
	for i := range s.Rows {
		row := out.Row(i)
		for j, x := range s.Row(i) {
			if row[j] = m.At(j, x); !precise.Finite(row[j]) {
				return nil, fmt.Errorf(
					"row %d: the value %v of feature %d overflows when scaled by %v",
					i, x, j, m.Scale[j],
				)
			}
		}
	}
	return out, nil
}
