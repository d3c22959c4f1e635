package soundness

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// The libraries whose files are written here.
const xgboost, lightgbm, catboost = "xgboost", "lightgbm", "catboost"

// object is one of JSON.
type object map[string]any

// file is the file of the model in the format of its library: the parts that readers need.
func (in *Codes) file() string {
	switch in.Library {
	case xgboost:
		return text(in.xgboostFile())
	case catboost:
		return text(in.catboostFile())
	}
	return in.lightgbmFile()
}

func text(o object) string {
	b, err := json.Marshal(o)
	if err != nil {
		return err.Error() // which no reader reads
	}
	return string(b)
}

// margin is the gain of a leaf in favour of label 1.
func margin(n trees.Node) float64 { return n.Value[1] }

func (in *Codes) xgboostFile() object {
	var all []object
	for i, nodes := range in.Trees {
		all = append(all, xgboostTree(i, nodes))
	}
	model := object{
		"gbtree_model_param": object{"num_parallel_tree": "1", "num_trees": fmt.Sprint(len(all))},
		"tree_info":          make([]int, len(all)), "trees": all,
	}
	if slices.Max(in.Known) > 0 {
		before := []int{0}
		for _, n := range in.Known {
			before = append(before, before[len(before)-1]+n)
		}
		model["cats"] = object{"feature_segments": before}
	}
	return object{"version": []int{2, 1, 4}, "learner": object{
		"attributes":          object{},
		"gradient_booster":    object{"model": model, "name": "gbtree"},
		"learner_model_param": object{"base_score": "5E-1", "num_feature": fmt.Sprint(in.Dim)},
		"objective":           object{"name": "binary:logistic"},
	}}
}

// xgboostTree has the values of leaves as conditions.
func xgboostTree(number int, nodes []trees.Node) object {
	var left, right, feature, missingLeft, kind, codes, sets, begins, sizes []int
	var condition []float64
	for i, n := range nodes {
		left, right, feature = append(left, n.Left), append(right, n.Right), append(feature,
			n.Feature)
		missingLeft = append(missingLeft, bit(n.MissingLeft))
		kind = append(kind, bit(n.Left >= 0 && len(n.Weights) > 0))
		if n.Left < 0 {
			condition = append(condition, margin(n))
			continue
		}
		if condition = append(condition, n.Threshold); len(n.Weights) > 0 {
			sets, begins = append(sets, i), append(begins, len(codes))
			sizes = append(sizes, len(n.Weights))
			for _, code := range n.Weights {
				codes = append(codes, int(code))
			}
		}
	}
	return object{
		"id": number, "left_children": left, "right_children": right, "split_indices": feature,
		"split_conditions": condition, "default_left": missingLeft, "split_type": kind,
		"categories": full(codes), "categories_nodes": full(sets),
		"categories_segments": full(begins), "categories_sizes": full(sizes),
		"tree_param": object{"num_deleted": "0", "num_nodes": fmt.Sprint(len(nodes))},
	}
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// full is a list that is not null in JSON.
func full(v []int) []int { return append([]int{}, v...) }

func (in *Codes) lightgbmFile() string {
	var b strings.Builder
	b.WriteString("tree\nversion=v4\nnum_class=1\nnum_tree_per_iteration=1\n")
	b.WriteString("objective=binary sigmoid:1\n")
	fmt.Fprintf(&b, "max_feature_idx=%d\nfeature_infos=", in.Dim-1)
	for j, n := range in.Known {
		if j > 0 {
			b.WriteByte(' ')
		}
		if n == 0 {
			b.WriteString("[0:1]")
			continue
		}
		fmt.Fprintf(&b, "-1:%d", n-1)
	}
	b.WriteByte('\n')
	for i, nodes := range in.Trees {
		lightgbmTree(&b, i, nodes)
	}
	b.WriteString("\nend of trees\n")
	return b.String()
}

// lightgbmTree numbers inner nodes and leaves apart, a leaf i as −1−i.
func lightgbmTree(b *strings.Builder, number int, nodes []trees.Node) {
	place, splits, leaves := make([]int, len(nodes)), 0, 0
	for i, n := range nodes {
		if n.Left < 0 {
			place[i] = -1 - leaves
			leaves++
			continue
		}
		place[i] = splits
		splits++
	}
	columns := map[string][]string{}
	add := func(key string, v any) { columns[key] = append(columns[key], fmt.Sprint(v)) }
	sets, words := 0, 0
	for _, n := range nodes {
		if n.Left < 0 {
			add("leaf_value", margin(n))
			continue
		}
		add("split_feature", n.Feature)
		add("left_child", place[n.Left])
		add("right_child", place[n.Right])
		if len(n.Weights) == 0 {
			add("threshold", n.Threshold)
			add("decision_type", 2*bit(n.MissingLeft)|8)
			continue
		}
		add("threshold", sets)
		add("decision_type", 1)
		add("cat_boundaries", words)
		sets++
		for _, word := range bitsOf(n.Weights) {
			add("cat_threshold", word)
			words++
		}
	}
	if sets > 0 {
		add("cat_boundaries", words)
	}
	fmt.Fprintf(b, "\nTree=%d\nnum_leaves=%d\nnum_cat=%d\n", number, leaves, sets)
	for _, key := range []string{
		"split_feature", "threshold", "decision_type", "left_child", "right_child", "leaf_value",
		"cat_boundaries", "cat_threshold",
	} {
		fmt.Fprintf(b, "%s=%s\n", key, strings.Join(columns[key], " "))
	}
	b.WriteString("is_linear=0\nshrinkage=1\n")
}

// bitsOf writes a set of codes as words of 32.
func bitsOf(codes []float64) []uint32 {
	words := make([]uint32, int(slices.Max(codes))/32+1)
	for _, code := range codes {
		words[int(code)/32] |= 1 << (int(code) % 32)
	}
	return words
}
