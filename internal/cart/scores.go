package cart

import "math"

// scores ranks the splits of a node without scikit-learn's arithmetic, which
// takes a logarithm for every class at every threshold. Up to rounding, less
// impurity left is a higher score. potential[k] is the term of k rows of one class on one side of
// the split: k·ln k or k²; whole numbers, so that they can be added and taken off in any order.
type scores struct {
	criterion Criterion
	potential []int64
	// slack is the difference up to which rounding may have swapped two scores.
	slack float64
}

// newScores prepares for nodes of up to n rows. The slack is twice the largest rounding error, with
// u = 2⁻⁵³: scikit-learn's sum over C classes is off by less than n·u·(2 + (C+4)·log₂ C), a score
// by less than n·u·400, and 128·(C+16) is more than twice both factors.
func newScores(c Criterion, n, classes int) *scores {
	s := &scores{criterion: c, potential: make([]int64, n+1)}
	scale := 1.0
	if c == Entropy {
		_, exponent := math.Frexp(float64(n) * math.Log(float64(n)+1))
		scale = math.Ldexp(1, potentialBits-exponent)
	}
	for k := range s.potential {
		if c == Gini {
			s.potential[k] = int64(k) * int64(k)
		} else if k > 0 {
			s.potential[k] = int64(float64(k) * math.Log(float64(k)) * scale)
		}
	}
	s.slack = float64(n) * float64(classes+16) * 128 * 0x1p-53 * scale
	return s
}

// potentialBits is how many bits the largest potential of entropy may have.
const potentialBits = 60

// of returns the score of a split into sides of so many rows with these sums of
// potentials.
func (s *scores) of(left, right int, leftSum, rightSum int64) float64 {
	if s.criterion == Gini {
		return float64(leftSum)/float64(left) + float64(rightSum)/float64(right)
	}
	return float64(leftSum - s.potential[left] + rightSum - s.potential[right])
}
