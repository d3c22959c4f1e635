package trees

import (
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/precise"
)

// Link is the function of the sum, or the mean, of a regressor's trees. None decreases as that
// grows, in the arithmetic of the sums either.
type Link int

const (
	Identity      Link = iota
	Exponential        // e^s
	Sigmoid            // 1/(1+e^−s)
	SignedSquare       // s·|s|
	Rest               // 1+s: the rest of a share −s
	SigmoidRest        // 1−1/(1+e^s): the rest of the probability of the other of two
	FoldedSigmoid      // SigmoidRest below 0, and else Sigmoid, as onnxruntime computes it
	Isolation          // −2^−s: the score of a row by scaled depths in an isolation forest
	Curved             // Vote.Curve of s
	CurveRest          // 1 less that of −s
)

// Output returns the output that a sum of one class stands for; that of a Soft vote is the mean of
// the trees.
func (s *Sums) Output(link Link, sum float64) float64 {
	if s.Vote.Rule == Soft {
		sum = s.Vote.rounded(sum / s.divisor)
	}
	return s.Linked(link, sum)
}

// Linked returns the output for a sum, or for a mean.
func (s *Sums) Linked(link Link, v float64) float64 { return s.Vote.link(link, s.Vote.scaled(v)) }

// link applies a link to a scaled sum.
func (v *Vote) link(link Link, s float64) float64 {
	switch link {
	case Exponential:
		return v.rounded(precise.Exp(s))
	case Sigmoid:
		return v.sigmoid(s)
	case SignedSquare:
		return v.rounded(s * math.Abs(s))
	case Rest:
		return v.rounded(1 + s)
	case FoldedSigmoid:
		if s >= 0 {
			return v.sigmoid(s)
		}
		return v.rounded(1 - v.sigmoid(-s))
	case Isolation:
		return v.rounded(-precise.Exp(-s * math.Ln2))
	case SigmoidRest:
		return v.rounded(1 - v.sigmoid(-s))
	case Curved:
		return v.Curve.of(s)
	case CurveRest:
		return 1 - v.Curve.of(-s)
	}
	return s
}

// sigmoid returns 1/(1+e^−s). XGBoost keeps the exponential from overflowing.
func (v *Vote) sigmoid(s float64) float64 {
	if s = -s; v.Single {
		s = min(s, float64(float32(88.7)))
	}
	return v.rounded(1 / v.rounded(1+v.rounded(precise.Exp(s))))
}

// Below returns the largest sum of one class whose output is less than t. Where all sums of
// the trees mean less, or none does, it returns one beyond them on that side.
func (s *Sums) Below(link Link, t float64) float64 {
	most := 2*s.size[0] + 1
	sum := func(v float64) float64 { return s.Vote.rounded(min(max(v, -most), most)) }
	v, any := precise.Last(func(v float64) bool { return s.Output(link, sum(v)) < t })
	if !any {
		return sum(-most)
	}
	return sum(v)
}
