package proof

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

func readXGBoost(d document, size int) (*raw, error) {
	learner := d.get("learner")
	params, booster := learner.get("learner_model_param"), learner.get("gradient_booster")
	model, objective := booster.get("model"), learner.get("objective").get("name").text()
	version := d.get("version").integers()
	groups := max(params.get("num_class").integer(0), 1)
	if len(version) == 0 || version[0] < 1 || version[0] > 3 || booster.get("name").text() != "gbtree" || params.get("num_target").integer(1) > 1 {
		return nil, fmt.Errorf("version %v, booster %.40q, or several labels a row: %w", version, booster.get("name").text(), errUnsupported)
	}
	r := &raw{dim: params.get("num_feature").integer(0), comparison: below32, unreached: true, votes: votes{classes: max(groups, 2), single: true}}
	r.rule = map[string]rule{"binary:logistic": logistic, "multi:softmax": sum, "multi:softprob": softmax}[objective]
	if r.rule == "" || (r.rule == logistic) != (groups == 1) {
		return nil, fmt.Errorf("objective %.40q with %d trees a round: %w", objective, groups, errUnsupported)
	}
	trees, info := model.get("trees").list(), model.get("tree_info").integers()
	parallel := max(model.get("gbtree_model_param").get("num_parallel_tree").integer(1), 1)
	if number := model.get("gbtree_model_param").get("num_trees").integer(len(trees)); groups > len(trees) || parallel > len(trees) || number != len(trees) || len(info) != len(trees) || len(trees)%(groups*parallel) != 0 {
		return nil, fmt.Errorf("%d trees, num_trees %d, tree_info of %d, in rounds of %d·%d", len(trees), number, len(info), groups, parallel)
	}
	rounds := len(trees) / groups / parallel
	best := rounds - 1
	if attributes := learner.get("attributes"); attributes.get("scikit_learn").value != nil {
		best = attributes.get("best_iteration").integer(best)
	}
	if best < 0 || best >= rounds {
		return nil, fmt.Errorf("best_iteration is %d of %d rounds", best, rounds)
	}
	for t, tree := range trees[:(best+1)*groups*parallel] {
		r.trees = append(r.trees, xgboostTree(tree, t))
	}
	r.base = baseScore(params.get("base_score"), groups)
	if *d.err != nil {
		return nil, *d.err
	}
	return r, r.spread(size, 1, func(t int) int {
		if groups == 1 {
			return 1 + info[t] // which is 0
		}
		return info[t]
	})
}

func xgboostTree(d document, t int) []rawNode {
	left, right, feature := d.get("left_children").integers(), d.get("right_children").integers(), d.get("split_indices").integers()
	condition := d.get("split_conditions").floats(32)
	isOther := func(kind int) bool { return kind != 0 }
	if d.get("tree_param").get("size_leaf_vector").integer(0) > 1 || slices.ContainsFunc(d.get("split_type").integers(), isOther) {
		d.fail("tree %d: leaves of several values, or categorical splits: %w", t, errUnsupported)
	}
	nodes := make([]rawNode, len(left))
	if len(right) != len(left) || len(feature) != len(left) || len(condition) != len(left) {
		d.fail("tree %d: arrays of different lengths", t)
		return nil
	}
	for i := range nodes {
		nodes[i] = rawNode{feature: feature[i], threshold: condition[i], left: left[i], right: right[i], value: condition[i : i+1]}
	}
	return nodes
}

// baseScore returns what the sums start from.
func baseScore(d document, groups int) []float64 {
	text := d.text()
	if strings.HasPrefix(text, "[") && strings.HasSuffix(text, "]") {
		text = text[1 : len(text)-1]
	}
	var base []float64
	for word := range strings.SplitSeq(text, ",") {
		v, err := strconv.ParseFloat(strings.TrimSpace(word), 32)
		if err != nil || !finite(v) {
			d.fail("base_score: %.40q is no number", word)
		}
		base = append(base, v)
	}
	switch {
	case groups == 1 && len(base) == 1:
		if base[0] <= 1e-6 || base[0] >= 1-1e-6 {
			d.fail("base_score: %v is no probability well between 0 and 1", base[0])
		}
		odds := 1/float32(base[0]) - 1
		return []float64{0, float64(-float32(math.Log(float64(odds))))}
	case len(base) == 1:
		return slices.Repeat(base, groups)
	case len(base) != groups:
		d.fail("base_score: %d numbers for %d classes", len(base), groups)
	}
	return base
}
