package classifier

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// ReadXGBoost reads a classifier that XGBoost (versions 1 to 3) trained, from the
// JSON that its save_model("model.json") writes: tree boosters with numerical
// splits and the objective binary:logistic, multi:softmax or multi:softprob.
// docs/models.md says what is refused; those errors wrap errors.ErrUnsupported
// besides.
//
// It predicts as XGBoost does on a CPU: float32(x) < threshold goes left, NaN the
// default way, sums are float32. All trees vote, as in Booster.predict, unless an
// XGBClassifier saved itself after early stopping, which predicts with those up to
// its best iteration. Errors wrap ErrModel and say where the file is wrong.
func ReadXGBoost(r io.Reader) (*Ensemble, error) {
	trees, opts, err := readXGBoost(r)
	if err != nil {
		return nil, fmt.Errorf("classifier: %w: %w", ErrModel, err)
	}
	return NewEnsemble(trees, opts)
}

func readXGBoost(r io.Reader) ([]*Tree, EnsembleOptions, error) {
	in := bufio.NewReader(r)
	if start, _ := in.Peek(4); isXGBoostBinary(start) {
		return nil, EnsembleOptions{}, errXGBoostBinary
	}
	var file xgboostFile
	size, err := decodeModel(in, "an XGBoost model", &file)
	if err != nil {
		return nil, EnsembleOptions{}, err
	}
	m := xgboostModel{xgboostFile: &file, limit: limitOf(size)}
	if err := m.check(); err != nil {
		return nil, EnsembleOptions{}, err
	}
	opts, err := m.options()
	if err != nil {
		return nil, opts, err
	}
	trees, err := m.trees()
	return trees, opts, err
}

var errXGBoostBinary = fmt.Errorf("byte 0: a binary model; XGBoost writes JSON with save_model(\"model.json\"): %w", errors.ErrUnsupported)

// isXGBoostBinary recognises UBJSON, whose first object has a length marker for
// its first key, and the format before it.
func isXGBoostBinary(start []byte) bool {
	return bytes.HasPrefix(start, []byte("binf")) || (len(start) > 1 && start[0] == '{' && strings.IndexByte("LliIUu#$", start[1]) >= 0)
}

// xgboostFile is the part of the file that is needed. Arrays of trees stay text
// until list decodes them.
type xgboostFile struct {
	Version []int `json:"version"`
	Learner struct {
		Attributes map[string]string `json:"attributes"`
		Params     map[string]string `json:"learner_model_param"`
		Objective  struct {
			Name string `json:"name"`
		} `json:"objective"`
		Booster struct {
			Name  string `json:"name"`
			Model struct {
				Params map[string]string `json:"gbtree_model_param"`
				Class  json.RawMessage   `json:"tree_info"`
				Trees  []xgboostTree     `json:"trees"`
			} `json:"model"`
		} `json:"gradient_booster"`
	} `json:"learner"`
}

// xgboostTree has parallel arrays over its nodes, node 0 the root. A leaf has its
// value for a split condition.
type xgboostTree struct {
	Params      map[string]string `json:"tree_param"`
	Left        json.RawMessage   `json:"left_children"`
	Right       json.RawMessage   `json:"right_children"`
	Feature     json.RawMessage   `json:"split_indices"`
	Condition   json.RawMessage   `json:"split_conditions"`
	DefaultLeft json.RawMessage   `json:"default_left"`
	SplitType   json.RawMessage   `json:"split_type"`
}

// xgboostModel is a file being understood.
type xgboostModel struct {
	*xgboostFile
	features int
	groups   int // of trees: one, or one for each class
	classes  int
	class    []int // that each tree adds to
	used     int   // trees that vote
	limit    valueLimit
}

func (m *xgboostModel) check() error {
	if len(m.Version) == 0 || m.Version[0] < 1 || m.Version[0] > 3 {
		return fmt.Errorf("version is %v, want 1, 2 or 3: %w", m.Version, errors.ErrUnsupported)
	}
	if name := m.Learner.Booster.Name; name != "gbtree" {
		return fmt.Errorf("gradient_booster: name is %q, want \"gbtree\": %w", name, errors.ErrUnsupported)
	}
	if err := m.checkParams(); err != nil {
		return fmt.Errorf("learner_model_param: %w", err)
	}
	return m.checkRounds()
}

// checkParams reads the numbers of features and classes.
func (m *xgboostModel) checkParams() error {
	params, trees := m.Learner.Params, len(m.Learner.Booster.Model.Trees)
	features, err1 := integer(params, "num_feature", 0)
	classes, err2 := integer(params, "num_class", 0)
	targets, err3 := integer(params, "num_target", 1)
	if err := errors.Join(err1, err2, err3); err != nil {
		return err
	}
	switch {
	case targets > 1:
		return fmt.Errorf("num_target is %d: several labels a row: %w", targets, errors.ErrUnsupported)
	case features < 1 || features > mostFeatures:
		return fmt.Errorf("num_feature is %d, want 1 to %d", features, mostFeatures)
	case classes < 0 || classes > max(trees, 1):
		return fmt.Errorf("num_class is %d, and there are %d trees", classes, trees)
	}
	m.features, m.groups, m.classes = features, max(classes, 1), max(classes, 2)
	return nil
}

