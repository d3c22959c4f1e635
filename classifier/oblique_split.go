package classifier

import (
	"math"
	"slices"
)

// obliqueSplit is the test of an inner node, and the form of it that cells are
// made of: a direction, and the border that parts the low side of its line from
// the high one.
//
// With a single weight that is not zero the direction is that feature and the
// border is the last float64 on the low side of the rounded product, so that cells
// agree with predictions to the last bit. With several the direction is the vector
// of the weights, its first one made positive.
type obliqueSplit struct {
	weights   []float64
	threshold float64
	direction obliqueDirection
	border    border // infinite when all inputs are on the low side
	leftIsLow bool
}

func newObliqueSplit(weights []float64, threshold float64) obliqueSplit {
	s := obliqueSplit{weights: weights, threshold: threshold}
	first := slices.IndexFunc(weights, nonzero)
	switch {
	case first < 0:
		s.settle(0 <= threshold)
	case slices.IndexFunc(weights[first+1:], nonzero) < 0:
		s.direction.feature = first
		s.alongFeature(weights[first])
	case math.IsInf(threshold, 0):
		s.settle(threshold > 0)
	default:
		s.alongNormal(weights[first] > 0)
	}
	return s
}

func nonzero(w float64) bool { return w != 0 }

// settle makes all inputs go left, or all right.
func (s *obliqueSplit) settle(left bool) {
	s.border, s.leftIsLow = border{end: math.Inf(1), closed: true}, left
}

// settled reports whether all inputs go one way.
func (s *obliqueSplit) settled() bool { return math.IsInf(s.border.end, 1) }

// alongFeature finds the border of weight·x ≤ threshold, rounded as in predictions.
func (s *obliqueSplit) alongFeature(weight float64) {
	last, any := lastProduct(math.Abs(weight), s.threshold)
	switch {
	case !any:
		s.settle(false)
	case last == math.MaxFloat64:
		s.settle(true)
	case weight > 0:
		s.border, s.leftIsLow = border{end: last, closed: true}, true
	default: // x < −last goes right
		s.border = border{end: -last}
	}
}

func (s *obliqueSplit) alongNormal(positive bool) {
	negated := make([]float64, len(s.weights))
	for j, w := range s.weights {
		negated[j] = -w
	}
	if positive {
		s.direction = obliqueDirection{normal: s.weights, opposite: negated}
		s.border, s.leftIsLow = border{end: s.threshold, closed: true}, true
	} else {
		s.direction = obliqueDirection{normal: negated, opposite: s.weights}
		s.border = border{end: -s.threshold}
	}
}

// lastProduct returns the largest finite x with weight·x ≤ t in float64, for a
// positive weight; false when there is none. It bisects the numbered float64.
func lastProduct(weight, t float64) (x float64, ok bool) {
	hi := int64(math.Float64bits(math.MaxFloat64))
	lo := -hi
	if !(weight*numbered(lo) <= t) {
		return 0, false
	}
	for lo < hi {
		if middle := (lo >> 1) + (hi >> 1) + 1; weight*numbered(middle) <= t {
			lo = middle
		} else {
			hi = middle - 1
		}
	}
	return numbered(lo), true
}

// numbered returns the i-th float64 above 0, or the −i-th below.
func numbered(i int64) float64 {
	if i < 0 {
		return -math.Float64frombits(uint64(-i))
	}
	return math.Float64frombits(uint64(i))
}

// left reports whether x goes left.
func (s *obliqueSplit) left(x []float64) bool {
	if s.direction.normal != nil {
		return dotProduct(s.weights, x) <= s.threshold
	}
	return s.border.low(x[s.direction.feature]) == s.leftIsLow
}

// low reports whether v lies below the border.
func (b border) low(v float64) bool { return v < b.end || (b.closed && v == b.end) }

// dotProduct is the sum that predictions are made with.
func dotProduct(w, x []float64) float64 {
	x = x[:len(w)]
	var sum float64
	for j, e := range w {
		sum += float64(e * x[j])
	}
	return sum
}

// sure reports whether x goes the same way in whatever order and precision from
// float64 on the products are summed.
func (s *obliqueSplit) sure(x []float64) bool {
	if s.direction.normal == nil {
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
