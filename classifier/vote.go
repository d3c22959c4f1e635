package classifier

import (
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
