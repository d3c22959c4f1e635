package proof

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// The keys of XGBoost's objects: those that are read, and then those that do not matter.
var (
	learnerKeys = strings.Fields(`learner_model_param attributes gradient_booster feature_names
		objective feature_types`)
	parameterKeys = strings.Fields(`num_class num_feature num_target base_score boost_from_average`)
	boosterKeys   = strings.Fields(`model name weight_drop gbtree`)
	modelKeys     = strings.Fields(`gbtree_model_param tree_info trees iteration_indptr weight_drop
		cats`)
	sizeKeys      = strings.Fields(`num_parallel_tree num_trees size_leaf_vector`)
	objectiveKeys = strings.Fields(`name reg_loss_param softmax_multiclass_param`)
	ofTreeKeys    = strings.Fields(`tree_param left_children right_children split_indices
		split_conditions default_left split_type base_weights id loss_changes parents sum_hessian
		leaf_child_counts categories categories_nodes categories_segments categories_sizes`)
	treeParamKeys = strings.Fields(`size_leaf_vector num_nodes num_deleted num_feature`)
)

// readXGBoost reads XGBoost's JSON.
func readXGBoost(top object, stored int) *Model {
	learner := members(given(top["learner"]), learnerKeys...)
	version := integers(given(top["version"]))
	demand(len(version) > 0 && version[0] >= 1 && version[0] <= 3, "version is %v: %w",
		version, errors.ErrUnsupported)
	params := texts(learner["learner_model_param"], parameterKeys...)
	attributes := section{} // the user's own, too
	for key, v := range as[object](given(learner["attributes"]), "an object") {
		attributes[key] = word(given(v))
	}
	booster := members(given(learner["gradient_booster"]), boosterKeys...)
	model := members(given(booster["model"]), modelKeys...)
	size := texts(model["gbtree_model_param"], sizeKeys...)
	list(given(learner["feature_names"]), word)
	objective := word(given(members(given(learner["objective"]), objectiveKeys...)["name"]))
	name := word(given(booster["name"]))
	groups, info := max(params.integer("num_class", 0), 1), integers(given(model["tree_info"]))
	e := &ensemble{
		dim:    params.integer("num_feature", 0),
		stored: stored,
		votes:  votes{classes: max(groups, 2), single: true},
	}
	e.rule = map[string]rule{
		"binary:logistic": logistic,
		"multi:softmax":   sum,
		"multi:softprob":  softmax,
	}[objective]
	trees := list(given(model["trees"]), same)
	usual := groups <= max(len(trees), 1) && params.integer("num_class", 0) >= 0 &&
		name == "gbtree" && booster["weight_drop"] == nil && model["weight_drop"] == nil &&
		params.integer("num_target", 1) <= 1 &&
		e.rule != "" && (e.rule == logistic) == (groups == 1)
	demand(usual,
		"booster %.40q, objective %.40q with %d trees a round, or several labels a row: %w",
		name, objective, groups, errors.ErrUnsupported)
	e.base = baseScore(params["base_score"], groups, slices.Compare(version, []int{3, 2}) >= 0)
	round := groups * max(1, size.integer("num_parallel_tree", 1))
	demand(len(trees) > 0 && len(trees)%round == 0 && len(info) == len(trees) &&
		size.integer("num_trees", len(trees)) == len(trees),
		"%d trees in rounds of %d, for %d classes", len(trees), round, len(info))
	for i, before := range integers(given(model["iteration_indptr"])) {
		demand(before == min(i*round, len(trees)), "%d trees before round %d of %d", before, i,
			round)
	}
	rounds := len(trees) / round
	best := rounds - 1
	if own, has := attributes["scikit_learn"]; has {
		best = attributes.integer("best_iteration", best)
		_, after, says := strings.Cut(own, `"missing":`)
		missing := strings.Trim(after[:max(0, strings.IndexAny(after, ",}"))], " ")
		demand(!says || missing == "NaN", "%.40s is missing: %w", missing, errors.ErrUnsupported)
	}
	demand(0 <= best && best < rounds, "best_iteration is %d of %d rounds", best, rounds)
	used := 0 // values of leaves that vote: later trees must be right, and count no more
	for t, tree := range trees {
		demand(0 <= info[t] && info[t] < groups, "tree_info is %d", info[t])
		if groups == 1 {
			info[t] = 1
		}
		e.growXGBoost(tree, info[t])
		if t < (best+1)*round {
			used = len(e.values)
		}
	}
	e.count = (best + 1) * round
	e.trees, e.values, e.treeOf = e.trees[:e.count], e.values[:used], e.treeOf[:used]
	return e.model()
}

// growXGBoost adds a tree that adds to a class.
func (e *ensemble) growXGBoost(tree any, class int) {
	m := members(tree, ofTreeKeys...)
	params := texts(m["tree_param"], treeParamKeys...)
	left, right := integers(given(m["left_children"])), integers(given(m["right_children"]))
	feature, condition := integers(given(m["split_indices"])),
		list(given(m["split_conditions"]), conditioned)
	missing, kinds := list(given(m["default_left"]), flag), integers(given(m["split_type"]))
	demand(params.integer("size_leaf_vector", 0) <= 1 &&
		!slices.ContainsFunc(kinds, func(kind int) bool { return kind != 0 }),
		"tree %d: leaves of several values, or categorical splits: %w",
		e.count, errors.ErrUnsupported)
	n := len(left)
	demand(len(right) == n && len(feature) == n && len(condition) == n && len(missing) == n &&
		(len(kinds) == n || len(kinds) == 0) && params.integer("num_nodes", n) == n,
		"tree %d: arrays of different lengths", e.count)
	for i, f := range feature {
		demand(left[i] < 0 && right[i] < 0 || f >= 0 && f < e.dim, "tree %d: feature %d of %d",
			e.count, f, e.dim)
	}
	e.grow(left, right, params.integer("num_deleted", 0),
		func(i int, n *node) { e.setTest(n, feature[i], below32, condition[i]) },
		func(i int) []float64 { return e.alone(class, condition[i]) })
}

