package classifier

import (
	"fmt"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// Vote says how an Ensemble turns the sums of what its trees contribute into a label.
type Vote int

const (
	// SoftVote averages the class frequencies of the leaves, as scikit-learn's
	// RandomForestClassifier.
	SoftVote Vote = iota
	// HardVote lets every tree vote for the label that it predicts (Breiman, 2001).
	HardVote
	// SumVote adds up leaf values; the class with the largest sum wins. Boosted trees
	// of several classes have leaves with a value for one class and zeros.
	SumVote
	// LogisticVote is SumVote for boosted trees of two classes whose leaves have a value
	// for label 1 only: label 1 wins when its probability 1/(1+exp(−sum)), computed
	// in the arithmetic of the sums, exceeds 1/2. That differs from SumVote within a
	// rounding error of a tie.
	LogisticVote
	// SoftmaxVote is SumVote for libraries that compare the probabilities exp(sum) instead
	// of the sums, which differs within a rounding error of a tie.
	SoftmaxVote
)

// EnsembleOptions say how the trees of an Ensemble decide together. The zero
// value is the soft vote of scikit-learn's random forests.
type EnsembleOptions struct {
	Vote Vote
	// Base is what the sum of each class starts from, nil for zeros.
	Base []float64
	// Single rounds values and sums to float32, as XGBoost does.
	Single bool
}

// vote returns the options as plain data.
func (o *EnsembleOptions) vote() trees.Vote {
	return trees.Vote{Rule: trees.Rule(o.Vote), Base: o.Base, Single: o.Single}
}

// fewClasses is how many classes Predict needs no memory of its own for.
const fewClasses = 16

func (o *EnsembleOptions) check(classes int) error {
	switch {
	case o.Vote < SoftVote || o.Vote > SoftmaxVote:
		return fmt.Errorf("vote %d", o.Vote)
	case o.Vote == LogisticVote && classes != 2:
		return fmt.Errorf("a logistic vote on %d classes, want 2", classes)
	case o.Base != nil && len(o.Base) != classes:
		return fmt.Errorf("%d base values for %d classes", len(o.Base), classes)
	case o.Base != nil && (o.Vote == SoftVote || o.Vote == HardVote):
		return fmt.Errorf("base values in a vote that has none")
	}
	for c, v := range o.Base {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("base value of class %d is %v", c, v)
		}
	}
	return nil
}

// rounded rounds a value to the arithmetic of the sums.
func (o *EnsembleOptions) rounded(v float64) float64 {
	if o.Single {
		return float64(float32(v))
	}
	return v
}

// largest is the largest sum that the arithmetic holds, with room for the
// difference of two.
func (o *EnsembleOptions) largest() float64 {
	if o.Single {
		return math.MaxFloat32
	}
	return math.MaxFloat64 / 4
}

func (o *EnsembleOptions) round(values []float64) {
	if !o.Single {
		return
	}
	for i, v := range values {
		values[i] = o.rounded(v)
	}
}

// decide returns the label that the sums of so many trees vote for. It uses sum as
// scratch space.
func (o *EnsembleOptions) decide(sum []float64, trees int) int {
	switch o.Vote {
	case SoftVote:
		for c := range sum {
			sum[c] /= float64(trees)
		}
	case LogisticVote:
		if sum[1]-sum[0] > o.evenMargin() {
			return 1
		}
		return 0
	case SoftmaxVote:
		o.softmax(sum)
	}
	best := 0
	for c, v := range sum {
		if v > sum[best] {
			best = c
		}
	}
	return best
}

// evenMargin is the largest margin whose probability 1/(1+exp(−margin)), rounded
// after every step, does not exceed 1/2.
func (o *EnsembleOptions) evenMargin() float64 {
	if o.Single {
		return 0x1.8p-24
	}
	return 0x1.8p-53
}

// softmax turns sums into probabilities, rounded after every step.
func (o *EnsembleOptions) softmax(sum []float64) {
	most, total := slices.Max(sum), 0.0
	for c := range sum {
		sum[c] = o.rounded(math.Exp(sum[c] - most))
		total = o.rounded(total + sum[c])
	}
	for c := range sum {
		sum[c] = o.rounded(sum[c] / total)
	}
}

// blur bounds by how much the sums of two classes may differ in favour of one and
// the other still win, because probabilities are rounded.
func (o *EnsembleOptions) blur() float64 {
	switch {
	case o.Vote != LogisticVote && o.Vote != SoftmaxVote:
		return 0
	case o.Single:
		return 0x1p-21
	}
	return 0x1p-50
}
