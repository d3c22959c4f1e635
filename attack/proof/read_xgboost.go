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
	params, booster := get(learner, "learner_model_param"), get(learner, "gradient_booster")
	objective, version, name := word(get(learner, "objective", "name")), integers(get(d, "version")), word(get(booster, "name"))
	groups, info := max(optional(get(params, "num_class"), 0), 1), integers(get(booster, "model", "tree_info"))
	e := &ensemble{dim: integer(get(params, "num_feature")), votes: votes{classes: max(groups, 2), single: true}}
	e.rule = map[string]rule{"binary:logistic": logistic, "multi:softmax": sum, "multi:softprob": softmax}[objective]
	if len(version) == 0 || version[0] < 1 || version[0] > 3 || name != "gbtree" || optional(get(params, "num_target"), 1) > 1 || e.rule == "" || (e.rule == logistic) != (groups == 1) {
		refuse("version %v, booster %.40q, objective %.40q with %d trees a round, or several labels a row: %w", version, name, objective, groups, errors.ErrUnsupported)
	}
	e.base = baseScore(word(get(params, "base_score")), groups)
	for t, tree := range voting(learner, groups) {
		left, right := integers(get(tree, "left_children")), integers(get(tree, "right_children"))
		feature, condition := integers(get(tree, "split_indices")), list(get(tree, "split_conditions"), single)
		isOther := func(kind int) bool { return kind != 0 }
		if optional(get(tree, "tree_param", "size_leaf_vector"), 0) > 1 || slices.ContainsFunc(integers(get(tree, "split_type")), isOther) {
			refuse("tree %d: leaves of several values, or categorical splits: %w", t, errors.ErrUnsupported)
		}
		if n := len(left); len(right) != n || len(feature) != n || len(condition) != n {
			refuse("tree %d: arrays of different lengths", t)
		}
		class := info[t]
		if groups == 1 {
			class++ // which is 0
		}
		e.grow(left, right, true, func(i int, n *node) { e.setTest(n, feature[i], below32, condition[i]) },
			func(i int) []float64 { return e.alone(class, condition[i]) })
	}
	return e.model()
}

// voting returns the trees that vote: those up to the best iteration, in a model of scikit-learn's interface.
func voting(learner any, groups int) []any {
	model, attributes := get(learner, "gradient_booster", "model"), get(learner, "attributes")
	trees := list(get(model, "trees"), itself)
	count, round := len(trees), groups*max(optional(get(model, "gbtree_model_param", "num_parallel_tree"), 1), 1)
	if info := list(get(model, "tree_info"), itself); optional(get(model, "gbtree_model_param", "num_trees"), count) != count || len(info) != count || round < 1 || count%round != 0 {
		refuse("%d trees in rounds of %d, num_trees or tree_info do not fit", count, round)
	}
	best := count/round - 1
	if get(attributes, "scikit_learn") != nil {
		best = optional(get(attributes, "best_iteration"), best)
	}
	if best < 0 || best >= count/round {
		refuse("best_iteration is %d of %d rounds", best, count/round)
	}
	return trees[:(best+1)*round]
}

// baseScore returns what the sums start from.
func baseScore(text string, groups int) (base []float64) {
	if strings.HasPrefix(text, "[") && strings.HasSuffix(text, "]") {
		text = text[1 : len(text)-1]
	}
	for number := range strings.SplitSeq(text, ",") {
		v, err := strconv.ParseFloat(strings.TrimSpace(number), 32)
		if err != nil || !finite(v) {
			refuse("base_score: %.40q is no number", number)
		}
		base = append(base, v)
	}
	switch {
	case groups == 1 && len(base) == 1 && base[0] > 1e-6 && base[0] < 1-1e-6:
		odds := 1/float32(base[0]) - 1
		return []float64{0, float64(-float32(math.Log(float64(odds))))}
	case groups > 1 && len(base) == 1:
		return slices.Repeat(base, groups)
	case groups == 1 || len(base) != groups:
		refuse("base_score: %v is no probability well between 0 and 1, or not one number a class", base)
	}
	return base
}