// checkRounds counts the trees, and those that vote.
func (m *xgboostModel) checkRounds() error {
	model := &m.Learner.Booster.Model
	count := len(model.Trees)
	parallel, err1 := integer(model.Params, "num_parallel_tree", 1)
	trees, err2 := integer(model.Params, "num_trees", count)
	var err3 error
	m.class, err3 = list[int]("tree_info", model.Class)
	if err := errors.Join(err1, err2, err3); err != nil {
		return fmt.Errorf("gradient_booster: %w", err)
	}
	// Files of the first versions have no number, or 0, for one tree at a time.
	parallel = max(parallel, 1)
	switch {
	case count == 0:
		return errors.New("gradient_booster: no trees")
	case trees != count:
		return fmt.Errorf("gradient_booster: num_trees is %d, and there are %d", trees, count)
	case len(m.class) != count:
		return fmt.Errorf("gradient_booster: tree_info has %d numbers for %d trees", len(m.class), count)
	case count%m.groups != 0 || count/m.groups%parallel != 0:
		return fmt.Errorf("gradient_booster: %d trees, want a multiple of num_class·num_parallel_tree = %d·%d", count, m.groups, parallel)
	}
	for i, c := range m.class {
		if c < 0 || c >= m.groups {
			return fmt.Errorf("gradient_booster: tree_info of tree %d is %d, want 0 to %d", i, c, m.groups-1)
		}
		if m.groups == 1 {
			m.class[i] = 1 // a margin in favour of label 1
		}
	}
	return m.checkBest(count / m.groups / parallel)
}

// checkBest finds how many of the trees vote, in a model of so many rounds.
func (m *xgboostModel) checkBest(rounds int) error {
	m.used = len(m.class)
	if _, ok := m.Learner.Attributes["scikit_learn"]; !ok {
		return nil // a Booster, not an XGBClassifier, saved itself
	}
	best, err := integer(m.Learner.Attributes, "best_iteration", rounds-1)
	if err == nil && (best < 0 || best >= rounds) {
		err = fmt.Errorf("best_iteration is %d of %d rounds", best, rounds)
	}
	if err != nil {
		return fmt.Errorf("attributes: %w", err)
	}
	m.used = len(m.class) / rounds * (best + 1)
	return nil
}

// options returns how the trees vote.
func (m *xgboostModel) options() (EnsembleOptions, error) {
	opts := EnsembleOptions{Single: true}
	name := m.Learner.Objective.Name
	switch name {
	case "binary:logistic":
		opts.Vote = LogisticVote
	case "multi:softmax":
		opts.Vote = SumVote
	case "multi:softprob":
		opts.Vote = SoftmaxVote
	default:
		return opts, fmt.Errorf("objective: %q is none of binary:logistic, multi:softmax, multi:softprob: %w", name, errors.ErrUnsupported)
	}
	if (opts.Vote == LogisticVote) != (m.groups == 1) {
		return opts, fmt.Errorf("objective: %s with %d trees a round", name, m.groups)
	}
	base, err := m.base()
	if err != nil {
		return opts, fmt.Errorf("learner_model_param: base_score: %w", err)
	}
	opts.Base = base
	return opts, nil
}

// base returns what the sums start from. base_score is one number or, from
// version 3.1 on, an array of one or of one for each class. That of two classes
// is a probability.
func (m *xgboostModel) base() ([]float64, error) {
	text := m.Learner.Params["base_score"]
	inner, isArray := strings.CutPrefix(text, "[")
	if isArray {
		if inner, isArray = strings.CutSuffix(inner, "]"); !isArray {
			return nil, fmt.Errorf("%q is no array", text)
		}
	}
	var base []float64
	for _, number := range strings.Split(inner, ",") {
		v, err := strconv.ParseFloat(strings.TrimSpace(number), 32)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("%q is no finite number", number)
		}
		base = append(base, v)
	}
	switch {
	case len(base) == 1 && m.groups == 1:
		// Beyond 1e-6 versions differ: older ones refuse 0 and 1, newer ones
		// take the nearest number within.
		if base[0] <= 1e-6 || base[0] >= 1-1e-6 {
			return nil, fmt.Errorf("%v is no probability well between 0 and 1", base[0])
		}
		return []float64{0, logOdds(float32(base[0]))}, nil
	case len(base) == 1:
		return slices.Repeat(base, m.groups), nil
	case len(base) == m.groups:
		return base, nil
	}
	return nil, fmt.Errorf("%d numbers for %d classes", len(base), m.groups)
}

