package trees

import (
	"errors"
	"fmt"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/precise"
)

// Chances say how the probabilities of the classes are computed, as the library that trained the
// trees predicts them. The numbers that the vote compares do not tell: a library may take sums for
// probabilities, or make these of them in one way or another. Below s is the sum of a class, the
// mean of a Soft vote, times Scale.
type Chances int

const (
	// OfRule stands for AsVoted of a Soft or Hard vote, Logit of a Logistic one and Odds of a
	// Softmax one. Of a Sum it says that they are not known.
	OfRule     Chances = iota
	NoChances          // the library has none
	AsVoted            // s
	AsRest             // of two classes: s of label 1, 1−s of label 0
	Logit              // of two: p = 1/(1+e^−d) of label 1, 1−p of label 0; d is s₁ − s₀
	Odds               // the softmax of all s: of two 1/(1+e^−d), and 1/(1+e^d) of label 0
	Folded             // of two: Odds that onnxruntime computes as 1 − 1/(1+e^−|d|) below 1/2
	OneByOne           // 1/(1+e^−s)
	Calibrated         // of two: Curve of the sum of label 1, and the rest to 1
)

// errUnknown has the advice for a model whose file does not define probabilities.
var errUnknown = fmt.Errorf("the vote is by sums, and nothing says how they make probabilities: "+
	"read the file that the library wrote, and of scikit-learn one that is exported anew: %w",
	errors.ErrUnsupported)

// errNone names the models that have none, and those to train in their place.
var errNone = fmt.Errorf("the library predicts no probabilities with this model, or numbers that "+
	"are none: train XGBoost with binary:logistic in place of binary:hinge, vote with "+
	"voting=\"soft\", and of ONNX read the model that was converted: %w", errors.ErrUnsupported)

// Known returns how the probabilities are computed, not OfRule; an error where there are none.
func (s *Sums) Known() (Chances, error) {
	is := s.Vote.Chances
	if is == OfRule {
		is = [...]Chances{Soft: AsVoted, Hard: AsVoted, Sum: OfRule, Logistic: Logit,
			Softmax: Odds, Share: OfRule}[s.Vote.Rule]
	}
	switch {
	case is == OfRule:
		return is, errUnknown
	case is == NoChances:
		return is, errNone
	case s.Classes < 2 && is != AsVoted:
		return is, fmt.Errorf("a vote on %d class: %w", s.Classes, errors.ErrUnsupported)
	case is == AsVoted || is == AsRest:
		return is, s.checkShares(is)
	}
	return is, nil
}

// checkShares returns an error where sums or means do not lie from 0 to 1.
func (s *Sums) checkShares(is Chances) error {
	if s.Vote.Counts() {
		return nil
	}
	least, most := 0.0, 0.0
	whole := func(values []float64) (least, most float64) {
		for c, v := range values {
			if is == AsVoted || c == 1 {
				least, most = min(least, v), most+v
			}
		}
		return least, most
	}
	add := func(low, high float64) { least, most = least+low, most+high }
	add(whole(s.Vote.Base))
	for t := range s.values {
		low, high := 0.0, 0.0
		for i := range len(s.values[t]) / s.Classes {
			l, h := whole(s.Value(t, i))
			low, high = min(low, l), max(high, h)
		}
		add(low, high)
	}
	if s.Vote.Rule == Soft {
		least, most = least/s.divisor, most/s.divisor
	}
	const rounding = 1e-4 // of thousands of float32
	if least < 0 || most > 1+rounding {
		return fmt.Errorf("leaves do not hold frequencies, which add up to 1: all classes come "+
			"to %.6g at most, and one to %.6g at least; of a model of scikit-learn, export it "+
			"anew: %w", most, least, errors.ErrUnsupported)
	}
	return nil
}

// scaled returns s of the sum of a class, or of a sum of differences between classes.
func (s *Sums) scaled(sum float64) float64 {
	if s.Vote.Rule == Soft || s.Vote.Counts() {
		sum = s.Vote.rounded(sum / s.divisor)
	}
	return s.Vote.scaled(sum)
}

