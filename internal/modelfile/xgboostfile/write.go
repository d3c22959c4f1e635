package xgboostfile

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// Write writes trees as save_model does in JSON, which versions from 1.5 on load: a logistic vote
// on two classes as binary:logistic, a softmax of trees that add to class 0, 1, … in turn as
// multi:softprob. Sums start from 0. columns are the names of the features, or none.
func Write(w io.Writer, e *trees.Ensemble[*trees.Axis], columns []string) error {
	groups, objective, err := objectiveOf(e)
	if err != nil {
		return err
	}
	if len(e.Trees)%groups != 0 {
		return unwritable("%d trees for %d classes", len(e.Trees), groups)
	}
	var m writtenModel
	m.Param.Parallel, m.Param.Trees = "1", strconv.Itoa(len(e.Trees))
	for i, t := range e.Trees {
		class := i % groups
		if i%groups == 0 {
			m.Rounds = append(m.Rounds, i)
		}
		m.Class = append(m.Class, class)
		if groups == 1 {
			class = 1
		}
		tree, err := writtenTreeOf(t, class)
		if err != nil {
			return trees.AtTree(i, err)
		}
		tree.ID = i
		m.Trees = append(m.Trees, tree)
	}
	m.Rounds = append(m.Rounds, len(e.Trees))
	file := written{Version: [3]int{2, 1, 0}}
	l := &file.Learner
	l.Attributes, l.Objective = struct{}{}, objective
	l.Columns, l.Types = append([]string{}, columns...), []string{}
	for range columns {
		l.Types = append(l.Types, "float")
	}
	l.Booster.Name, l.Booster.Model = "gbtree", m
	l.Param = map[string]string{
		"base_score": "5E-1", "boost_from_average": "1", "num_class": "0",
		"num_feature": strconv.Itoa(e.Dim()), "num_target": "1",
	}
	if groups > 1 {
		l.Param["base_score"], l.Param["num_class"] = "0E0", strconv.Itoa(groups)
	}
	return json.NewEncoder(w).Encode(file)
}

// written is a file, as far as XGBoost needs it.
type written struct {
	Learner struct {
		Attributes struct{} `json:"attributes"`
		Columns    []string `json:"feature_names"`
		Types      []string `json:"feature_types"`
		Booster    struct {
			Model writtenModel `json:"model"`
			Name  string       `json:"name"`
		} `json:"gradient_booster"`
		Param     map[string]string `json:"learner_model_param"`
		Objective map[string]any    `json:"objective"`
	} `json:"learner"`
	Version [3]int `json:"version"`
}

type writtenModel struct {
	Param struct {
		Parallel string `json:"num_parallel_tree"`
		Trees    string `json:"num_trees"`
	} `json:"gbtree_model_param"`
	Rounds []int         `json:"iteration_indptr"`
	Class  []int         `json:"tree_info"`
	Trees  []writtenTree `json:"trees"`
}

// writtenTree has its nodes in arrays.
type writtenTree struct {
	Weights     floats            `json:"base_weights"`
	Categories  []int             `json:"categories"`
	Sets        []int             `json:"categories_nodes"`
	Begins      []int             `json:"categories_segments"`
	Sizes       []int             `json:"categories_sizes"`
	DefaultLeft []int             `json:"default_left"`
	ID          int               `json:"id"`
	Left        []int             `json:"left_children"`
	Gains       floats            `json:"loss_changes"`
	Parents     []int             `json:"parents"`
	Right       []int             `json:"right_children"`
	Conditions  floats            `json:"split_conditions"`
	Features    []int             `json:"split_indices"`
	Kinds       []int             `json:"split_type"`
	Hessians    floats            `json:"sum_hessian"`
	Param       map[string]string `json:"tree_param"`
}

// floats are written with an exponent each: XGBoost takes a number without one, or a point, for an
// integer, which it does not mix with others.
type floats []float32

func (f floats) MarshalJSON() ([]byte, error) {
	text := []byte{'['}
	for i, v := range f {
		if i > 0 {
			text = append(text, ',')
		}
		text = strconv.AppendFloat(text, float64(v), 'e', -1, 32)
	}
	return append(text, ']'), nil
}

// unwritable says why a model is none that XGBoost could have trained.
func unwritable(format string, args ...any) error {
	return fmt.Errorf("XGBoost has no %s: %w", fmt.Sprintf(format, args...), errors.ErrUnsupported)
}

// objectiveOf returns of how many groups the trees are, and the objective that votes so.
func objectiveOf(e *trees.Ensemble[*trees.Axis]) (groups int, objective map[string]any, err error) {
	v := e.Vote
	for _, b := range v.Base {
		if b != 0 {
			return 0, nil, unwritable("sums that start from %v here", v.Base)
		}
	}
	switch {
	case e.Trees[0].Comparison != trees.BelowFloat32 || !v.Single:
		return 0, nil, unwritable("trees or sums in float64, or tests of x ≤ t")
	case v.Rule == trees.Logistic:
		return 1, map[string]any{
			"name": "binary:logistic", "reg_loss_param": map[string]string{"scale_pos_weight": "1"},
		}, nil
	case v.Rule == trees.Softmax:
		number := strconv.Itoa(e.Classes)
		return e.Classes, map[string]any{
			"name":                     "multi:softprob",
			"softmax_multiclass_param": map[string]string{"num_class": number},
		}, nil
	}
	return 0, nil, unwritable("such a vote")
}

// noParent is the parent of a root.
const noParent = math.MaxInt32

// writtenTreeOf writes a tree whose leaves add to one class.
func writtenTreeOf(t *trees.Axis, class int) (writtenTree, error) {
	n := t.Len()
	w := writtenTree{
		Weights: make(floats, n), Categories: []int{}, Sets: []int{}, Begins: []int{},
		Sizes: []int{}, DefaultLeft: make([]int, n), Left: make([]int, n),
		Gains: make(floats, n), Parents: make([]int, n), Right: make([]int, n),
		Conditions: make(floats, n), Features: make([]int, n), Kinds: make([]int, n),
		Hessians: make(floats, n),
	}
	w.Param = map[string]string{
		"num_deleted": "0", "num_feature": strconv.Itoa(t.Dim), "num_nodes": strconv.Itoa(n),
		"size_leaf_vector": "1",
	}
	w.Parents[0] = noParent
	var node trees.Node
	for i := range n {
		t.Read(i, &node)
		w.Left[i], w.Right[i] = node.Left, node.Right
		if node.Left < 0 {
			for c, v := range node.Value {
				if c != class && v != 0 {
					return w, trees.AtNode(i, unwritable("leaf that adds %v to class %d", v, c))
				}
			}
			w.Conditions[i] = float32(node.Value[class])
			w.Weights[i] = w.Conditions[i]
			continue
		}
		if len(node.Thresholds) > 0 {
			return w, trees.AtNode(i, unwritable("test of %d thresholds", len(node.Thresholds)))
		}
		w.Features[i], w.Conditions[i] = node.Feature, float32(node.Threshold)
		if float64(w.Conditions[i]) != node.Threshold {
			return w, trees.AtNode(i, unwritable("threshold %v, which float32 cannot hold",
				node.Threshold))
		}
		if node.MissingLeft {
			w.DefaultLeft[i] = 1
		}
		w.Parents[node.Left], w.Parents[node.Right] = i, i
	}
	return w, nil
}
