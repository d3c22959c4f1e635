package lightgbmfile

import (
	"fmt"
	"strings"

	"github.com/seed-1a7dc1f9/facet/internal/modelfile/models"
	"github.com/seed-1a7dc1f9/facet/internal/precise"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// regression returns the function of the sum of the trees when the output is one number; false for
// the objective of a classifier, or an unknown one. A ranking is by the sum.
func (s *section) regression(groups int) (link trees.Link, ok bool) {
	name, parameter, _ := strings.Cut(strings.TrimSpace(s.lines["objective"].value), " ")
	switch {
	case groups != 1:
		return 0, false
	case s.undecided():
		return trees.Identity, true
	case name == "regression" && parameter == "sqrt":
		return trees.SignedSquare, true
	case name == "cross_entropy" && parameter == "":
		return trees.Sigmoid, true
	}
	switch name {
	case "poisson", "gamma", "tweedie":
		return trees.Exponential, true
	case "regression", "regression_l1", "huber", "fair", "quantile", "mape", "lambdarank",
		"rank_xendcg":
		return trees.Identity, true
	}
	return 0, false
}

// undecided reports whether the objective is one of the user's own, which LightGBM does not write.
// Its predictions are sums.
func (s *section) undecided() bool {
	return strings.TrimSpace(s.lines["objective"].value) == ""
}

// adding returns Sum or, for a random forest, Soft.
func (s *section) adding() trees.Rule {
	if _, averages := s.lines["average_output"]; averages {
		return trees.Soft
	}
	return trees.Sum
}

// vote returns how the trees of so many rounds vote.
func (s *section) vote(groups, rounds int) (trees.Vote, error) {
	objective := s.lines["objective"].value
	name, parameter, _ := strings.Cut(strings.TrimSpace(objective), " ")
	switch {
	case name == "binary" && groups == 1:
		text, ok := strings.CutPrefix(parameter, "sigmoid:")
		sigmoid, err := finite(text)
		if !ok || err != nil || sigmoid <= 0 {
			return trees.Vote{}, s.errorf("objective",
				"%.40q, want binary sigmoid: and a positive number", objective)
		}
		if s.adding() == trees.Soft {
			return logistic(sigmoid, float64(rounds)), nil
		}
		return logistic(sigmoid, 1), nil
	case name == "multiclass" && groups > 1 && s.adding() == trees.Soft:
		return trees.Vote{}, s.errorf("average_output", "%w",
			models.Unsupported("a random forest of several classes, whose probabilities round "+
				"away what sums tell apart; boosting=gbdt, or scikit-learn's forests, are read"))
	case name == "multiclass" && groups > 1:
		if parameter != fmt.Sprintf("num_class:%d", groups) {
			return trees.Vote{}, s.errorf("objective", "%.40q of %d classes", objective, groups)
		}
		return trees.Vote{Rule: trees.Softmax}, nil
	}
	why := "is none of a classifier or a regressor that facet knows"
	if name == "multiclassova" {
		why = "compares probabilities that each class has of its own, and that round away what " +
			"sums tell apart; objective=multiclass trains a model that is read"
	}
	return trees.Vote{}, s.errorf("objective", "%w",
		models.Unsupported(fmt.Sprintf("%.40q with num_class %d %s", objective, groups, why)))
}

// logistic returns the vote for label 1 when 1/(1+exp(−sigmoid·mean)) exceeds 1/2, where the
// mean is the sum over a number of rounds, 1 without an average.
func logistic(sigmoid, rounds float64) trees.Vote {
	if sigmoid == 1 && rounds == 1 {
		return trees.Vote{Rule: trees.Logistic}
	}
	// In float64 that is so when sigmoid·mean > 1.5·2⁻⁵³: below, exp rounds to 1 or
	// the number before, and the denominator to 2. tie is the largest sum that is not enough.
	tie, _ := precise.Last(func(sum float64) bool { return sigmoid*(sum/rounds) <= 0x1.8p-53 })
	return trees.Vote{
		Rule: trees.Sum, Base: []float64{tie, 0}, Chances: trees.Logit, Scale: sigmoid / rounds,
	}
}