// given returns a value that may be absent, but is no null.
func given(v any) any {
	demand(v != literal("null"), "null for what counts")
	return v
}

// texts returns the members of an object that are all strings.
func texts(v any, keys ...string) section {
	texts := section{}
	for key, v := range members(given(v), keys...) {
		texts[key] = word(given(v))
	}
	return texts
}

// inText returns an integer in a text, where a plus and leading zeros do not matter.
func inText(text string) int {
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil {
		demand(false, "%.40q is no integer", text)
	}
	return int(n)
}

// flag returns a truth value, which may be written 1 or 0.
func flag(v any) bool {
	said, _ := v.(literal)
	if !slices.Contains([]literal{"0", "1", "true", "false"}, said) {
		demand(false, "%.40s is no flag", fmt.Sprint(v))
	}
	return said == "1" || said == "true"
}

// conditioned returns a float32, which XGBoost writes as a name if it is not finite.
func conditioned(v any) float64 {
	switch v {
	case literal("NaN"):
		return math.NaN()
	case literal("Infinity"):
		return math.Inf(1)
	case literal("-Infinity"):
		return math.Inf(-1)
	}
	return single(v)
}

// baseScore returns the numbers that the sums start from. From version 3.2 on a probability next to
// 0 or 1 counts as the nearest that is not.
func baseScore(text string, groups int, clamped bool) (base []float64) {
	if inner, isArray := strings.CutPrefix(text, "["); isArray {
		text, isArray = strings.CutSuffix(inner, "]")
		demand(isArray, "base_score: %.40q is no array", inner)
	}
	for number := range strings.SplitSeq(text, ",") {
		number = strings.Trim(number, spaces)
		v, is := measuredBits(number, 32)
		demand(is && finite(v), "base_score: %.40q is no number", number)
		base = append(base, v)
	}
	if groups > 1 && len(base) == 1 {
		return slices.Repeat(base, groups)
	}
	demand(len(base) == groups, "base_score: %d numbers for %d classes", len(base), groups)
	if groups > 1 {
		return base
	}
	const nearest float32 = 1e-6
	p := float32(base[0])
	within := min(max(p, nearest), 1-nearest)
	demand(p >= 0 && p <= 1 && (p == within || clamped),
		"base_score: %v is no probability well between 0 and 1", base[0])
	return []float64{0, float64(-logf(1/within - 1))}
}

// logf is the logarithm of a normal float32 as the C library rounds it that XGBoost calls.
func logf(x float32) float32 {
	const offset = 0x3f330000 // of the smallest z
	shifted := math.Float32bits(x) - offset
	entry := logTable[(shifted>>19)%16]
	k := float64(int32(shifted) >> 23)
	z := float64(math.Float32frombits(math.Float32bits(x) - shifted&0xff800000))
	r := math.FMA(z, entry[0], -1)
	y0 := math.FMA(k, 0x1.62e42fefa39efp-1, entry[1])
	r2 := float64(r * r)
	y := math.FMA(0x1.5575b0be00b6ap-2, r, -0x1.ffffef20a4123p-2)
	y = math.FMA(-0x1.00ea348b88334p-2, r2, y)
	return float32(math.FMA(y, r2, float64(y0+r)))
}

// logTable has a reciprocal and a logarithm for each sixteenth of an octave.
var logTable = [16][2]float64{
	{0x1.661ec79f8f3bep+0, -0x1.57bf7808caadep-2}, {0x1.571ed4aaf883dp+0, -0x1.2bef0a7c06ddbp-2},
	{0x1.49539f0f010bp+0, -0x1.01eae7f513a67p-2}, {0x1.3c995b0b80385p+0, -0x1.b31d8a68224e9p-3},
	{0x1.30d190c8864a5p+0, -0x1.6574f0ac07758p-3}, {0x1.25e227b0b8eap+0, -0x1.1aa2bc79c81p-3},
	{0x1.1bb4a4a1a343fp+0, -0x1.a4e76ce8c0e5ep-4}, {0x1.12358f08ae5bap+0, -0x1.1973c5a611cccp-4},
	{0x1.0953f419900a7p+0, -0x1.252f438e10c1ep-5}, {1, 0},
	{0x1.e608cfd9a47acp-1, 0x1.aa5aa5df25984p-5}, {0x1.ca4b31f026aap-1, 0x1.c5e53aa362eb4p-4},
	{0x1.b2036576afce6p-1, 0x1.526e57720db08p-3}, {0x1.9c2d163a1aa2dp-1, 0x1.bc2860d22477p-3},
	{0x1.886e6037841edp-1, 0x1.1058bc8a07ee1p-2}, {0x1.767dcf5534862p-1, 0x1.4043057b6ee09p-2},
}
