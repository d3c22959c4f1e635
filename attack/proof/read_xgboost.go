package proof

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
)

// readXGBoost reads XGBoost's JSON.
func readXGBoost(d any) *Model {
	learner := get(d, "learner")
	params, booster, objective := get(learner, "learner_model_param"), get(learner, "gradient_booster"), as[string](get(learner, "objective", "name"))
	groups, info, name := max(optional(get(params, "num_class"), 0), 1), integers(get(booster, "model", "tree_info")), as[string](get(booster, "name"))
	e := &ensemble{dim: integer(get(params, "num_feature")), votes: votes{classes: max(groups, 2), single: true}}
	e.rule = map[string]rule{"binary:logistic": logistic, "multi:softmax": sum, "multi:softprob": softmax}[objective]
	usual := groups <= 1<<20 && name == "gbtree" && optional(get(params, "num_target"), 1) <= 1 && e.rule != "" && (e.rule == logistic) == (groups == 1)
	demand(usual, "booster %.40q, objective %.40q with %d trees a round, or several labels a row: %w", name, objective, groups, errors.ErrUnsupported)
	e.base = baseScore(as[string](get(params, "base_score")), groups)
	trees, attributes := as[[]any](get(booster, "model", "trees")), get(learner, "attributes")
	count := len(trees)
	if best := get(attributes, "best_iteration"); get(attributes, "scikit_learn") != nil && best != nil {
		count = (integer(best) + 1) * groups * max(1, optional(get(booster, "model", "gbtree_model_param", "num_parallel_tree"), 1))
	}
	demand(0 < count && count <= len(trees) && len(info) == len(trees), "%d of %d trees vote, for %d classes", count, len(trees), len(info))
	for t, tree := range trees[:count] {
		left, right := integers(get(tree, "left_children")), integers(get(tree, "right_children"))
		feature, condition := integers(get(tree, "split_indices")), list(get(tree, "split_conditions"), single)
		usual := optional(get(tree, "tree_param", "size_leaf_vector"), 0) <= 1 && !slices.ContainsFunc(integers(get(tree, "split_type")), func(kind int) bool { return kind != 0 })
		demand(usual, "tree %d: leaves of several values, or categorical splits: %w", t, errors.ErrUnsupported)
		n := len(left)
		demand(len(right) == n && len(feature) == n && len(condition) == n, "tree %d: arrays of different lengths", t)
		class := info[t]
		if groups == 1 {
			class++ // which is 0
		}
		e.grow(left, right, true, func(i int, n *node) { e.setTest(n, feature[i], below32, condition[i]) },
			func(i int) []float64 { return e.alone(class, condition[i]) })
	}
	return e.model()
}

// baseScore returns what the sums start from.
func baseScore(text string, groups int) (base []float64) {
	if strings.HasPrefix(text, "[") && strings.HasSuffix(text, "]") {
		text = text[1 : len(text)-1]
	}
	for number := range strings.SplitSeq(text, ",") {
		v, err := strconv.ParseFloat(strings.TrimSpace(number), 32)
		demand(err == nil && finite(v), "base_score: %.40q is no number", number)
		base = append(base, v)
	}
	if groups > 1 && len(base) == 1 {
		return slices.Repeat(base, groups)
	}
	demand(len(base) == groups, "base_score: %d numbers for %d classes", len(base), groups)
	if groups > 1 {
		return base
	}
	demand(base[0] > 1e-6 && base[0] < 1-1e-6, "base_score: %v is no probability well between 0 and 1", base[0])
	odds := 1/float32(base[0]) - 1
	return []float64{0, float64(-float32(math.Log(float64(odds))))}
}
