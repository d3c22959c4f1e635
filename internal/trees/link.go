package trees

import (
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/precise"
)

// Link says what becomes of the sum, or the mean, of a regressor's trees. None decreases as
// that grows, in the arithmetic of the sums either.
type Link int

const (
	Identity     Link = iota
	Exponential       // e^s
	Sigmoid           // 1/(1+e^−s)
	SignedSquare      // s·|s|
)

// Output returns what a sum of one class means, that of a Soft vote the mean of the trees.
func (s *Sums) Output(link Link, sum float64) float64 {
	v := &s.Vote
	if v.Rule == Soft {
		sum = v.rounded(sum / s.divisor)
	}
	switch link {
	case Exponential:
		return v.rounded(precise.Exp(sum))
	case Sigmoid:
		// XGBoost keeps the exponential from overflowing.
		if sum = -sum; v.Single {
			sum = min(sum, float64(float32(88.7)))
		}
		return v.rounded(1 / v.rounded(1+v.rounded(precise.Exp(sum))))
	case SignedSquare:
		return v.rounded(sum * math.Abs(sum))
	}
	return sum
}

// Below returns the largest sum of one class whose output is less than t. Where all sums of
// the trees mean less, or none does, it returns one beyond them on that side.
func (s *Sums) Below(link Link, t float64) float64 {
	most := 2*s.size[0] + 1
	less := func(sum float64) bool { return s.Output(link, s.Vote.rounded(sum)) < t }
	if less(most) {
		return most
	}
	low, high := ordered(-most), ordered(most)
	for low+1 < high { // high does not mean less, and low does, or is the first
		if middle := low&high + (low^high)>>1; less(number(middle)) {
			low = middle
		} else {
			high = middle
		}
	}
	return s.Vote.rounded(number(low))
}
