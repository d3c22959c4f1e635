package modelfile

import (
	"strings"

	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// regression returns what becomes of the sum of the trees when the output is one number; false
// for the objective of a classifier, or an unknown one. A ranking is by the sum.
func (s *section) regression(groups int) (link trees.Link, ok bool) {
	name, parameter, _ := strings.Cut(strings.TrimSpace(s.lines["objective"].value), " ")
	switch {
	case groups != 1:
		return 0, false
	case name == "regression" && parameter == "sqrt":
		return trees.SignedSquare, true
	case name == "cross_entropy" && parameter == "":
		return trees.Sigmoid, true
	}
	switch name {
	case "poisson", "gamma", "tweedie":
		return trees.Exponential, true
	case "regression", "regression_l1", "huber", "fair", "quantile", "mape", "lambdarank", "rank_xendcg":
		return trees.Identity, true
	}
	return 0, false
}

// adding returns Sum or, for a random forest, Soft.
func (s *section) adding() trees.Rule {
	if _, averages := s.lines["average_output"]; averages {
		return trees.Soft
	}
	return trees.Sum
}