// logOdds returns log(p/(1−p)) with XGBoost's rounding.
func logOdds(p float32) float64 {
	odds := 1/p - 1
	return float64(-float32(math.Log(float64(odds))))
}

func (m *xgboostModel) trees() ([]*Tree, error) {
	trees := make([]*Tree, m.used)
	classValues := labels(m.classes)
	for i := range trees {
		nodes, err := m.nodes(i)
		if err != nil {
			return nil, fmt.Errorf("tree %d: %w", i, err)
		}
		if trees[i], err = NewTree(m.features, BelowFloat32, nodes); err != nil {
			return nil, fmt.Errorf("tree %d: %w", i, err)
		}
		trees[i].classValues = classValues
	}
	return trees, nil
}

// nodes returns the nodes of tree i. Nodes that were pruned lie unreached among
// the others, and nodes grown in their place may come before their parents.
func (m *xgboostModel) nodes(i int) ([]TreeNode, error) {
	t := &m.Learner.Booster.Model.Trees[i]
	nodes, err := t.nodes(m.features)
	if err != nil {
		return nil, err
	}
	deleted, err := integer(t.Params, "num_deleted", 0)
	if err != nil {
		return nil, err
	}
	sorted, order, err := ordered(nodes)
	if err != nil {
		return nil, err
	}
	if len(sorted)+deleted != len(nodes) {
		return nil, fmt.Errorf("%d of %d nodes are not below node 0, num_deleted is %d", len(nodes)-len(sorted), len(nodes), deleted)
	}
	values := make([]float64, len(sorted))
	for j, n := range sorted {
		if n.Left < 0 {
			values[j] = nodes[order[j]].Threshold
		}
	}
	return sorted, m.limit.place(sorted, values, m.class[i], m.classes)
}

// nodes decodes the nodes as they are numbered in the file.
func (t *xgboostTree) nodes(features int) ([]TreeNode, error) {
	left, err1 := list[int]("left_children", t.Left)
	right, err2 := list[int]("right_children", t.Right)
	feature, err3 := list[int]("split_indices", t.Feature)
	condition, err4 := list[float32]("split_conditions", t.Condition)
	defaultLeft, err5 := list[any]("default_left", t.DefaultLeft)
	if err := errors.Join(err1, err2, err3, err4, err5, t.check(len(left))); err != nil {
		return nil, err
	}
	n := len(left)
	if len(right) != n || len(feature) != n || len(condition) != n || len(defaultLeft) != n {
		return nil, fmt.Errorf("%d left_children, %d right_children, %d split_indices, %d split_conditions, %d default_left: want as many of each",
			n, len(right), len(feature), len(condition), len(defaultLeft))
	}
	nodes := make([]TreeNode, n)
	for i := range nodes {
		inner := left[i] >= 0 || right[i] >= 0
		if inner && (feature[i] < 0 || feature[i] >= features) {
			return nil, fmt.Errorf("node %d: split_indices is %d, want 0 to %d", i, feature[i], features-1)
		}
		missingLeft, err := flag(defaultLeft[i])
		if err != nil {
			return nil, fmt.Errorf("node %d: default_left: %w", i, err)
		}
		nodes[i] = TreeNode{Feature: feature[i], Threshold: float64(condition[i]), Left: left[i], Right: right[i], MissingLeft: inner && missingLeft}
	}
	return nodes, nil
}

// check refuses what a tree of so many nodes cannot have here.
func (t *xgboostTree) check(nodes int) error {
	number, err1 := integer(t.Params, "num_nodes", nodes)
	outputs, err2 := integer(t.Params, "size_leaf_vector", 0)
	splits, err3 := list[int]("split_type", t.SplitType)
	if err := errors.Join(err1, err2, err3); err != nil {
		return err
	}
	if number != nodes {
		return fmt.Errorf("num_nodes is %d, and there are %d", number, nodes)
	}
	if outputs > 1 {
		return fmt.Errorf("size_leaf_vector is %d: leaves of several values: %w", outputs, errors.ErrUnsupported)
	}
	if i := slices.IndexFunc(splits, func(kind int) bool { return kind != 0 }); i >= 0 {
		return fmt.Errorf("node %d: split_type is %d: a categorical split: %w", i, splits[i], errors.ErrUnsupported)
	}
	return nil
}

// integer returns a number that the file has for a string.
func integer(params map[string]string, key string, absent int) (int, error) {
	text, ok := params[key]
	if !ok {
		return absent, nil
	}
	v, err := strconv.Atoi(text)
	if err != nil {
		return 0, fmt.Errorf("%s: %q is no integer", key, text)
	}
	return v, nil
}

// flag returns a truth value, which older versions write as false or true and newer
// ones as 0 or 1.
func flag(v any) (bool, error) {
	switch v {
	case false, 0.0:
		return false, nil
	case true, 1.0:
		return true, nil
	}
	return false, fmt.Errorf("%v, want 0 or 1", v)
}
