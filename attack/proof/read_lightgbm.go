package proof

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// spaces may surround lines, words and cells.
const spaces = " \t\r\v\f"

// fields returns the words of a line.
func fields(line string) []string {
	return strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(spaces, r) })
}

// The lines of LightGBM's header and of a tree: those that are read, and then those that do not
// matter. Those of linear leaves do not matter without is_linear.
var (
	headerLines = strings.Fields(`version num_class num_tree_per_iteration max_feature_idx objective
		average_output feature_names tree_sizes feature_infos label_index monotone_constraints`)
	treeLines = strings.Fields(`num_leaves num_cat is_linear split_feature threshold decision_type
		left_child right_child leaf_value cat_boundaries cat_threshold split_gain leaf_weight
		leaf_count internal_value internal_weight internal_count shrinkage leaf_const num_features
		leaf_features leaf_coeff`)
)

// section is the lines "key=value" of LightGBM's header, or of one tree, or an object of XGBoost
// whose members are texts.
type section map[string]string

// sections reads LightGBM's text up to "end of trees": a header, and trees.
func sections(text string) (header section, trees []section) {
	header = section{}
	s, known := header, headerLines
	for i, line := range strings.Split(text, "\n") {
		line = strings.Trim(line, spaces)
		key, value, isPair := strings.Cut(line, "=")
		_, twice := s[key]
		switch {
		case i == 0 || line == "":
		case line == "end of trees":
			return header, trees
		case key == "Tree":
			demand(value == strconv.Itoa(len(trees)), "tree %.40q where %d is expected",
				value, len(trees))
			s, known = section{}, treeLines
			trees = append(trees, s)
		default:
			demand((isPair || len(trees) == 0) && !twice, "line %d: %.40q again, or without =",
				i+1, key)
			if !slices.Contains(known, key) {
				demand(false, "line %d: %.40q is unknown: %w", i+1, key, errors.ErrUnsupported)
			}
			s[key] = value
		}
	}
	demand(false, "the file ends before \"end of trees\"")
	return nil, nil
}

// integer returns a number, or another where there is none.
func (s section) integer(key string, missing int) int {
	if _, has := s[key]; !has {
		return missing
	}
	return inText(s[key])
}

// numbers returns so many numbers, or words, of a line.
func numbers[T any](s section, key string, count int, number func(word string) T) []T {
	words := fields(s[key])
	demand(len(words) == count, "%s: %d words, want %d", key, len(words), count)
	all := make([]T, count)
	for i, word := range words {
		all[i] = number(word)
	}
	return all
}

func (s section) integers(key string, count int) []int { return numbers(s, key, count, inText) }

// readLightGBM reads LightGBM's text.
func readLightGBM(text string, stored int) *Model {
	h, trees := sections(text)
	groups := h.integer("num_class", 0)
	_, averages := h["average_output"]
	demand((h["version"] == "v3" || h["version"] == "v4") && !averages,
		"version %v, or a random forest: %w", h["version"], errors.ErrUnsupported)
	demand(groups > 0 && h.integer("num_tree_per_iteration", groups) == groups && len(trees) > 0 &&
		len(trees)%groups == 0, "%d trees in rounds of %d", len(trees), groups)
	if _, has := h["tree_sizes"]; has {
		numbers(h, "tree_sizes", len(trees), same)
	}
	e := &ensemble{
		dim:    h.integer("max_feature_idx", -1) + 1,
		stored: stored,
		votes:  votes{classes: max(groups, 2), rule: softmax},
	}
	if _, has := h["feature_names"]; has {
		numbers(h, "feature_names", e.dim, same)
	}
	name, parameter, _ := strings.Cut(strings.Trim(h["objective"], spaces), " ")
	if factor, isSigmoid := strings.CutPrefix(parameter, "sigmoid:"); name == "binary" &&
		isSigmoid && groups == 1 {
		sigmoid := measured(factor)
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
	for t, s := range trees {
		class := 1
		if groups > 1 {
			class = t % groups
		}
		e.growLightGBM(s, class)
	}
	return e.model()
}

// growLightGBM adds a tree. Leaves are numbered after the splits.
func (e *ensemble) growLightGBM(s section, class int) {
	demand(s.integer("num_cat", -1) == 0 && s.integer("is_linear", 0) == 0,
		"num_cat %.40q, is_linear %.40q: %w", s["num_cat"], s["is_linear"], errors.ErrUnsupported)
	leaves := s.integer("num_leaves", 0)
	demand(leaves > 0, "num_leaves is %d", leaves)
	children := func(key string) []int {
		all := s.integers(key, leaves-1)
		for i, child := range all {
			demand(-leaves <= child && child < leaves-1, "%s is %d", key, child)
			if child < 0 {
				all[i] = leaves - 2 - child
			}
		}
		return append(all, slices.Repeat([]int{-1}, leaves)...)
	}
	feature, decision := s.integers("split_feature", leaves-1),
		s.integers("decision_type", leaves-1)
	value := numbers(s, "leaf_value", leaves, measured)
	threshold := numbers(s, "threshold", leaves-1, func(word string) float64 {
		if word == "inf" {
			return math.Inf(1)
		}
		return measured(word)
	})
	e.grow(children("left_child"), children("right_child"), 0, func(i int, n *node) {
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
