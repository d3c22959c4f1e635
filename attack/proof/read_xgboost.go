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

type xgboostFile struct {
	Version []int `json:"version"`
	Learner struct {
		Attributes integers `json:"attributes"`
		Params     integers `json:"learner_model_param"`
		Objective  struct {
			Name string `json:"name"`
		} `json:"objective"`
		Booster struct {
			Name  string `json:"name"`
			Model struct {
				Params integers      `json:"gbtree_model_param"`
				Class  []int         `json:"tree_info"`
				Trees  []xgboostTree `json:"trees"`
			} `json:"model"`
		} `json:"gradient_booster"`
	} `json:"learner"`
}

type xgboostTree struct {
	Params    integers  `json:"tree_param"`
	Left      []int     `json:"left_children"`
	Right     []int     `json:"right_children"`
	Feature   []int     `json:"split_indices"`
	Condition []float32 `json:"split_conditions"`
	SplitType []int     `json:"split_type"`
}

func readXGBoost(text []byte) (*Model, error) {
	f := &xgboostFile{}
	if err := json.Unmarshal(text, f); err != nil {
		return nil, err
	}
	l := &f.Learner
	if len(f.Version) == 0 || f.Version[0] < 1 || f.Version[0] > 3 || l.Booster.Name != "gbtree" {
		return nil, fmt.Errorf("version %v, booster %.40q: %w", f.Version, l.Booster.Name, errUnsupported)
	}
	features, err1 := l.Params.get("num_feature", 0)
	groups, err2 := l.Params.get("num_class", 0)
	targets, err3 := l.Params.get("num_target", 1)
	if err := errors.Join(err1, err2, err3); err != nil {
		return nil, err
	}
	groups = max(groups, 1)
	used, err := f.used(groups)
	switch {
	case err != nil:
		return nil, err
	case targets > 1:
		return nil, fmt.Errorf("several labels a row: %w", errUnsupported)
	}
	r := &raw{dim: features, comparison: below32, unreached: true, votes: votes{classes: max(groups, 2), single: true}}
	r.rule = map[string]rule{"binary:logistic": logistic, "multi:softmax": sum, "multi:softprob": softmax}[l.Objective.Name]
	if r.rule == "" || (r.rule == logistic) != (groups == 1) {
		return nil, fmt.Errorf("objective %.40q with %d trees a round: %w", l.Objective.Name, groups, errUnsupported)
	}
	if r.base, err = baseScore(l.Params["base_score"], groups); err != nil {
		return nil, err
	}
	nodes := 0
	for i := range l.Booster.Model.Trees[:used] {
		nodes += len(l.Booster.Model.Trees[i].Left)
	}
	if err := affordable(text, nodes, r.classes); err != nil {
		return nil, err
	}
	for i := range l.Booster.Model.Trees[:used] {
		class := 1
		if groups > 1 {
			class = l.Booster.Model.Class[i]
		}
		made, err := l.Booster.Model.Trees[i].nodes(r.classes, class)
		if err != nil {
			return nil, fmt.Errorf("tree %d: %w", i, err)
		}
		r.trees = append(r.trees, made)
	}
	return r.build()
}

// used returns how many trees vote: all, or those up to the best iteration of an
// XGBClassifier that saved itself.
func (f *xgboostFile) used(groups int) (int, error) {
	m := &f.Learner.Booster.Model
	all := len(m.Trees)
	parallel, err1 := m.Params.get("num_parallel_tree", 1)
	number, err2 := m.Params.get("num_trees", all)
	best := -1
	var err3 error
	if _, own := f.Learner.Attributes["scikit_learn"]; own {
		best, err3 = f.Learner.Attributes.get("best_iteration", -1)
	}
	if err := errors.Join(err1, err2, err3); err != nil {
		return 0, err
	}
	round := groups * max(parallel, 1)
	if groups > all || parallel > all || number != all || len(m.Class) != all || all%round != 0 {
		return 0, fmt.Errorf("%d trees, num_trees %d, tree_info of %d, in rounds of %d", all, number, len(m.Class), round)
	}
	for i, c := range m.Class {
		if c < 0 || c >= groups {
			return 0, fmt.Errorf("tree %d: tree_info is %d", i, c)
		}
	}
	if _, given := f.Learner.Attributes["best_iteration"]; !given || best == -1 && f.Learner.Attributes["scikit_learn"] == "" {
		return all, nil
	}
	if best < 0 || best >= all/round {
		return 0, fmt.Errorf("best_iteration is %d of %d rounds", best, all/round)
	}
	return (best + 1) * round, nil
}

// baseScore returns what the sums start from.
func baseScore(text string, groups int) ([]float64, error) {
	if inner, isArray := strings.CutPrefix(text, "["); isArray {
		if text, isArray = strings.CutSuffix(inner, "]"); !isArray {
			return nil, fmt.Errorf("base_score: %.40q is no array", inner)
		}
	}
	var base []float64
	for word := range strings.SplitSeq(text, ",") {
		v, err := strconv.ParseFloat(strings.TrimSpace(word), 32)
		if err != nil || !finite(v) {
			return nil, fmt.Errorf("base_score: %.40q is no number", word)
		}
		base = append(base, v)
	}
	switch {
	case groups == 1 && len(base) == 1:
		if base[0] <= 1e-6 || base[0] >= 1-1e-6 {
			return nil, fmt.Errorf("base_score: %v is no probability well between 0 and 1", base[0])
		}
		odds := 1/float32(base[0]) - 1
		return []float64{0, float64(-float32(math.Log(float64(odds))))}, nil
	case len(base) == 1:
		return slices.Repeat(base, groups), nil
	case len(base) != groups:
		return nil, fmt.Errorf("base_score: %d numbers for %d classes", len(base), groups)
	}
	return base, nil
}

func (t *xgboostTree) nodes(classes, class int) ([]rawNode, error) {
	n := len(t.Left)
	outputs, err := t.Params.get("size_leaf_vector", 0)
	if err != nil {
		return nil, err
	}
	categorical := slices.ContainsFunc(t.SplitType, func(kind int) bool { return kind != 0 })
	if outputs > 1 || categorical {
		return nil, fmt.Errorf("leaves of several values, or categorical splits: %w", errUnsupported)
	}
	if len(t.Right) != n || len(t.Feature) != n || len(t.Condition) != n {
		return nil, errors.New("arrays of different lengths")
	}
	nodes := make([]rawNode, n)
	for i := range nodes {
		condition := float64(t.Condition[i])
		nodes[i] = rawNode{feature: t.Feature[i], threshold: condition, left: t.Left[i], right: t.Right[i]}
		if nodes[i].isLeaf() {
			nodes[i].value = only(classes, class, condition)
		}
	}
	return nodes, nil
}
