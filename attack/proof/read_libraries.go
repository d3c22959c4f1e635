package proof

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// readXGBoost reads XGBoost's JSON.
func readXGBoost(d any) *Model {
	learner := get(d, "learner")
	params, booster, objective := get(learner, "learner_model_param"), get(learner,
		"gradient_booster"), as[string](get(learner, "objective", "name"))
	groups, info, name := max(optional(get(params, "num_class"), 0),
		1), integers(get(booster, "model", "tree_info")), as[string](get(booster, "name"))
	e := &ensemble{
		dim:   integer(get(params, "num_feature")),
		votes: votes{classes: max(groups, 2), single: true},
	}
	e.rule = map[string]rule{
		"binary:logistic": logistic,
		"multi:softmax":   sum,
		"multi:softprob":  softmax,
	}[objective]
	usual := groups <= 1<<20 && name == "gbtree" && optional(get(params, "num_target"), 1) <= 1 &&
		e.rule != "" && (e.rule == logistic) == (groups == 1)
	demand(usual,
		"booster %.40q, objective %.40q with %d trees a round, or several labels a row: %w",
		name, objective, groups, errors.ErrUnsupported)
	e.base = baseScore(as[string](get(params, "base_score")), groups)
	trees, attributes := as[[]any](get(booster, "model", "trees")), get(learner, "attributes")
	count := len(trees)
	if best := get(attributes, "best_iteration"); get(attributes, "scikit_learn") != nil &&
		best != nil {
		count = (integer(best) + 1) * groups * max(1,
			optional(get(booster, "model", "gbtree_model_param", "num_parallel_tree"), 1))
	}
	demand(0 < count && count <= len(trees) &&
		len(info) == len(trees), "%d of %d trees vote, for %d classes",
		count, len(trees), len(info))
	for t, tree := range trees[:count] {
		left, right := integers(get(tree, "left_children")), integers(get(tree, "right_children"))
		feature, condition := integers(get(tree, "split_indices")), list(
			get(tree, "split_conditions"), single,
		)
		usual := optional(get(tree, "tree_param", "size_leaf_vector"), 0) <= 1 &&
			!slices.ContainsFunc(integers(get(tree, "split_type")),
				func(kind int) bool { return kind != 0 })
		demand(usual, "tree %d: leaves of several values, or categorical splits: %w",
			t, errors.ErrUnsupported)
		n := len(left)
		demand(len(right) == n && len(feature) == n &&
			len(condition) == n, "tree %d: arrays of different lengths", t)
		class := info[t]
		if groups == 1 {
			class = 1
		}
		e.grow(left, right, true,
			func(i int, n *node) { e.setTest(n, feature[i], below32, condition[i]) },
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
	demand(base[0] > 1e-6 &&
		base[0] < 1-1e-6, "base_score: %v is no probability well between 0 and 1", base[0])
	odds := 1/float32(base[0]) - 1
	return []float64{0, float64(-float32(math.Log(float64(odds))))}
}

// readLightGBM reads LightGBM's text: lines "key=value" of a header and of trees.
func readLightGBM(text string) *Model {
	body, _, ended := strings.Cut(strings.ReplaceAll(text, "\r", ""), "\nend of trees")
	demand(ended, "the file ends before \"end of trees\"")
	parts := strings.Split(body, "\nTree=")
	h := lightgbmLines(parts[0])
	groups := optional(h["num_class"], 0)
	name, parameter, _ := strings.Cut(as[string](h["objective"]), " ")
	usual := (h["version"] == "v3" || h["version"] == "v4") && h["average_output"] == nil &&
		optional(h["num_tree_per_iteration"], groups) == groups
	demand(usual && groups > 0 && groups <= 1<<20 &&
		(len(parts)-1)%groups == 0, "version %v, a random forest, or %d trees in rounds of %v: %w",
		h["version"], len(parts)-1, h["num_class"], errors.ErrUnsupported)
	e := &ensemble{
		dim:   optional(h["max_feature_idx"], -1) + 1,
		votes: votes{classes: max(groups, 2), rule: softmax},
	}
	if factor, isSigmoid := strings.CutPrefix(parameter, "sigmoid:"); name == "binary" &&
		isSigmoid && groups == 1 {
		sigmoid := float(json.Number(factor))
		demand(sigmoid > 0, "sigmoid is %v", sigmoid)
		if e.rule = logistic; sigmoid != 1 {
			// Label 1 wins iff its margin exceeds the largest that is not enough.
			e.rule, e.base = sum, []float64{product(sigmoid, 0x1.8p-53), 0}
		}
	} else {
		usual := name == "multiclass" && groups > 1 &&
			parameter == fmt.Sprintf("num_class:%d", groups)
		demand(usual, "objective %.40q with num_class %d: %w",
			h["objective"], groups, errors.ErrUnsupported)
	}
	for t, part := range parts[1:] {
		class := 1
		if groups > 1 {
			class = t % groups
		}
		number, lines, _ := strings.Cut(part, "\n")
		demand(number == strconv.Itoa(t), "tree %.40q where %d is expected", number, t)
		e.growLightGBM(lightgbmLines(lines), class)
	}
	return e.model()
}

// lightgbmLines returns the values of lines by their keys.
func lightgbmLines(text string) map[string]any {
	values := map[string]any{}
	for line := range strings.Lines(text) {
		key, value, isPair := strings.Cut(strings.TrimSpace(line), "=")
		demand(values[key] == nil, "%.40q again", key)
		if isPair || key == "average_output" {
			values[key] = value
		}
	}
	return values
}

// growLightGBM adds a tree. Leaves are numbered after the splits.
func (e *ensemble) growLightGBM(s map[string]any, class int) {
	usual := optional(s["num_cat"], -1) == 0 && optional(s["is_linear"], 0) == 0
	demand(usual, "num_cat %v, is_linear %v: %w",
		s["num_cat"], s["is_linear"], errors.ErrUnsupported)
	leaves := optional(s["num_leaves"], 0)
	words := func(key string, count int) []any {
		var words []any
		for _, w := range strings.Fields(as[string](s[key])) {
			words = append(words, json.Number(w))
		}
		demand(len(words) == count, "%s: %d numbers, want %d", key, len(words), count)
		return words
	}
	child := func(v any) int {
		i := integer(v)
		if i < 0 {
			i = leaves - 2 - i
		}
		return i
	}
	feature, decision, threshold := list(words("split_feature", leaves-1),
		integer), list(words("decision_type", leaves-1),
		integer), list(words("threshold", leaves-1), float)
	left, right, value := list(words("left_child", leaves-1),
		child), list(words("right_child", leaves-1), child), list(words("leaf_value", leaves),
		float)
	none := slices.Repeat([]int{-1}, leaves)
	e.grow(append(left, none...), append(right, none...), false, func(i int, n *node) {
		kind, t := decision[i], threshold[i]
		zeroMissing := kind>>2 == 1 && (kind&2 != 0) != (t >= 0)
		demand(kind >= 0 && kind < 12 && kind&1 == 0 &&
			!zeroMissing, "decision_type %d of split %d: %w", kind, i, errors.ErrUnsupported)
		e.setTest(n, feature[i], atMost64, flushed(t))
	}, func(i int) []float64 { return e.alone(class, value[i-leaves+1]) })
}

// flushed returns the threshold that inputs are compared with which LightGBM has not read
// as 0 before.
func flushed(t float64) float64 {
	const zero = float64(float32(1e-35))
	switch {
	case t >= 0 && t < zero:
		return zero
	case t < 0 && t >= -zero:
		return math.Nextafter(-zero, math.Inf(-1))
	}
	return t
}
