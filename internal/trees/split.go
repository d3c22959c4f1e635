package trees

import (
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/exact"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
)

// Split is the test of an inner node, and the form of it that cells are made of: a
// direction, and the border that parts the low side of its line from the high one.
//
// With a single weight that is not zero the direction is that feature, and the border parts
// float64 as their rounded products do, so that cells agree with predictions to the last bit,
// and the real numbers between two float64 as the exact products do. With several the direction is
// the vector of the weights, its first one made positive.
type Split struct {
	weights   []float64
	threshold float64
	Direction Direction
	Border    Border // infinite when all inputs are on the low side
	LeftIsLow bool
}

func newSplit(weights []float64, threshold float64) Split {
	s := Split{weights: weights, threshold: threshold}
	nonzero := func(w float64) bool { return w != 0 }
	first := slices.IndexFunc(weights, nonzero)
	switch {
	case first < 0:
		s.settle(0 <= threshold)
	case math.IsInf(threshold, 0):
		s.settle(threshold > 0)
	case !slices.ContainsFunc(weights[first+1:], nonzero):
		s.Direction.Feature = first
		s.alongFeature(weights[first])
	default:
		s.alongNormal(weights[first] > 0)
	}
	return s
}

// settle makes all inputs go left, or all right.
func (s *Split) settle(left bool) {
	s.Border, s.LeftIsLow = Border{End: math.Inf(1), Closed: true}, left
}

// Settled reports whether all inputs go one way.
func (s *Split) Settled() bool { return math.IsInf(s.Border.End, 1) }

// alongFeature finds the border of weight·x ≤ threshold: on float64 rounded as in predictions,
// between two of them exact. Rounding lets some more inputs go left, and none fewer.
func (s *Split) alongFeature(weight float64) {
	size := math.Abs(weight)
	last, any := precise.Last(func(x float64) bool { return size*x <= s.threshold })
	if !any {
		last = math.Inf(-1)
	}
	end := exact.Float(s.threshold)
	if end.Quo(end, exact.Float(size)); any && end.Cmp(exact.Float(last)) <= 0 {
		end = nil
	}
	switch {
	case weight > 0:
		s.Border, s.LeftIsLow = Border{End: last, Closed: true, Between: end}, true
	case end == nil: // x < −last goes right
		s.Border = Border{End: -last}
	default:
		s.Border = Border{End: -next(last), Between: end.Neg(end)}
	}
}

func (s *Split) alongNormal(positive bool) {
	negated := make([]float64, len(s.weights))
	for j, w := range s.weights {
		negated[j] = -w
	}
	s.Direction = Direction{Normal: s.weights, opposite: negated}
	s.Border, s.LeftIsLow = Border{End: s.threshold, Closed: true}, true
	if !positive {
		s.Direction = Direction{Normal: negated, opposite: s.weights}
		s.Border, s.LeftIsLow = Border{End: -s.threshold}, false
	}
}

// Plane returns the test of a split that is not settled as a half-space w·x ≤ t: the left side
// or, with its border, the right one.
func (s *Split) Plane(left bool) (w []float64, t float64) {
	w, t = slices.Clone(s.weights), s.threshold
	if f := s.Direction.Feature; s.Direction.Normal == nil && s.Border.Between == nil {
		w[f] = math.Copysign(1, w[f])
		t = w[f] * s.Border.End
	}
	if !left {
		for j := range w {
			w[j] = -w[j]
		}
		t = -t
	}
	return w, t
}

// left reports whether x goes left.
func (s *Split) left(x []float64) bool {
	if s.Direction.Normal != nil {
		return precise.Dot(s.weights, x) <= s.threshold
	}
	return s.Border.Low(x[s.Direction.Feature]) == s.LeftIsLow
}

// sure reports whether x goes the same way in every order and precision from float64 on the
// products are summed.
func (s *Split) sure(x []float64) bool {
	if s.Direction.Normal == nil {
		return true
	}
	sum, size := -s.threshold, math.Abs(s.threshold)
	for j, e := range s.weights {
		p := float64(e * x[j])
		sum += p
		size += math.Abs(p)
	}
	return math.Abs(sum) > 0x1p-51*float64(len(x)+2)*size
}
