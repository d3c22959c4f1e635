package xgboostfile

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
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
	all, class, rounds := []object{}, []int{}, []int{}
	for i, t := range e.Trees {
		if i%groups == 0 {
			rounds = append(rounds, i)
		}
		class = append(class, i%groups)
		adds := i % groups
		if groups == 1 {
			adds = 1
		}
		tree, err := treeOf(t, adds)
		if err != nil {
			return trees.AtTree(i, err)
		}
		tree["id"] = i
		all = append(all, tree)
	}
	types := slices.Repeat([]string{"float"}, len(columns))
	param := object{
		"base_score": "5E-1", "boost_from_average": "1", "num_class": "0",
		"num_feature": strconv.Itoa(e.Dim()), "num_target": "1",
	}
	if groups > 1 {
		param["base_score"], param["num_class"] = "0E0", strconv.Itoa(groups)
	}
	return json.NewEncoder(w).Encode(object{
		"learner": object{
			"attributes": object{}, "feature_names": append([]string{}, columns...),
			"feature_types": types, "learner_model_param": param, "objective": objective,
			"gradient_booster": object{"name": "gbtree", "model": object{
				"gbtree_model_param": object{
					"num_parallel_tree": "1", "num_trees": strconv.Itoa(len(all)),
				},
				"iteration_indptr": append(rounds, len(all)), "tree_info": class, "trees": all,
			}},
		},
		"version": []int{2, 1, 0},
	})
}

// object is one of JSON, whose keys are written in alphabetical order.
type object = map[string]any

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
func objectiveOf(e *trees.Ensemble[*trees.Axis]) (groups int, objective object, err error) {
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
		return 1, object{
			"name": "binary:logistic", "reg_loss_param": object{"scale_pos_weight": "1"},
		}, nil
	case v.Rule == trees.Softmax:
		return e.Classes, object{
			"name":                     "multi:softprob",
			"softmax_multiclass_param": object{"num_class": strconv.Itoa(e.Classes)},
		}, nil
	}
	return 0, nil, unwritable("such a vote")
}

// noParent is the parent of a root.
const noParent = math.MaxInt32

// treeOf returns a tree whose leaves add to one class, with its nodes in arrays.
func treeOf(t *trees.Axis, class int) (object, error) {
	n := t.Len()
	parents, left, right := make([]int, n), make([]int, n), make([]int, n)
	features, defaultLeft := make([]int, n), make([]int, n)
	conditions, weights := make(floats, n), make(floats, n)
	parents[0] = noParent
	var node trees.Node
	for i := range n {
		t.Read(i, &node)
		left[i], right[i] = node.Left, node.Right
		if node.Left < 0 {
			for c, v := range node.Value {
				if c != class && v != 0 {
					return nil, trees.AtNode(i, unwritable("leaf that adds %v to class %d", v, c))
				}
			}
			conditions[i] = float32(node.Value[class])
			weights[i] = conditions[i]
			continue
		}
		if len(node.Thresholds) > 0 {
			return nil, trees.AtNode(i, unwritable("test of %d thresholds", len(node.Thresholds)))
		}
		features[i], conditions[i] = node.Feature, float32(node.Threshold)
		if float64(conditions[i]) != node.Threshold {
			return nil, trees.AtNode(i, unwritable("threshold %v, which float32 cannot hold",
				node.Threshold))
		}
		if node.MissingLeft {
			defaultLeft[i] = 1
		}
		parents[node.Left], parents[node.Right] = i, i
	}
	none := []int{}
	return object{
		"base_weights": weights, "default_left": defaultLeft, "left_children": left,
		"loss_changes": make(floats, n), "parents": parents, "right_children": right,
		"split_conditions": conditions, "split_indices": features, "split_type": make([]int, n),
		"sum_hessian": make(floats, n), "categories": none, "categories_nodes": none,
		"categories_segments": none, "categories_sizes": none,
		"tree_param": object{
			"num_deleted": "0", "num_feature": strconv.Itoa(t.Dim), "num_nodes": strconv.Itoa(n),
			"size_leaf_vector": "1",
		},
	}, nil
}