// scaled multiplies by Scale.
func (v *Vote) scaled(sum float64) float64 {
	if v.Scale == 0 {
		return sum
	}
	return v.rounded(v.Scale * sum)
}

// Probabilities returns a function that turns sums into the probabilities of the classes, in place.
func (s *Sums) Probabilities() (func(sum []float64), error) {
	is, err := s.Known()
	if err != nil {
		return nil, err
	}
	if is == Odds && s.Classes > 2 {
		return func(sum []float64) {
			for c := range sum {
				sum[c] = s.scaled(sum[c])
			}
			s.Vote.softmax(sum)
		}, nil
	}
	return func(sum []float64) {
		all := slices.Clone(sum)
		for c := range sum {
			one := s.One(is, c)
			sum[c] = s.Vote.link(one.Link, s.scaled(one.Of(all)))
		}
	}, nil
}

// One is how a single sum makes the probability of a class: the number that each leaf adds to it,
// and the function of it.
type One struct {
	Of   func(values []float64) float64
	Link Link
}

// One returns that of a class, of all Chances but Odds of several classes.
func (s *Sums) One(is Chances, class int) One {
	sign := float64(2*class - 1) // of two classes
	margin := func(values []float64) float64 { return sign * (values[1] - values[0]) }
	own := func(values []float64) float64 { return values[class] }
	switch {
	case is == AsRest && class == 0:
		return One{func(values []float64) float64 { return -values[1] }, Rest}
	case is == Logit && class == 0:
		return One{margin, SigmoidRest}
	case is == Logit, is == Odds:
		return One{margin, Sigmoid}
	case is == Folded:
		return One{margin, FoldedSigmoid}
	case is == OneByOne:
		return One{own, Sigmoid}
	case is == Calibrated && class == 0:
		return One{func(values []float64) float64 { return -values[1] }, CurveRest}
	case is == Calibrated:
		return One{own, Curved}
	}
	return One{own, Identity}
}

// Odds returns trees whose sums have the margins that make the probability of a class by a softmax,
// and its number among them. They are those of s, rounded once more where these are scaled.
func (e *Ensemble[T]) Odds(is Chances, class int) (*Ensemble[T], int, error) {
	factor := 1.0
	if e.Vote.Scale != 0 {
		factor = e.Vote.Scale
	}
	if e.Vote.Rule == Soft {
		factor /= e.divisor
	}
	if factor == 1 && is != OneByOne && e.Vote.Rule != Soft {
		return e, class, nil
	}
	vote := Vote{Rule: Softmax, Single: e.Vote.Single, Scale: factor}
	classes, own := e.Classes, class
	if is == OneByOne { // against a sum that stays 0
		classes, class = 2, 1
	}
	of := func(to, values []float64) []float64 {
		if is == OneByOne {
			values = []float64{0, values[own]}
		}
		for _, v := range values {
			to = append(to, vote.rounded(factor*v))
		}
		return to
	}
	c := e.changed(classes, of)
	c.Vote = vote
	if err := c.start(of(nil, e.Vote.Base)); err != nil {
		return nil, 0, FaultOf(err)
	}
	return c, class, nil
}

// checkChances returns an error for probabilities that a vote on so many classes cannot have.
func (v *Vote) checkChances(classes int) error {
	two := v.Chances == AsRest || v.Chances == Logit || v.Chances == Folded ||
		v.Chances == Calibrated
	switch {
	case v.Chances < OfRule || v.Chances > Calibrated:
		return fmt.Errorf("probabilities %d", v.Chances)
	case two && classes != 2:
		return fmt.Errorf("probabilities of two classes, of %d", classes)
	case v.Chances == Calibrated && (v.Scale != 0 || v.Single || v.Rule != Sum):
		return errors.New("calibrated probabilities of a vote that is not by sums of float64")
	case v.Chances == Calibrated || v.Curve != nil:
		return v.Curve.check()
	case v.Scale != 0 && (v.Chances == AsVoted || v.Chances == AsRest):
		return errors.New("a scale of what is a probability as it is")
	case v.Scale != 0 && !(v.Scale > 0 && precise.Finite(v.Scale)):
		return fmt.Errorf("a scale of %v, want a finite number above 0", v.Scale)
	}
	return nil
}
